import { sql } from 'drizzle-orm'
import { type Db, rows } from '../db/db.ts'
import { conflict } from '../http/errors.ts'
import { changed } from '../live/live.ts'
import { admit } from './line.ts'

/**
 * Ends a stopped workflow: skips its pending actions and releases its locks, so that its subject can be deleted. 409 if
 * the workflow is not stopped.
 */
export async function cancelStopped(tx: Db, workflowId: number, by: string): Promise<void> {
  const [stopped] = await rows(
    tx,
    sql`update workflows set status = 'cancelled', ended_at = now(), version = version + 1
      where workflow_id = ${workflowId} and status = 'failed' and ended_at is null returning workflow_id`,
  )
  if (!stopped) throw conflict('The workflow is running: wait for its end, or roll it back first')
  await tx.execute(sql`update actions set status = 'skipped', reason = ${`cancelled by ${by}`}
    where workflow_id = ${workflowId} and status = 'pending'`)
  await tx.execute(sql`delete from resource_locks where workflow_id = ${workflowId}`)
  await changed(tx, 'workflows', workflowId)
  await admit(tx)
}
