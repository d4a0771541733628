import { kinds, populations } from '@innkeeper/contract/quality/qc/values'
import { sql } from 'drizzle-orm'
import {
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { users } from '../../../access/users/tables.ts'
import { deletable, identity, instant, stored } from '../../../kit/db/columns.ts'
import { qcConversations } from '../conversations/tables.ts'

const conversation = () =>
  integer()
    .notNull()
    .references(() => qcConversations.id)
const who = () =>
  integer()
    .notNull()
    .references(() => users.id)

/** One review of one agent in one conversation. */
export const qcReviews = pgTable(
  'qc_reviews',
  {
    id: identity('qc_review_id'),
    conversationId: conversation(),
    kind: text({ enum: kinds }).notNull(),
    agentId: who(),
    reviewerId: who(),
    /** Department of the agent on the day of the conversation. */
    departmentId: integer(),
    population: text({ enum: populations }).notNull(),
    /** 0 to 100; null if every score is N/A. */
    score: doublePrecision(),
    /** A critical type was graded 0. */
    isFailed: boolean().notNull().default(false),
    /** A second review of the agent covers only messages after this time. */
    since: instant(),
    /** Why somebody is graded who did not write in the conversation. */
    agentReason: text().notNull().default(''),
    comment: text().notNull().default(''),
    tagIds: integer().array().notNull().default(sql`'{}'`),
    submittedAt: instant().notNull(),
    /** When the review became worse, came to its agent or was restored: from then on it may be disputed anew. */
    disputableFrom: instant(),
    /** The agent was notified once; a second submission does not notify again. */
    statsSentAt: instant(),
    ...stored(),
    ...deletable(),
  },
  (t) => {
    const live = sql`${t.deletedAt} is null`
    return [
      uniqueIndex('qc_reviews_unique_part')
        .on(t.conversationId, t.agentId, sql`coalesce(${t.since}, '-infinity'::timestamptz)`)
        .where(live),
      index('qc_reviews_of_conversation').on(t.conversationId),
      index('qc_reviews_submitted').on(t.submittedAt, t.id).where(live),
      index('qc_reviews_deleted').on(t.submittedAt, t.id).where(sql`${t.deletedAt} is not null`),
      index('qc_reviews_agent').on(t.agentId, t.submittedAt, t.id).where(live),
      index('qc_reviews_reviewer').on(t.reviewerId, t.submittedAt, t.id).where(live),
    ]
  },
)

/** The frozen scores of a review: names, weights and values at the time of the review. */
export const qcScores = pgTable(
  'qc_scores',
  {
    reviewId: integer()
      .notNull()
      .references(() => qcReviews.id),
    typeId: integer().notNull(),
    typeName: text().notNull(),
    weight: integer().notNull(),
    isCritical: boolean().notNull(),
    /** Null for N/A. */
    gradeId: integer(),
    gradeName: text(),
    value: integer(),
    comment: text().notNull().default(''),
    /** Ids of messages that justify the score. */
    evidence: integer().array().notNull().default(sql`'{}'`),
    position: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.reviewId, t.typeId] }),
    index('qc_scores_type').on(t.typeId),
    index('qc_scores_grade').on(t.gradeId),
  ],
)

/** Former versions of edited reviews. */
export const qcReviewEdits = pgTable(
  'qc_review_edits',
  {
    id: identity('qc_review_edit_id'),
    reviewId: integer()
      .notNull()
      .references(() => qcReviews.id),
    at: instant().notNull().default(sql`now()`),
    by: integer().notNull(),
    before: jsonb().notNull(),
  },
  (t) => [index('qc_review_edits_of_review').on(t.reviewId)],
)

/** An unfinished review, saved while it is written. */
export const qcDrafts = pgTable(
  'qc_drafts',
  {
    conversationId: conversation(),
    reviewerId: who(),
    content: jsonb().notNull(),
    savedAt: instant().notNull().default(sql`now()`),
  },
  (t) => [
    primaryKey({ columns: [t.conversationId, t.reviewerId] }),
    index('qc_drafts_of_reviewer').on(t.reviewerId, t.savedAt),
  ],
)
