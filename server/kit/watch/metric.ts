import type { SQL } from 'drizzle-orm'

/** A figure of the whole installation that a statement counts. */
export interface Metric {
  name: `innkeeper_${string}`
  help: string
  labels: readonly string[]
  /** Rows with a column for each label and the column `value`. Cheap at a million rows: an index has what is counted. */
  rows: SQL
}
