import { date, pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** The reviews of a past day as columns of numbers (`day.ts`). A change of a review removes its day. */
export const qcReviewDays = pgTable('qc_review_days', {
  day: date().primaryKey(),
  /** Changes with the content, so that a process knows what it has read. */
  version: uuid().notNull().defaultRandom(),
  columns: text().notNull(),
})
