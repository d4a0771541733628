import * as z from 'zod'
import {
  csv,
  del,
  filter,
  get,
  id,
  instant,
  line,
  listQuery,
  pageOf,
  patch,
  post,
  version,
  whole,
} from '../../kit/endpoint.ts'
import {
  Comment,
  Conversation,
  ConversationPage,
  Escalation,
  Feedback,
  FrozenType,
  Review,
  ReviewEdit,
} from './shapes.ts'
import {
  day,
  escalationStatus,
  feedbackOrigin,
  feedbackStatus,
  feedbackType,
  flag,
  type Kind,
  outcome,
  population,
  priority,
  prose,
  someProse,
  status,
} from './values.ts'

/** Filters of the lists of chats and tickets. Keys of the other kind (`ticket…`, `chat…`) are ignored. */
export const conversationFilters = {
  search: filter(z.string().trim().max(200)),
  /** Words that all occur in messages of the conversation. */
  text: filter(z.string().trim().max(200)),
  agent: filter(csv(id)),
  department: filter(csv(id)),
  tag: filter(csv(id)),
  source: filter(csv(id)),
  status: filter(csv(status)),
  queuedBy: filter(csv(population)),
  from: filter(day),
  to: filter(day),
  scoreFrom: filter(whole(0, 100)),
  scoreTo: filter(whole(0, 100)),
  csat: filter(csv(whole(0, 10))),
  /** Rules of automatic checks, of which the conversation failed one; needs `qa:check:read`. */
  failed: filter(csv(id)),
  /** Conversations that failed any automatic check. */
  anyFailed: filter(z.enum(['true'])),
  messagesFrom: filter(whole(0, 100_000)),
  messagesTo: filter(whole(0, 100_000)),
  /** Items that the caller leases, has begun, has postponed or is assigned to. */
  mine: filter(z.enum(['true'])),
  /** Reviews that the caller has begun or postponed and not submitted. */
  unfinished: filter(z.enum(['true'])),
}
const sorts = ['lastAt', 'queuedAt', 'score', 'messages', 'reviewedAt', 'failedChecks'] as const
export const conversationQuery = { ...listQuery(sorts), ...conversationFilters }
/** v1 names the sort column `sortBy`. */
export const v1Query = {
  page: conversationQuery.page,
  itemsPerPage: conversationQuery.itemsPerPage,
  after: conversationQuery.after,
  sortBy: filter(z.enum(sorts)),
  direction: conversationQuery.direction,
}
export const conversationPage = pageOf(Conversation).extend({
  /**
   * Number of searched conversations if the words of `text` are too common to search all: the first that match the
   * other filters.
   */
  searched: z.int().optional(),
})

const score = z.object({
  scoreTypeId: id,
  /** Null: N/A. Absent in a draft: not graded yet. */
  gradeId: id.nullable().optional(),
  comment: prose(4000).optional(),
  /** Ids of messages. */
  evidence: z.array(id).max(100).optional(),
  /** The agent whom the score concerns; absent: all agents of the review. */
  agentId: id.optional(),
})
export const reviewData = z.object({
  scores: z.array(score).max(200).optional(),
  tags: z.array(id).max(50).optional(),
  comment: prose(10_000).optional(),
  /** Why people are graded who did not write in the conversation; required for them. */
  agentReason: prose(500).optional(),
  /** For a draft: the agents under review. */
  agents: z
    .array(z.object({ id, name: line(200) }))
    .max(20)
    .optional(),
})
export type ReviewData = z.output<typeof reviewData>

export const reviewFields = {
  /** Staff ids. Absent: the agent with the most messages. */
  agents: z.array(id).max(20).optional(),
  /** True: notifies the agents, only once. */
  sendStats: flag.optional(),
  /** Keeps the draft and postpones the review: `true` for the number of days in the settings, or until a time. */
  reviewLater: z.union([flag, instant]).optional(),
  data: reviewData.optional(),
  /** True: takes the lease of the next item in the same step, so that two reviewers never open the same one. */
  takeNext: flag.optional(),
}
/** Answer of a submission: the reviews; empty if the review was postponed. */
export const Submitted = z.object({
  reviews: z.array(Review),
  /** The next item of the queue for the caller. */
  nextId: z.int().nullable(),
})

const text = z.union([someProse(10_000), z.object({ content: someProse(10_000) })])
const notifyUsers = z.array(id).max(50).optional()
export const commentFields = { commentData: text, notifyUsers }
export const noteFields = { noteData: text, notifyUsers }
export const talkUpdate = { content: someProse(10_000), notifyUsers, version }

