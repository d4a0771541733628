import { Inventory } from '@innkeeper/contract/recovery/archiveImports/inventory'
import { eq, inArray, sql } from 'drizzle-orm'
import { databaseImports } from '../../hosting/databases/tables.ts'
import { arrived } from '../../hosting/websites/arriving.ts'
import { secrets } from '../../kit/app/tables.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { describe, type Outcome, onEnd, onPlannedPause, rollBackWhen, whyStopped } from '../../kit/work/workflow.ts'
import { addressOf, contentOf, loginOf, transferKeyOf } from './actions.ts'
import { dropPasswords } from './newPasswords/bring.ts'
import { archiveImports, type Made } from './tables.ts'

/** Declares the workflows of this file, for domain.ts. */
export function archiveImportWorkflows(): void {
  describe('archive-import.look', { title: 'Look at archive', doing: 'being looked at' })
  rollBackWhen('archive-import.look', async () => true)
  onEnd('archive-import.look', async (tx, { id: workflowId, subjectId, undo }, outcome) => {
    if (outcome === 'running') return
    if (outcome !== 'failed')
      await tx
        .delete(secrets)
        .where(inArray(secrets.name, [loginOf(subjectId), addressOf(subjectId), transferKeyOf(subjectId)]))
    if (outcome === 'rolled-back' && undo) return changed(tx, 'archiveImports', subjectId) // keeps the reason of the failure
    const set =
      outcome === 'done'
        ? { status: 'ready' as const, reason: null, inventory: await inventoryOf(tx, workflowId) }
        : { status: 'unreadable' as const, reason: await whyStopped(tx, workflowId) }
    await tx
      .update(archiveImports)
      .set({ ...set, ...nextVersion })
      .where(eq(archiveImports.id, subjectId))
    await changed(tx, 'archiveImports', subjectId)
  })

  describe('archive-import.drop', { title: 'Delete archive', doing: 'losing its archive' })
  describe('archive-import.run', {
    title: 'Import archive',
    doing: 'being imported from an archive',
    undoLoses:
      'Everything that the import has made: websites, databases, mail domains and zones, with all that was written since.',
  })
  onPlannedPause('archive-import.run', async (tx, { subjectId }) => {
    await tx
      .update(archiveImports)
      .set({ status: 'verified', reason: null, ...nextVersion })
      .where(eq(archiveImports.id, subjectId))
    await changed(tx, 'archiveImports', subjectId)
  })
  onEnd('archive-import.run', async (tx, { id: workflowId, subjectId, undo }, outcome) => {
    const [row] = await tx
      .select({ made: archiveImports.made })
      .from(archiveImports)
      .where(eq(archiveImports.id, subjectId))
    const reason =
      outcome === 'failed' ? await whyStopped(tx, workflowId) : outcome === 'running' && undo ? undefined : null
    await tx
      .update(archiveImports)
      .set({ status: statuses[outcome], ...(reason !== undefined && { reason }), ...nextVersion })
      .where(eq(archiveImports.id, subjectId))
    if (outcome === 'done' || outcome === 'rolled-back') await dropKeys(tx, subjectId, row?.made)
    if (outcome === 'rolled-back') await dropPasswords(tx, subjectId)
    if (row?.made) await follow(tx, workflowId, row.made, outcome)
    await changed(tx, 'archiveImports', subjectId)
  })
}

const statuses = { running: 'importing', failed: 'failed', done: 'done', 'rolled-back': 'rolled-back' } as const

async function inventoryOf(tx: Db, workflowId: number): Promise<Inventory> {
  const [found] = await rows<{ output: unknown }>(
    tx,
    sql`select output from actions where workflow_id = ${workflowId} and name = 'archive.look' and status = 'done'`,
  )
  return Inventory.parse(found?.output)
}

/** The server has the keys of DKIM by now, or nothing has them. */
const dropKeys = (tx: Db, id: number, made: Made | null | undefined) =>
  made?.mailboxes.length
    ? tx.delete(secrets).where(
        inArray(
          secrets.name,
          made.mailboxes.map(({ domain }) => contentOf(id, 'dkim', domain)),
        ),
      )
    : undefined

/** Rows whose status no other domain derives from the actions of a workflow. */
async function follow(tx: Db, workflowId: number, { websites, databases }: Made, outcome: Outcome): Promise<void> {
  await arrived(tx, workflowId, websites, outcome)
  if (databases.length && outcome !== 'running')
    await tx
      .update(databaseImports)
      .set({ status: outcome === 'done' ? 'done' : 'failed', workflowId, ...nextVersion })
      .where(
        inArray(
          databaseImports.id,
          databases.map(({ importId }) => importId),
        ),
      )
}
