/** Seconds since the last heartbeat: online until the first, stale until the second, then offline. */
export const ONLINE_S = 15
export const STALE_S = 90
