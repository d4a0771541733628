import { sql } from 'drizzle-orm'

/** An action that a roll back reached before its turn. Actions that people left out or skipped say so in their reason. */
export const neverBegun = sql`attempt = 0 and (reason like 'rolled back%' or reason like 'cancelled%')`
