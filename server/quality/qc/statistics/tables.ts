import { date, pgTable, text, uuid } from 'drizzle-orm/pg-core'

/**
 * The reviews of past days, packed as columns of numbers (`day.ts`). A change of a review deletes the row of its day.
 */
export const qcReviewDays = pgTable('qc_review_days', {
  day: date().primaryKey(),
  /** Time zone in which the day begins and ends. A row of another zone than the organisation's is not read. */
  timeZone: text().notNull().default('UTC'),
  /** Changes with the content, so that a process can tell whether its cached day is current. */
  version: uuid().notNull().defaultRandom(),
  columns: text().notNull(),
})
