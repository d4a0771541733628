import { CopyReport } from '@innkeeper/contract/hosting/stagings/shapes'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { opensAgain } from '../../../hosting/websites/closed.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { describe, type Outcome, onAnyEnd, onEnd, type Workflow, whyStopped } from '../../../kit/work/workflow.ts'
import { mergedText } from '../mail/bring.ts'
import { forgetSettings } from '../settings/bring.ts'
import { backupRestoreItems, backupRestores, backups } from '../tables.ts'

/** The restore that a workflow carries out. */
export async function restoreOf(tx: Db, workflowId: number) {
  const [restore] = await tx.select().from(backupRestores).where(eq(backupRestores.workflowId, workflowId))
  return restore
}

const ends = { done: 'success', failed: 'failed', 'rolled-back': 'failed' } as const
/** Stores the result of the workflow in the restore and its parts. */
async function ended(tx: Db, { id, subjectId, undo }: Workflow, outcome: Outcome): Promise<void> {
  if (outcome === 'running' && undo) return // a rollback keeps the reason of the failure
  const restore = await restoreOf(tx, id)
  if (!restore) return
  const result = outcome === 'running' ? 'pending' : ends[outcome]
  const before = outcome === 'rolled-back' ? `Rolled back${restore.error ? ` after: ${restore.error}` : ''}` : null
  const message = outcome === 'failed' ? await whyStopped(tx, id) : before
  await tx
    .update(backupRestoreItems)
    .set({ result, message, endedAt: outcome === 'running' ? null : sql`now()` })
    .where(and(eq(backupRestoreItems.restoreId, restore.id), sql`resource_id <> 0`))
  if (outcome === 'done' || outcome === 'rolled-back') await forgetSettings(tx, restore.id)
  if (outcome === 'done') await noteMentions(tx, id, restore)
  if (outcome === 'done') await noteMail(tx, id, restore.id)
  const [lost] = await tx
    .select({ id: backupRestoreItems.id })
    .from(backupRestoreItems)
    .where(and(eq(backupRestoreItems.restoreId, restore.id), inArray(backupRestoreItems.result, ['failed', 'partial'])))
    .limit(1)
  await tx
    .update(backupRestores)
    .set({
      ...{
        result: outcome === 'done' && lost ? 'partial' : result,
        endedAt: outcome === 'running' ? null : sql`now()`,
      },
      error: message,
      ...nextVersion,
    })
    .where(eq(backupRestores.id, restore.id))
  await changed(tx, 'websites', subjectId)
}

/** What the mail servers answered, as messages of the mail domains. */
async function noteMail(tx: Db, workflowId: number, restoreId: number): Promise<void> {
  const answered = await rows<{ of: number; output: unknown }>(
    tx,
    sql`select resource_id as of, output from actions
      where workflow_id = ${workflowId} and name = 'restore-mail.merge' and status = 'done'`,
  )
  for (const { of, output } of answered) {
    const found = mergedText(output)
    if (!found) continue
    await tx
      .update(backupRestoreItems)
      .set({ message: found.message, ...(found.partial && { result: 'partial' as const }) })
      .where(
        and(
          eq(backupRestoreItems.restoreId, restoreId),
          eq(backupRestoreItems.resource, 'mail'),
          eq(backupRestoreItems.resourceId, of),
        ),
      )
  }
}

const Adapted = CopyReport.pick({ proposals: true })

/** Warns of files that still name a former database: the website would use the data of the website of the backup. */
async function noteMentions(tx: Db, workflowId: number, restore: typeof backupRestores.$inferSelect): Promise<void> {
  const [from] = await tx.select({ id: backups.websiteId }).from(backups).where(eq(backups.id, restore.backupId))
  if (from?.id === restore.websiteId) return
  const [found] = await rows<{ output: unknown }>(
    tx,
    sql`select output from actions where workflow_id = ${workflowId} and name = 'site-config.adapt' and status = 'done'`,
  )
  const proposals = Adapted.safeParse(found?.output).data?.proposals ?? []
  if (!proposals.length) return
  const files = [...new Set(proposals.map(({ file }) => file))]
  const message = `${files.slice(0, 5).join(', ')}${files.length > 5 ? ` and ${files.length - 5} more files` : ''} still ${files.length === 1 ? 'names' : 'name'} ${[...new Set(proposals.map(({ what }) => what))].join(', ')}: look whether the website uses that`
  await tx
    .update(backupRestoreItems)
    .set({ result: 'partial', message: message.slice(0, 1000) })
    .where(and(eq(backupRestoreItems.restoreId, restore.id), eq(backupRestoreItems.resource, 'website')))
}

/** Declares the workflows of this file, for domain.ts. */
export function restoreWorkflows(): void {
  describe('website.restore-backup', {
    title: 'Restore from backup',
    doing: 'being restored from a backup',
    undoLoses: 'What visitors have written to the restored files and tables since the website opened again is lost.',
  })

  opensAgain('website.restore-backup')
  onEnd('website.restore-backup', ended)
  onAnyEnd(async (tx, workflow, outcome) => {
    if (workflow.kind === 'website.create') await ended(tx, workflow, outcome)
  })
}
