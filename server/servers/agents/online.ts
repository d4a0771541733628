/** Seconds since the last heartbeat: online up to ONLINE_S, stale up to STALE_S, then offline. */
export const ONLINE_S = 15
export const STALE_S = 90
