import { sql } from 'drizzle-orm'
import { type Db, rows } from '../db/db.ts'
import { lockWorkflows } from './claim.ts'
import { advance } from './workflow.ts'

export interface Abandoned {
  id: number
  /** `failed` stops the workflow; with `skipped` it continues. */
  status: 'failed' | 'skipped'
  reason: string
}

/** Ends actions that nobody has carried out. A late answer of their agents changes nothing. Returns their number. */
export async function abandon(db: Db, all: Abandoned[]): Promise<number> {
  if (!all.length) return 0
  return db.transaction(async (tx) => {
    const workflows = await lockWorkflows(
      tx,
      all.map(({ id }) => id),
    )
    const ended = await rows(
      tx,
      sql`update actions a set status = n.status, reason = n.reason, lease_until = null, ended_at = now()
        from jsonb_to_recordset(${JSON.stringify(all)}::jsonb) n(id bigint, status text, reason text)
        where a.action_id = n.id and a.status in ('ready', 'running', 'unknown') returning a.action_id`,
    )
    await advance(tx, workflows)
    return ended.length
  })
}
