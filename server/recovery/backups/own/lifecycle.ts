import { runStatus } from '@innkeeper/contract/recovery/backups/values'
import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { type Db, rows } from '../../../kit/db/db.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { leaveBlobs } from '../../../kit/storage/blobs.ts'
import { describe, onEnd, rollBackWhen, whyStopped } from '../../../kit/work/workflow.ts'
import { endTasks } from '../record.ts'
import { ownBackups } from './tables.ts'
import { missingFiles } from './view.ts'

const Written = z.object({ rows: z.number() })
const Proven = z.object({ missing: z.object({ count: z.int(), examples: z.array(z.string()) }) })
const Stored = z.object({ snapshot: z.string(), bytes: z.number(), added: z.number() })

async function afterForget(tx: Db, forget: { status: string } | undefined): Promise<void> {
  if (!forget) return
  if (forget.status === 'done')
    await tx.execute(sql`update own_backups set deleted_at = now() where leaving and deleted_at is null`)
  await tx.execute(sql`update own_backups set leaving = false where leaving and deleted_at is null`)
}

/** Declares the workflows of this file, for domain.ts. */
export function ownBackupWorkflows(): void {
  describe('own-backup.run', { title: 'Back up Innkeeper', doing: 'being backed up' })
  /** Rolled back without staff: the workflow leaves nothing half done, and the next one starts from the beginning. */
  rollBackWhen('own-backup.run', async () => true)
  onEnd('own-backup.run', async (tx, { id, subjectId, undo }, outcome) => {
    if (outcome === 'running') {
      if (undo) return // a rollback keeps the status of the failed backup
      await tx.update(ownBackups).set({ status: runStatus.running }).where(eq(ownBackups.id, subjectId))
      return
    }
    const done = await rows<{
      name: string
      input: { key: string; sent: { key: string } }
      output: unknown
      status: string
    }>(tx, sql`select name, input, output, status from actions where workflow_id = ${id}`)
    const answer = <S extends z.ZodType>(name: string, schema: S) =>
      schema.safeParse(done.find((one) => one.name === name)?.output).data
    const stored = answer('own-backup.store', Stored)
    const isProven = done.some(({ name, status }) => name === 'own-backup.prove' && status === 'done')
    if (outcome !== 'rolled-back') {
      const good = outcome === 'done'
      const missing = answer('own-backup.prove', Proven)?.missing
      const lacksFiles = missing !== undefined && missing.count > 0
      // partial: stored, but not proven, or uploaded files are missing
      const isWhole = (good || (stored && isProven)) && !lacksFiles
      const status = isWhole ? runStatus.completed : stored ? runStatus.partial : runStatus.failed
      const why = good ? null : await whyStopped(tx, id)
      await tx
        .update(ownBackups)
        .set({
          ...{ status, endedAt: sql`now()`, error: why ?? (lacksFiles ? missingFiles(missing) : null), ...nextVersion },
          ...(stored && { snapshot: stored.snapshot, bytes: stored.bytes, added: stored.added }),
          ...{ rows: answer('own-backup.write', Written)?.rows ?? null, ...(isProven && { provenAt: sql`now()` }) },
        })
        .where(eq(ownBackups.id, subjectId))
      await endTasks(tx, id, good ? 'done' : 'failed', why)
      await afterForget(
        tx,
        done.find(({ name }) => name === 'backup-repository.forget'),
      )
    } else
      await tx
        .update(ownBackups)
        .set({ status: runStatus.failed, endedAt: sql`now()`, error: sql`coalesce(error, 'Cancelled')` })
        .where(sql`own_backup_id = ${subjectId} and status in (0, 1)`)
    const keys = done.flatMap(({ name, input }) =>
      name === 'own-backup.write' ? input.key : name === 'own-backup.fetch' ? input.sent.key : [],
    )
    await leaveBlobs(tx, keys)
    await tx.execute(sql`update backup_repositories set status = case when status = 'preparing' then 'ready' else status end,
    last_backup_at = case when ${stored !== undefined} then now() else last_backup_at end
    where backup_repository_id = (select backup_repository_id from own_backups where own_backup_id = ${subjectId})
      and ${stored !== undefined}`)
    await changed(tx, 'backups')
  })
}