export const escalationFields = {
  agents: z.array(id).max(20).optional(),
  escalationDTO: z
    .object({
      reason: line(200).optional(),
      description: prose(10_000).optional(),
      priority: priority.optional(),
      assigneeId: id.nullable().optional(),
      dueAt: instant.nullable().optional(),
    })
    .optional(),
}
export const escalationQuery = {
  ...listQuery(['createdAt']),
  search: filter(z.string().trim().max(200)),
  status: filter(csv(escalationStatus)),
  priority: filter(csv(priority)),
  assignee: filter(csv(id)),
  /** Open escalations whose date has passed. */
  overdue: filter(z.enum(['true'])),
}
export const escalationPage = pageOf(Escalation)

/** What a dispute asks for: other scores, or that the review is about somebody else who wrote in the conversation. */
export const proposal = z.object({
  agentId: id.optional(),
  scores: z
    .array(z.object({ scoreTypeId: id, gradeId: id.nullable() }))
    .max(200)
    .optional(),
})

export const feedbackFields = {
  feedback: someProse(10_000),
  /** Id of the review under discussion. */
  review: id.optional(),
  type: feedbackType.optional(),
  origin: feedbackOrigin.optional(),
}
export const feedbackAnswer = {
  status: feedbackStatus,
  outcome: outcome.optional(),
  answer: prose(10_000).optional(),
  version,
}
export const feedbackQuery = {
  ...listQuery(['createdAt']),
  search: filter(z.string().trim().max(200)),
  status: filter(csv(feedbackStatus)),
  type: filter(csv(feedbackType)),
  /** Disputes whose deadline has passed. */
  overdue: filter(z.enum(['true'])),
  agent: filter(csv(id)),
}
export const feedbackPage = pageOf(Feedback)

/** Id of the conversation in a body; chats and tickets use different names. */
const target = { chatId: id.optional(), ticketId: id.optional() }

interface Nouns {
  kind: Kind
  /** `chats` or `tickets` in paths. */
  noun: 'chats' | 'tickets'
  /** `messages` or `replies`. */
  messages: 'messages' | 'replies'
}

