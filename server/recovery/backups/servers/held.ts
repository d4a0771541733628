import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { checkVersion } from '../../../kit/http/version.ts'
import { cancelStopped } from '../../../kit/work/cancel.ts'
import { readServer } from './view.ts'

/** Default keep policy. */
export const usualKeep = { last: 3, hourly: 0, daily: 14, weekly: 8, monthly: 12, yearly: 2 }

/** Locks a backup server for a change. */
export async function heldServer({ db, audit }: Context, id: number, version: number | undefined) {
  await db.execute(sql`select 1 from backup_servers where backup_server_id = ${id} for update`)
  const server = await readServer(db, id)
  checkVersion(server, version, server.name)
  audit.before(server)
  if (server.status === 'removing') throw refused(`${server.name} is being removed`)
  return server
}

/** Ends the failed preparation of a backup server, because people have changed how it is reached, or remove it. */
export async function endFailed(db: Db, workflowId: number | null, by: string): Promise<void> {
  if (workflowId === null) return
  const [failed] = await rows<{ id: number }>(
    db,
    sql`select workflow_id as id from workflows where workflow_id = ${workflowId} and status = 'failed' and ended_at is null`,
  )
  if (failed) await cancelStopped(db, failed.id, by)
}
