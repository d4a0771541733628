import type { SQL } from 'drizzle-orm'

/** Rows of a table that are deleted once they are old enough. */
export interface Retention {
  table: string
  /** Condition on a row of the table, which an index answers. */
  old: SQL
}
