import { sql } from 'drizzle-orm'

/** Seconds since the last heartbeat of a server: online up to ONLINE_S, stale up to STALE_S, then offline. */
export const ONLINE_S = 15
export const STALE_S = 90

/** A server is offline if its last heartbeat was before this moment (SQL). */
export const offlineBefore = sql.raw(`now() - interval '${STALE_S} seconds'`)
