import { sql } from 'drizzle-orm'
import { conflict } from './errors.ts'

/** Columns that every change of a versioned row sets. */
export const nextVersion = { version: sql`version + 1`, updatedAt: sql`now()` }

/**
 * Throws a 409 with the stored row if the caller saw an older version. The caller has locked the row. `subject` is the
 * start of the message, for example `shop.example`. A call without a version overwrites the row.
 */
export function checkVersion(row: { version: number }, version: number | undefined, subject: string): void {
  if (version !== undefined && version !== row.version)
    throw conflict(`${subject} was changed by somebody else meanwhile`, { current: row })
}
