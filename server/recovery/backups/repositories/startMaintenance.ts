import { keepsNothing } from '@innkeeper/contract/recovery/backups/keep'
import type { Maintained } from '@innkeeper/contract/recovery/backups/shapes'
import { inArray, sql } from 'drizzle-orm'
import { chunks } from '../../../kit/db/chunks.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { conflict, Refusal, refused } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { type PlanStep, step } from '../../../kit/work/action.ts'
import { start } from '../../../kit/work/workflow.ts'
import { repositoryForget, repositoryPrune } from '../actions.ts'
import { addTasks, note } from '../record.ts'
import { readServer } from '../servers/view.ts'
import { backups } from '../tables.ts'
import { type Access, accessesTo, checkUnlocked, localOf, onRepository } from './access.ts'
import { type Audit, accessesOf, type By, toForget, type Which } from './maintenance.ts'

/** Prunes each repository in a workflow of its own, which locks the repository against any other prune or forget. */
export async function startPrune(
  db: Db,
  backupServerId: number,
  repositoryId: number | undefined,
  by: By,
  audit?: Audit,
): Promise<Maintained> {
  const server = await readServer(db, backupServerId)
  const all = await accessesOf(db, backupServerId, repositoryId)
  return startEach(db, 'prune', all, audit, (tx, one) => {
    const plan = [step(repositoryPrune, localOf(one), onRepository(one))]
    return begin(tx, 'backup-server.prune', server, plan, one, by)
  })
}

/**
 * Removes backups that no policy keeps, each repository in a workflow of its own. Refused if the policy keeps nothing, or
 * if the number differs from `expected`.
 */
export async function startForget(
  db: Db,
  backupServerId: number,
  which: Which,
  by: By,
  audit?: Audit,
): Promise<Maintained> {
  const server = await readServer(db, backupServerId)
  const { stay, go, goes } = await toForget(db, backupServerId, which)
  if (which.keep && keepsNothing(which.keep))
    throw refused(`This policy would remove all ${stay + go} backups`, { keep: 'Keep at least one' })
  if (which.expected !== undefined && which.expected !== go)
    throw conflict(`${go} backups would be removed now, not ${which.expected}: load the preview again`)
  if (!goes.length) throw refused('The policies keep every backup: nothing would be removed')
  const found = await rows<{ id: number; ids: number[] }>(
    db,
    sql`select backup_repository_id as id, array_agg(backup_id) as ids from backups
      where backup_id = any(${sql.param(goes)}::int[]) group by 1`,
  )
  const idsOf = new Map(found.map(({ id, ids }) => [id, ids]))
  const all = await accessesTo(db, [...idsOf.keys()])
  return startEach(db, 'forget', all, audit, (tx, one) => forgetThese(tx, server, one, idsOf.get(one.id) ?? [], by))
}

/** Starts the removal of the snapshots of these backups of one repository. */
export async function forgetThese(
  db: Db,
  server: { id: number; name: string },
  access: Access,
  ids: number[],
  by: By,
): Promise<number> {
  await checkUnlocked(db, [access], 'maintenance')
  // a backup that was held or removed since it was chosen stays out
  const chosen = sql`${backups.id} = any(${sql.param(ids)}::int[]) and not held and not leaving and deleted_at is null`
  const found = await db
    .update(backups)
    .set({ leaving: true })
    .where(chosen)
    .returning({ id: backups.id, parts: backups.parts })
  if (!found.length) throw conflict('These backups are held, or being removed already')
  const snapshots = found.flatMap(({ parts }) => parts.flatMap(({ snapshot }) => snapshot ?? []))
  const plan: PlanStep[] = []
  for (const some of chunks(snapshots, 5000))
    plan.push(step(repositoryForget, { ...localOf(access), snapshots: some }, onRepository(access)))
  const workflowId = await begin(db, 'backup-server.forget', server, plan, access, by)
  const going = found.map(({ id }) => id)
  await db.update(backups).set({ workflowId }).where(inArray(backups.id, going))
  return workflowId
}

/**
 * Starts a workflow for each repository. A repository that is locked or busy does not hold up the others; its reason is in
 * the answer and in the log. Throws that reason if no workflow could start.
 */
async function startEach(
  db: Db,
  task: 'prune' | 'forget',
  all: Access[],
  audit: Audit | undefined,
  work: (tx: Db, access: Access) => Promise<number>,
): Promise<Maintained> {
  const [workflowIds, refusals] = [[] as number[], [] as Maintained['refused']]
  let first: Refusal | undefined
  for (const access of all) {
    try {
      // a savepoint: a refused workflow leaves nothing
      workflowIds.push(
        await db.transaction(async (tx) => {
          await checkUnlocked(tx, [access], 'maintenance')
          return work(tx, access)
        }),
      )
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error
      first ??= error
      refusals.push({ repositoryId: access.id, account: access.account, message: error.message })
    }
  }
  const [workflowId] = workflowIds
  if (workflowId === undefined) throw first ?? refused('There is no ready repository')
  for (const { repositoryId, account, message } of refusals)
    await note(db, 'warning', `The ${task} of ${account} did not start: ${message}`, { repositoryId })
  audit?.of('backup-server', all[0]?.backupServer.id ?? 0)
  audit?.workflow(workflowId)
  audit?.after({ task, workflows: workflowIds, ...(refusals.length && { refused: refusals }) })
  await changed(db, 'backups')
  return { workflowId, workflowIds, refused: refusals }
}

async function begin(
  db: Db,
  kind: 'backup-server.prune' | 'backup-server.forget',
  server: { id: number; name: string },
  plan: PlanStep[],
  { id, account }: Access,
  by: By,
): Promise<number> {
  const workflowId = await start(db, {
    ...{ kind, holder: by.name, startedById: by.id, plan },
    subject: { type: 'backup-server', id: server.id, name: server.name },
    locks: [`backup-repository:${id}`],
  })
  const type = kind === 'backup-server.prune' ? 'prune' : 'forget'
  await addTasks(db, [{ type, subject: account, repositoryId: id, startedBy: by.name, workflowId }])
  return workflowId
}
