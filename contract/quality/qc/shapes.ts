import * as z from 'zod'
import { instant, stored } from '../../kit/endpoint.ts'
import { ConversationChecks } from './checks.ts'
import {
  colour,
  ending,
  escalationStatus,
  feedbackOrigin,
  feedbackStatus,
  feedbackType,
  kind,
  population,
  priority,
  status,
} from './values.ts'

export const Person = z.object({ id: z.int(), name: z.string() })
export type Person = z.output<typeof Person>
const someone = Person.nullable()

/** A chat or a ticket in a list. */
export const Conversation = z.object({
  ...stored,
  kind,
  externalId: z.string(),
  sourceName: z.string(),
  subject: z.string(),
  customerName: z.string(),
  customerEmail: z.string(),
  /** The agent with the most messages. */
  agent: someone,
  agents: z.array(Person),
  departmentName: z.string().nullable(),
  startedAt: instant,
  lastAt: instant,
  messages: z.int(),
  csat: z.int().nullable(),
  /** Number of automatic checks that the conversation failed; null before the first check. */
  failedChecks: z.int().nullable(),
  tags: z.array(z.object({ id: z.int(), name: z.string(), colour })),
  status,
  queuedAt: instant.nullable(),
  queuedBy: population.nullable(),
  /** Who leases the item, and until when nobody else may review it. */
  holder: someone,
  holdsUntil: instant.nullable(),
  assignee: someone,
  assignReason: z.string().nullable(),
  postponedBy: someone,
  postponedUntil: instant.nullable(),
  /** Mean of its reviews, 0 to 100. */
  score: z.number().nullable(),
  reviewedAt: instant.nullable(),
  reviewer: someone,
  /** People who have begun a review. */
  drafts: z.array(Person),
  /** The last message that the reviews cover, if the customer or an agent wrote again afterwards. */
  reopenedSince: instant.nullable(),
  /** When the customer’s data was removed. */
  redactedAt: instant.nullable(),
  /**
   * Id in the source of the item that this item was merged into. `mergedIntoId` is the id in Innkeeper, once imported.
   */
  mergedInto: z.string().nullable(),
  mergedIntoId: z.int().nullable(),
  goneAt: instant.nullable(),
})
export type Conversation = z.output<typeof Conversation>

export const Message = z.object({
  id: z.int(),
  at: instant,
  kind: z.enum(['message', 'note', 'event']),
  role: z.enum(['agent', 'customer', 'bot', 'system']),
  author: z.string(),
  userId: z.int().nullable(),
  body: z.string(),
  editedAt: instant.nullable(),
  removedAt: instant.nullable(),
  files: z.array(z.object({ name: z.string(), size: z.int(), url: z.string() })),
})
export type Message = z.output<typeof Message>

/** A score with the name, weight and value of the time when it was given. */
export const Score = z.object({
  typeId: z.int(),
  typeName: z.string(),
  weight: z.int(),
  isCritical: z.boolean(),
  /** Null: N/A. */
  gradeId: z.int().nullable(),
  gradeName: z.string().nullable(),
  value: z.int().nullable(),
  comment: z.string(),
  evidence: z.array(z.int()),
})

export const Review = z.object({
  ...stored,
  conversationId: z.int(),
  kind,
  agent: Person,
  reviewer: Person,
  population,
  /** A second review covers only messages after this time. */
  since: instant.nullable(),
  /** Why somebody is graded who did not write in the conversation; empty for those who did. */
  agentReason: z.string(),
  /** Null: every score is N/A. */
  score: z.number().nullable(),
  isFailed: z.boolean(),
  comment: z.string(),
  tagIds: z.array(z.int()),
  submittedAt: instant,
  statsSentAt: instant.nullable(),
  scores: z.array(Score),
  /** Number of changes after the submission. */
  edits: z.int(),
  deletedAt: instant.nullable(),
})
export type Review = z.output<typeof Review>

