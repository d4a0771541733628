import { keepsNothing } from '@innkeeper/contract/backups/keep'
import { inArray } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { conflict, refused } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { type PlanStep, step } from '../../kit/work/action.ts'
import { start } from '../../kit/work/workflow.ts'
import { repositoryForget, repositoryPrune } from '../actions.ts'
import { addTasks } from '../record.ts'
import { readServer } from '../servers/view.ts'
import { backups } from '../tables.ts'
import { type Access, accessesTo, checkUnlocked, localOf, onRepository } from './access.ts'
import { type Audit, accessesOf, type By, toForget, type Which } from './maintenance.ts'

/** Prunes one repository after the other, locked against any other prune or forget. */
export async function startPrune(
  db: Db,
  backupServerId: number,
  repositoryId: number | undefined,
  by: By,
  audit?: Audit,
) {
  const server = await readServer(db, backupServerId)
  const all = await accessesOf(db, backupServerId, repositoryId)
  await checkUnlocked(db, all, 'maintenance')
  const plan = all.map((one) => step(repositoryPrune, localOf(one), onRepository(one)))
  return begin(db, 'backup-server.prune', server, plan, all, by, audit)
}
/**
 * Removes backups that no policy keeps. Refused if the policy keeps nothing, or if the number differs from `expected`.
 */
export async function startForget(db: Db, backupServerId: number, which: Which, by: By, audit?: Audit) {
  const server = await readServer(db, backupServerId)
  const preview = await toForget(db, backupServerId, which)
  if (which.keep && keepsNothing(which.keep))
    throw refused(`This policy would remove all ${preview.stay + preview.go} backups`, { keep: 'Keep at least one' })
  if (which.expected !== undefined && which.expected !== preview.go)
    throw conflict(`${preview.go} backups would be removed now, not ${which.expected}: load the preview again`)
  const ids = preview.backups.filter(({ reasons }) => !reasons.length).map(({ id }) => id)
  if (!ids.length) throw refused('The policies keep every backup: nothing would be removed')
  return forgetThese(db, server, ids, by, audit)
}
/** Starts the removal of the snapshots of these backups. */
export async function forgetThese(
  db: Db,
  server: { id: number; name: string },
  ids: number[],
  by: By,
  audit?: Audit,
): Promise<number> {
  const found = await db
    .update(backups)
    .set({ leaving: true })
    .where(inArray(backups.id, ids))
    .returning({ id: backups.id, repositoryId: backups.repositoryId, parts: backups.parts })
  const all = await accessesTo(db, [...new Set(found.map(({ repositoryId }) => repositoryId))])
  await checkUnlocked(db, all, 'maintenance')
  const plan: PlanStep[] = []
  for (const access of all) {
    const snapshots = found
      .filter((one) => one.repositoryId === access.id)
      .flatMap(({ parts }) => parts.flatMap(({ snapshot }) => snapshot ?? []))
    for (let from = 0; from < snapshots.length; from += 5000)
      plan.push(
        step(
          repositoryForget,
          { ...localOf(access), snapshots: snapshots.slice(from, from + 5000) },
          onRepository(access),
        ),
      )
  }
  const workflowId = await begin(db, 'backup-server.forget', server, plan, all, by, audit)
  await db.update(backups).set({ workflowId }).where(inArray(backups.id, ids))
  return workflowId
}

async function begin(
  db: Db,
  kind: string,
  server: { id: number; name: string },
  plan: PlanStep[],
  all: Access[],
  by: By,
  audit?: Audit,
): Promise<number> {
  const workflowId = await start(db, {
    ...{ kind, holder: by.name, startedById: by.id, plan },
    subject: { type: 'backup-server', id: server.id, name: server.name },
    locks: all.map(({ id }) => `backup-repository:${id}`),
  })
  await addTasks(
    db,
    all.map(({ id, account }) => ({
      type: kind === 'backup-server.prune' ? 'prune' : 'forget',
      ...{ subject: account, repositoryId: id, startedBy: by.name, workflowId },
    })),
  )
  audit?.of('backup-server', server.id)
  audit?.workflow(workflowId)
  await changed(db, 'backups')
  return workflowId
}