/** Calls of v2 for one kind. */
export const conversationCalls = <const B extends string, const F extends Nouns>(
  base: B,
  { kind, noun, messages }: F,
) => {
  const items: `${B}/${F['noun']}` = `${base}/${noun}`
  const lines: `${B}/${F['messages']}` = `${base}/${messages}`
  return {
    archive: get(`${items}/archive`, `qa:${kind}:read`, {
      summary: 'Conversations that are in no queue, newest first',
      query: conversationQuery,
      returns: conversationPage,
    }),
    queue: get(`${items}/queue`, `qa:${kind}:read`, {
      summary: 'Conversations that wait for a review',
      query: conversationQuery,
      returns: conversationPage,
    }),
    one: get(`${items}/:id`, `qa:${kind}:read`, {
      summary: 'One conversation with messages, reviews, comments, escalations and feedback',
      returns: ConversationPage,
    }),
    lease: post(`${items}/:id/lease`, `qa:${kind}:review`, {
      summary: 'Take or renew the lease, which prevents reviews of the item by others',
      unfinished: true,
      status: 200,
      returns: Conversation,
    }),
    release: del(`${items}/:id/lease`, `qa:${kind}:review`, {
      summary: 'Release the lease',
      unfinished: true,
      status: 204,
    }),
    next: get(`${items}/:id/next`, `qa:${kind}:review`, {
      summary: 'The next item of the queue for the caller after this one, as a submission will answer',
      returns: z.object({ nextId: z.int().nullable() }),
    }),
    saveDraft: patch(`${items}/:id/draft`, `qa:${kind}:review`, {
      summary: 'Save the unfinished review of the caller',
      unfinished: true,
      body: { data: reviewData },
      status: 204,
    }),
    assign: patch(`${items}/:id/assignee`, 'qa:manager:access', {
      summary: 'Assign the review to somebody, with a reason',
      body: { assigneeId: id.nullable(), reason: line(200).optional(), version },
      returns: Conversation,
    }),
    enqueue: post(`${items}/:id/queue`, 'qa:manager:access', {
      summary: 'Put a conversation into the queue by hand',
      status: 200,
      returns: Conversation,
    }),
    submit: post(`${base}/reviews`, `qa:${kind}:review`, {
      summary: 'Submit a review, or postpone it',
      body: { ...target, ...reviewFields },
      returns: Submitted,
    }),
    updateReview: patch(`${base}/reviews/:id`, `qa:${kind}:review-update`, {
      summary: 'Change a review; the former version is kept',
      body: { sendStats: flag.optional(), data: reviewData.optional(), version },
      returns: Review,
    }),
    reviewEdits: get(`${base}/reviews/:id/edits`, `qa:${kind}:read`, {
      summary: 'Former versions of a submitted review, and the rubric for another change',
      returns: z.object({ items: z.array(ReviewEdit), rubric: z.array(FrozenType) }),
    }),
    removeReview: del(`${base}/reviews/:id`, `qa:${kind}:review-delete`, {
      summary: 'Hide a review. A conversation without other reviews returns to the queue if it came from there',
      body: { version },
      status: 204,
    }),
    restoreReview: post(`${base}/reviews/:id/restore`, `qa:${kind}:review-restore`, {
      summary: 'Restore a deleted review with its scores, comments, feedback and the dispute that its deletion closed',
      body: { version },
      status: 200,
      returns: Review,
    }),
    tag: post(`${items}/:id/tags`, `qa:${kind}:tag`, {
      summary: 'Set the tags of a conversation',
      body: { tags: z.array(id).max(50) },
      status: 200,
      returns: Conversation,
    }),
    comment: post(`${items}/:id/comments`, 'qa:comment:create', {
      summary: 'Comment on a conversation',
      body: commentFields,
      returns: Comment,
    }),
    commentMessage: post(`${lines}/:id/comments`, 'qa:comment:create', {
      summary: 'Comment on a message',
      body: commentFields,
      returns: Comment,
    }),
    commentReview: post(`${base}/reviews/:id/comments`, 'qa:comment:create', {
      summary: 'Comment on a review',
      body: commentFields,
      returns: Comment,
    }),
    commentFeedback: post(`${base}/feedbacks/:id/comments`, 'qa:comment:create', {
      summary: 'Comment on feedback',
      body: commentFields,
      returns: Comment,
    }),
    updateComment: patch(`${base}/comments/:id`, 'qa:comment:update', {
      summary: 'Change one’s own comment; the former version is kept',
      body: talkUpdate,
      returns: Comment,
    }),
    removeComment: del(`${base}/comments/:id`, 'qa:comment:delete', { summary: 'Delete a comment', status: 204 }),
    note: post(`${items}/:id/notes`, 'qa:note:create', {
      summary: 'Add a note to a conversation',
      body: noteFields,
      returns: Comment,
    }),
    updateNote: patch(`${base}/notes/:noteId`, 'qa:note:update', {
      summary: 'Change one’s own note',
      body: talkUpdate,
      returns: Comment,
    }),
    removeNote: del(`${base}/notes/:noteId`, 'qa:note:delete', { summary: 'Delete a note', status: 204 }),
    escalate: post(`${base}/escalations`, 'qa:escalation:create', {
      summary: 'Escalate a conversation',
      body: { ...target, ...escalationFields },
      returns: Escalation,
    }),
    escalations: get(`${base}/escalations`, 'qa:escalation:read', {
      summary: 'Escalations',
      query: escalationQuery,
      returns: escalationPage,
    }),
    escalation: get(`${base}/escalations/:id`, 'qa:escalation:read', {
      summary: 'One escalation',
      returns: Escalation,
    }),
    escalationStatus: patch(`${base}/escalations/:id/status`, 'qa:escalation:status', {
      summary: 'Change the status of an escalation',
      body: { status: escalationStatus, version },
      returns: Escalation,
    }),
    escalationReviews: get(`${base}/escalations/:id/reviews`, 'qa:escalation:read', {
      summary: 'Reviews of the escalated conversation',
      returns: z.object({ items: z.array(Review), total: z.int() }),
    }),
    giveFeedback: post(`${base}/feedbacks`, 'qa:feedback:create', {
      summary: 'Give feedback on a review, or on a conversation',
      body: { ...target, ...feedbackFields },
      returns: Feedback,
    }),
    updateFeedback: patch(`${base}/feedbacks/:id`, 'qa:feedback:update', {
      summary: 'Change feedback',
      body: { feedback: feedbackFields.feedback.optional(), version },
      returns: Feedback,
    }),
    feedbackStatus: patch(`${base}/feedbacks/:id/status`, 'qa:feedback:status', {
      summary: 'Answer feedback, or decide a dispute',
      body: feedbackAnswer,
      returns: Feedback,
    }),
    feedbacks: get(`${base}/feedbacks`, 'qa:feedback:read', {
      summary: 'Feedback',
      query: feedbackQuery,
      returns: feedbackPage,
    }),
    feedback: get(`${base}/feedbacks/:id`, 'qa:feedback:read', { summary: 'One feedback', returns: Feedback }),
  }
}

export const qcChats = conversationCalls('/chat-controller-v2', { kind: 'chat', noun: 'chats', messages: 'messages' })
