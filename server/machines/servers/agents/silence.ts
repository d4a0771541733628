import { sql } from 'drizzle-orm'
import { ONLINE_S, STALE_S } from '../../../kit/agents/online.ts'
import type { App } from '../../../kit/app/app.ts'
import { rows } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import { notifyOffline } from './outage.ts'

/** Milliseconds between two rounds of `noticeSilence`. */
export const SILENCE_MS = 2000

/**
 * Refreshes the screens that show a server when its agent stops reporting, and notifies people of servers that stay
 * silent. `runningMs`: how long this worker has run. A new worker waits before it notifies, because heartbeats were
 * missed while no node was running.
 */
export async function noticeSilence({ db }: App, runningMs: number): Promise<void> {
  const within = (s: number) =>
    sql`last_seen_at between now() - make_interval(secs => ${s + SILENCE_MS / 1000 + 1}) and now() - make_interval(secs => ${s})`
  const silent = await rows<{ id: number }>(
    db,
    sql`select server_id as id from server_states where ${within(ONLINE_S)} or ${within(STALE_S)}`,
  )
  for (const { id } of silent) await changed(db, 'servers', id)
  if (silent.length) await changed(db, 'workflows')
  if (runningMs > STALE_S * 1000) await notifyOffline(db)
}
