import { endings, feedbackOrigins, feedbackStatuses, feedbackTypes, kinds } from '@innkeeper/contract/quality/qc/values'
import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { users } from '../../../access/users/tables.ts'
import { identity, instant, stored } from '../../../kit/db/columns.ts'
import { qcConversations } from '../conversations/tables.ts'
import { qcReviews } from '../reviews/tables.ts'

/** What a dispute asks for, with the names of that time. */
export interface Proposed {
  agentId: number | null
  scores: { typeId: number; typeName: string; gradeId: number | null; gradeName: string | null }[]
}

/** Feedback on a conversation or a review. A dispute is feedback of the reviewed agent that ends with an outcome. */
export const qcFeedbacks = pgTable(
  'qc_feedbacks',
  {
    id: identity('qc_feedback_id'),
    kind: text({ enum: kinds }).notNull(),
    conversationId: integer()
      .notNull()
      .references(() => qcConversations.id),
    reviewId: integer().references(() => qcReviews.id),
    /** The agent whom the feedback is about. */
    agentId: integer().references(() => users.id),
    type: text({ enum: feedbackTypes }).notNull().default('feedback'),
    origin: text({ enum: feedbackOrigins }).notNull().default('reviewer'),
    content: text().notNull(),
    status: text({ enum: feedbackStatuses }).notNull().default('open'),
    outcome: text({ enum: endings }),
    answer: text().notNull().default(''),
    /** Changes of the review that a dispute asks for. */
    proposes: jsonb().$type<Proposed>(),
    /** Deadline for the decision of a dispute. */
    dueAt: instant(),
    /** The date of which people were reminded after it had passed. */
    remindedFor: instant(),
    answeredAt: instant(),
    answeredBy: integer(),
    ...stored(),
  },
  (t) => [
    index('qc_feedbacks_created').on(t.createdAt, t.id),
    index('qc_feedbacks_open').on(t.createdAt, t.id).where(sql`${t.status} in ('open', 'in-progress')`),
    index('qc_feedbacks_of_review').on(t.reviewId),
    uniqueIndex('qc_feedbacks_dispute')
      .on(t.reviewId)
      .where(sql`${t.type} = 'dispute' and ${t.status} in ('open', 'in-progress')`),
    index('qc_feedbacks_search').using('gin', sql`lower(${t.content}) gin_trgm_ops`),
    index('qc_feedbacks_of_kind').on(t.kind, t.createdAt, t.id),
    index('qc_feedbacks_agent').on(t.agentId, t.createdAt, t.id),
    index('qc_feedbacks_of_conversation').on(t.conversationId),
  ],
)
