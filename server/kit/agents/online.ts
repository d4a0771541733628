import { sql } from 'drizzle-orm'

/** Seconds since the last heartbeat of a server: online up to ONLINE_S, stale up to STALE_S, then offline. */
export const ONLINE_S = 15
export const STALE_S = 90

/** The moment in SQL before which the last heartbeat of an offline server was. */
export const offlineBefore = sql.raw(`now() - interval '${STALE_S} seconds'`)
