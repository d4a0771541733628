import { sql } from 'drizzle-orm'
import { conflict } from './errors.ts'

/** Columns that every change of a versioned row sets. */
export const risen = { version: sql`version + 1`, updatedAt: sql`now()` }

/**
 * Throws 409 with the stored row where the caller saw an older version. Call it with the row locked. `subject` begins the
 * message: `shop.example`. A call without a version overwrites.
 */
export function checkVersion(row: { version: number }, version: number | undefined, subject: string): void {
  if (version !== undefined && version !== row.version)
    throw conflict(`${subject} was changed by somebody else meanwhile`, { current: row })
}