/** A change of a submitted review, as text. */
export const ReviewEdit = z.object({
  id: z.int(),
  at: instant,
  by: Person,
  changes: z.array(z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
})
export type ReviewEdit = z.output<typeof ReviewEdit>

/**
 * Score types of a review with the grades that a change may choose. Name, weight and values are those of the review.
 */
export const FrozenType = z.object({
  ...{ id: z.int(), name: z.string(), weight: z.int(), isCritical: z.boolean(), mayBeNA: z.boolean() },
  grades: z.array(z.object({ id: z.int(), name: z.string(), value: z.int(), needsComment: z.boolean() })),
})

/** A comment or a note of staff. */
export const Comment = z.object({
  ...stored,
  type: z.enum(['comment', 'note']),
  subject: z.enum(['conversation', 'message', 'review', 'feedback', 'dossier']),
  subjectId: z.int(),
  conversationId: z.int().nullable(),
  conversationKind: kind.nullable(),
  /** The person whose dossier shows the comment. */
  about: someone,
  content: z.string(),
  author: Person,
  mentions: z.array(z.int()),
  editedAt: instant.nullable(),
})
export type Comment = z.output<typeof Comment>

export const Escalation = z.object({
  ...stored,
  kind,
  conversationId: z.int(),
  externalId: z.string(),
  subject: z.string(),
  agents: z.array(Person),
  reason: z.string(),
  description: z.string(),
  priority,
  status: escalationStatus,
  assignee: someone,
  dueAt: instant.nullable(),
  createdBy: Person,
  reviewedAt: instant.nullable(),
  reviewedBy: someone,
})
export type Escalation = z.output<typeof Escalation>

export const Feedback = z.object({
  ...stored,
  kind,
  conversationId: z.int(),
  externalId: z.string(),
  subject: z.string(),
  reviewId: z.int().nullable(),
  agent: someone,
  type: feedbackType,
  origin: feedbackOrigin,
  content: z.string(),
  status: feedbackStatus,
  outcome: ending.nullable(),
  answer: z.string(),
  /** Changes that the dispute asks for; accepting the dispute makes them. */
  proposes: z
    .object({
      agent: someone,
      scores: z.array(
        z.object({
          typeId: z.int(),
          typeName: z.string(),
          gradeId: z.int().nullable(),
          gradeName: z.string().nullable(),
          /** The grade that the review has now; null: N/A. */
          presentName: z.string().nullable(),
        }),
      ),
    })
    .nullable(),
  /** Deadline for the decision of a dispute. */
  dueAt: instant.nullable(),
  createdBy: Person,
  answeredAt: instant.nullable(),
  answeredBy: someone,
})
export type Feedback = z.output<typeof Feedback>

/** An unfinished review as the reviewer left it. */
export const Draft = z.object({
  scores: z.array(
    z.object({
      scoreTypeId: z.int(),
      gradeId: z.int().nullable().optional(),
      comment: z.string(),
      evidence: z.array(z.int()),
      agentId: z.int().optional(),
    }),
  ),
  tags: z.array(z.int()),
  comment: z.string(),
  agentReason: z.string().optional(),
  /** Agents under review, if somebody has chosen them. */
  agents: z.array(Person).optional(),
})
export type Draft = z.output<typeof Draft>

/** A conversation with its messages, and everything that staff wrote about it. */
export const ConversationPage = z.object({
  ...Conversation.shape,
  /** The first 5,000 messages. */
  items: z.array(Message),
  reviews: z.array(Review),
  /** Empty for readers who may not restore reviews. */
  deletedReviews: z.array(Review),
  comments: z.array(Comment),
  escalations: z.array(Escalation),
  feedbacks: z.array(Feedback),
  draft: Draft.nullable(),
  /** Results of automatic checks; null before the first check, and for readers who may not see them. */
  checks: ConversationChecks.nullable(),
})
export type ConversationPage = z.output<typeof ConversationPage>
