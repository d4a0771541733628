import { kinds } from '@innkeeper/contract/quality/qc/values'
import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { users } from '../../../access/users/tables.ts'
import { identity, instant, stored } from '../../../kit/db/columns.ts'
import { qcConversations } from '../conversations/tables.ts'
import type { FrozenScore } from '../reviews/score.ts'

/** Sessions in which several people review one conversation blind. Their scores are not part of any statistics. */
export const qcCalibrations = pgTable(
  'qc_calibrations',
  {
    id: identity('qc_calibration_id'),
    conversationId: integer()
      .notNull()
      .references(() => qcConversations.id),
    kind: text({ enum: kinds }).notNull(),
    title: text().notNull(),
    /** When the session was closed. While it is open and a review is missing, nobody sees the scores of others. */
    closedAt: instant(),
    dueAt: instant(),
    /** The date of which people were reminded after it had passed. */
    remindedFor: instant(),
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
    /** Null while the invited person has not submitted. */
    submittedAt: instant(),
    comment: text().notNull().default(''),
    scores: jsonb().$type<FrozenScore[]>().notNull().default([]),
  },
  (t) => [
    primaryKey({ columns: [t.calibrationId, t.reviewerId] }),
    index('qc_calibration_reviews_of_reviewer').on(t.reviewerId),
  ],
)
