import { DumpLook } from '@innkeeper/contract/hosting/databases/dumps'
import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { type Db, rows } from '../../../kit/db/db.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { keepBlobs, leaveBlobs } from '../../../kit/storage/blobs.ts'
import { describe, onEnd, rollBackWhen, whyStopped } from '../../../kit/work/workflow.ts'
import { isDown } from '../../websites/closed.ts'
import { databaseExports, databaseImports, databases } from '../tables.ts'

/** Days for which a dump can be downloaded. */
const EXPORT_DAYS = 3

const Looked = DumpLook.extend({ size: z.number() })

const Sent = z.object({ size: z.number(), sha256: z.string() })

/** The reason of a failure; null clears a stored reason, undefined keeps it (during a rollback). */
const reason = async (tx: Db, workflowId: number, outcome: string): Promise<string | null | undefined> =>
  outcome === 'failed' ? whyStopped(tx, workflowId) : outcome === 'running' ? null : undefined

async function become(
  tx: Db,
  id: number,
  status: 'looking' | 'importing' | 'failed',
  why: string | null | undefined,
): Promise<void> {
  const set = { status, ...(why !== undefined && { reason: why }), ...nextVersion }
  await tx.update(databaseImports).set(set).where(eq(databaseImports.id, id))
}

async function outputOf(tx: Db, workflowId: number, name: string): Promise<unknown> {
  const [found] = await rows<{ output: unknown }>(
    tx,
    sql`select output from actions where workflow_id = ${workflowId} and name = ${name} and status = 'done' limit 1`,
  )
  return found?.output
}

/** Declares the workflows of this file, for domain.ts. */
export function dumpWorkflows(): void {
  describe('database.look', { title: 'Look at dump', doing: 'having a dump read' })
  describe('database.import', { title: 'Import dump', doing: 'getting the contents of a dump' })
  describe('database.export', { title: 'Export database', doing: 'being exported' })
  describe('database.discard-dump', { title: 'Discard dump', doing: 'losing a dump' })
  // these workflows leave nothing half done: after a failure they are rolled back without staff
  for (const kind of ['database.look', 'database.export']) rollBackWhen(kind, async () => true)
  /**
   * Rolled back without staff before the contents are exchanged, because until then nothing has changed for visitors, and
   * afterwards if the website does not answer.
   */
  rollBackWhen('database.import', async (tx, { id }) => {
    const [found] = await rows<{ swapped: boolean }>(
      tx,
      sql`select bool_or(name = 'database-import.swap' and status = 'done') as swapped from actions where workflow_id = ${id}`,
    )
    return found?.swapped !== true || isDown(tx, id)
  })

  onEnd('database.look', async (tx, { id: workflowId, undo }, outcome) => {
    if (outcome === 'running' && undo) return // a rollback keeps the reason of the failure
    const [row] = await tx.select().from(databaseImports).where(eq(databaseImports.workflowId, workflowId))
    if (!row) return
    if (outcome === 'done') {
      const { size, ...look } = Looked.parse(await outputOf(tx, workflowId, 'dump.look'))
      await tx
        .update(databaseImports)
        .set({ status: 'ready', look, size, reason: null, ...nextVersion })
        .where(eq(databaseImports.id, row.id))
    } else await become(tx, row.id, outcome === 'running' ? 'looking' : 'failed', await reason(tx, workflowId, outcome))
    await changed(tx, 'databases', row.databaseId)
  })

  onEnd('database.import', async (tx, { id: workflowId, undo }, outcome) => {
    if (outcome === 'running' && undo) return // a rollback keeps the reason of the failure
    const [row] = await tx.select().from(databaseImports).where(eq(databaseImports.workflowId, workflowId))
    if (!row) return
    if (outcome === 'done') {
      const [kept] = await rows<{ days: number }>(
        tx,
        sql`select (input ->> 'keepDays')::int as days from actions where workflow_id = ${workflowId} and name = 'database.remove'
        and status = 'done'`,
      )
      const beforeUntil = kept ? sql<string>`now() + make_interval(days => ${kept.days}::int)` : null
      await tx
        .update(databaseImports)
        .set({ status: 'done', beforeUntil, reason: null, ...nextVersion })
        .where(eq(databaseImports.id, row.id))
      // the stored size is of the former contents: the next round measures again
      await tx.update(databases).set({ size: null, sizeSeenAt: null }).where(eq(databases.id, row.databaseId))
    } else
      await become(tx, row.id, outcome === 'running' ? 'importing' : 'failed', await reason(tx, workflowId, outcome))
    await changed(tx, 'databases', row.databaseId)
  })

  onEnd('database.export', async (tx, { id: workflowId, undo }, outcome) => {
    if (outcome === 'running' && undo) return // a rollback keeps the reason of the failure
    const [row] = await tx.select().from(databaseExports).where(eq(databaseExports.workflowId, workflowId))
    if (!row) return
    if (outcome === 'done') {
      const { size, sha256 } = Sent.parse(await outputOf(tx, workflowId, 'dump.send'))
      await keepBlobs(tx, [row.key])
      const until = sql<string>`now() + make_interval(days => ${EXPORT_DAYS}::int)`
      await tx
        .update(databaseExports)
        .set({ status: 'ready', size, sha256, until, ...nextVersion })
        .where(eq(databaseExports.id, row.id))
    } else {
      const why = await reason(tx, workflowId, outcome)
      await tx
        .update(databaseExports)
        .set({
          status: outcome === 'running' ? 'running' : 'failed',
          ...(why !== undefined && { reason: why }),
          ...nextVersion,
        })
        .where(eq(databaseExports.id, row.id))
      if (outcome === 'rolled-back') await leaveBlobs(tx, [row.key])
    }
    await changed(tx, 'databases', row.databaseId)
  })
}
