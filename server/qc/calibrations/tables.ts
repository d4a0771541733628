import { kinds } from '@innkeeper/contract/qc/values'
import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { identity, instant, stored } from '../../kit/db/columns.ts'
import { users } from '../../users/tables.ts'
import { qcConversations } from '../conversations/tables.ts'
import type { FrozenScore } from '../reviews/score.ts'

/** Several people review one conversation blind. Nothing of it enters `qc_reviews`, and so no statistics. */
export const qcCalibrations = pgTable(
  'qc_calibrations',
  {
    id: identity('qc_calibration_id'),
    conversationId: integer()
      .notNull()
      .references(() => qcConversations.id),
    kind: text({ enum: kinds }).notNull(),
    title: text().notNull(),
    /** Until everybody has submitted, or until somebody closes it, nobody sees the scores of the others. */
    closedAt: instant(),
    dueAt: instant(),
    ...stored(),
  },
  (t) => [
    index('qc_calibrations_created').on(t.createdAt, t.id),
    index('qc_calibrations_of_conversation').on(t.conversationId),
  ],
)

export const qcCalibrationReviews = pgTable(
  'qc_calibration_reviews',
  {
    calibrationId: integer()
      .notNull()
      .references(() => qcCalibrations.id),
    reviewerId: integer()
      .notNull()
      .references(() => users.id),
    /** Null: invited, not submitted yet. */
    submittedAt: instant(),
    comment: text().notNull().default(''),
    scores: jsonb().$type<FrozenScore[]>().notNull().default([]),
  },
  (t) => [
    primaryKey({ columns: [t.calibrationId, t.reviewerId] }),
    index('qc_calibration_reviews_of_reviewer').on(t.reviewerId),
  ],
)
