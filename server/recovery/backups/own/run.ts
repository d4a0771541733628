import { judge } from '@innkeeper/contract/recovery/backups/keep'
import { runStatus } from '@innkeeper/contract/recovery/backups/values'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import type { Db } from '../../../kit/db/db.ts'
import { conflict } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { beginBlob } from '../../../kit/storage/blobs.ts'
import { outputOf, type PlanStep, step } from '../../../kit/work/action.ts'
import { start } from '../../../kit/work/workflow.ts'
import { repositoryEnsure, repositoryForget, withProgramOf } from '../actions.ts'
import { addTasks } from '../record.ts'
import { type Access, checkUnlocked, localOf, onRepository } from '../repositories/access.ts'
import { repositoryFor } from '../repositories/newRepository.ts'
import { backupServers } from '../tables.ts'
import { ownFetch, ownProve, ownStore, ownWrite } from './actions.ts'
import { ownBackupPlans, ownBackups } from './tables.ts'

export const NAME = 'Innkeeper'
/** Account of the repository on each backup server. */
const account = 'innkeeper'

/**
 * Backs up Innkeeper itself: the worker writes the backup, the backup server stores it, the worker fetches it again,
 * restores it into a scratch database and compares. Then backups that the policy no longer keeps are removed.
 */
export async function startOwnBackup(
  app: App,
  db: Db,
  backupServerId: number,
  by: { id: number | null; name: string },
) {
  const [server] = await db.select().from(backupServers).where(eq(backupServers.id, backupServerId))
  const access = await repositoryFor(app, db, server?.serverId ?? 0, backupServerId, by.id, account)
  await checkUnlocked(db, [access], 'backup')
  const [made] = await db
    .insert(ownBackups)
    .values({ repositoryId: access.id, createdBy: by.id })
    .returning({ id: ownBackups.id })
  if (!made) throw new Error('an insert answered no row')
  const sent = await beginBlob(db, { name: 'innkeeper', type: 'application/gzip' })
  const returned = await beginBlob(db, { name: 'innkeeper', type: 'application/gzip' })
  const resource = { type: 'own-backup', id: made.id, name: NAME }
  const on = { server: access.backupServer.serverId, resource }
  const write = step(ownWrite, { key: sent }, { resource })
  const kept = { ...localOf(access), run: made.id }
  const store = step(
    ownStore,
    { ...kept, blob: { key: sent }, size: outputOf(write, 'size'), sha256: outputOf(write, 'sha256') },
    on,
  )
  const fetch = step(ownFetch, { ...kept, snapshot: outputOf(store, 'snapshot'), sent: { key: returned } }, on)
  const prove = step(
    ownProve,
    { key: returned, size: outputOf(fetch, 'size'), contents: outputOf(write, 'contents') },
    { resource },
  )
  const workflowId = await start(db, {
    ...{ kind: 'own-backup.run', holder: by.name, startedById: by.id, subject: resource },
    plan: [
      withProgramOf(access.backupServer),
      step(repositoryEnsure, localOf(access), onRepository(access)),
      ...[write, store, fetch, prove],
      ...(await forgetting(db, access)),
    ],
    locks: ['own-backup'],
  })
  await db.update(ownBackups).set({ workflowId }).where(eq(ownBackups.id, made.id))
  await addTasks(db, [{ type: 'own', subject: NAME, repositoryId: access.id, startedBy: by.name, workflowId }])
  await changed(db, 'backups')
  return { id: made.id, workflowId, blobs: [sent, returned] }
}

/** The step that removes backups that the policy no longer keeps; the newest good backup always stays. */
async function forgetting(db: Db, access: Access): Promise<PlanStep[]> {
  const [plan] = await db.select().from(ownBackupPlans).where(isNull(ownBackupPlans.deletedAt))
  if (!plan) return []
  const there = await db
    .select()
    .from(ownBackups)
    .where(
      and(
        eq(ownBackups.repositoryId, access.id),
        inArray(ownBackups.status, [runStatus.completed, runStatus.partial]),
        isNull(ownBackups.deletedAt),
      ),
    )
  const go = judge(
    there.map(({ id, startedAt: at, status }) => ({ id, at, partial: status === runStatus.partial })),
    plan.keep,
  ).filter(({ reasons }) => !reasons.length)
  const snapshots = there.flatMap(({ id, snapshot }) => (snapshot && go.some((one) => one.id === id) ? snapshot : []))
  if (!snapshots.length) return []
  await db
    .update(ownBackups)
    .set({ leaving: true })
    .where(sql`own_backup_id in ${go.map(({ id }) => id)}`)
  return [step(repositoryForget, { ...localOf(access), snapshots: snapshots.slice(0, 5000) }, onRepository(access))]
}

/** Throws 409 while a backup of Innkeeper runs. Call this before writing anything. */
export async function checkNoOwnBackup(db: Db): Promise<void> {
  const [open] = await db
    .select({ id: ownBackups.id })
    .from(ownBackups)
    .where(sql`status in (0, 1) and deleted_at is null`)
  if (open) throw conflict('Innkeeper is already being backed up')
}
