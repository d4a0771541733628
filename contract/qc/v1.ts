import * as z from 'zod'
import { del, get, id, instant, patch, post, version, whole } from '../kit.ts'
import {
  commentFields,
  conversationPage,
  escalationFields,
  escalationPage,
  escalationQuery,
  feedbackAnswer,
  feedbackFields,
  feedbackPage,
  feedbackQuery,
  noteFields,
  reviewData,
  reviewFields,
  Submitted,
  talkUpdate,
  v1Query,
} from './conversations.ts'
import { Comment, Conversation, ConversationPage, Escalation, Feedback } from './shapes.ts'
import { escalationStatus, flag } from './values.ts'

const v1 = '/qa-controller'
const listed = z.object({ items: z.array(Conversation), total: z.int() })
const { sort: _, direction, ...escalations } = escalationQuery
const { sort: __, ...feedbacks } = feedbackQuery
const sortBy = { sortBy: escalationQuery.sort, direction }

/** Chats and tickets under the first set of paths (v1); v2 has the same data. */
export const v1Conversations = {
  chats: get(`${v1}/chat`, 'qa:chat:read', { summary: 'Chats', query: v1Query, returns: conversationPage }),
  lastChat: get(`${v1}/chat/last`, 'qa:chat:read', {
    summary: 'The chat that the caller opened or drafted last, or else the next chat of the queue',
    returns: z.object({ chat: Conversation.nullable() }),
  }),
  reviewedChats: get(`${v1}/chat/reviewed`, 'qa:chat:read', {
    summary: 'Reviewed chats',
    query: v1Query,
    returns: conversationPage,
  }),
  unreviewedChats: get(`${v1}/chat/unreviewed`, 'qa:chat:read', {
    summary: 'Chats that wait for a review',
    query: v1Query,
    returns: conversationPage,
  }),
  chatsOfUser: get(`${v1}/chat/user`, 'qa:chat:read', {
    summary: 'Chats of the agent with this email address, or of the caller',
    query: { email: z.string().trim().max(200).optional(), ...v1Query },
    returns: conversationPage,
  }),
  searchChats: get(`${v1}/chat/search/:term`, 'qa:chat:read', {
    summary: 'Chats by subject, customer or id',
    params: { term: z.string().min(1).max(200) },
    query: v1Query,
    returns: conversationPage,
  }),
  chat: get(`${v1}/chat/:id`, 'qa:chat:read', { summary: 'One chat', returns: ConversationPage }),
  reviewChat: patch(`${v1}/chat/:id`, 'qa:chat:review', {
    summary: 'Submit the review of a chat, or postpone it',
    body: reviewFields,
    returns: Submitted,
  }),
  syncChats: post(`${v1}/chat/sync`, 'qa:chat:sync', {
    summary: 'Queue imported chats by the queue settings now',
    status: 200,
    returns: z.object({ queued: z.int() }),
  }),
  clearChats: post(`${v1}/chat/clear`, 'qa:chat-queue:clear', {
    summary: 'Clear the queue of chats that ended before a time. A dry run only lists these chats',
    body: {
      /** ISO 8601, or seconds or milliseconds since 1970. Absent: now. */
      timestamp: z.union([instant, whole(0, 100_000_000_000_000)]).optional(),
      isDryRun: flag.optional(),
    },
    status: 200,
    returns: z.object({
      isDryRun: z.boolean(),
      cleared: z.array(z.int()),
      kept: z.array(z.object({ id: z.int(), reason: z.string() })),
    }),
  }),
  unreviewedOfAgent: post(`${v1}/chat/unreviewed`, 'qa:chat:read', {
    summary: 'Unreviewed chats of an agent, without those of reviewedIds',
    body: { email: z.string().trim().max(200).optional(), reviewedIds: z.array(id).max(1000).optional() },
    effect: 'read',
    status: 200,
    returns: listed,
  }),
  ticketList: get(`${v1}/tickets`, 'qa:ticket:read', {
    summary: 'Tickets, reviewed or not',
    query: { reviewed: flag.optional(), ...v1Query },
    returns: conversationPage,
  }),
  unreviewedTickets: get(`${v1}/tickets/unreviewed/:id`, 'qa:ticket:read', {
    summary: 'Tickets of an agent that nobody has reviewed',
    query: v1Query,
    returns: conversationPage,
  }),
  searchTickets: get(`${v1}/tickets/search/:text`, 'qa:ticket:read', {
    summary: 'Tickets by subject, customer or id',
    params: { text: z.string().min(1).max(200) },
    query: v1Query,
    returns: conversationPage,
  }),
  ticket: get(`${v1}/tickets/:id`, 'qa:ticket:read', { summary: 'One ticket', returns: ConversationPage }),
  reviewTicket: patch(`${v1}/tickets/:id`, 'qa:ticket:review', {
    summary: 'Submit the review of a ticket',
    body: reviewFields,
    returns: Submitted,
  }),
}

const commentOn = <const N extends string>(noun: N, what: string) =>
  post(`${v1}/${noun}/:id/comments`, 'qa:comment:create', {
    summary: `Comment on ${what}`,
    body: commentFields,
    returns: Comment,
  })
const noteOn = <const N extends string>(noun: N) =>
  post(`${v1}/${noun}/:id/notes`, 'qa:note:create', {
    summary: `Add a note to a ${noun}`,
    body: noteFields,
    returns: Comment,
  })

export const v1Talk = {
  noteChat: noteOn('chat'),
  noteTicket: noteOn('ticket'),
  updateNote: patch(`${v1}/notes/:id`, 'qa:note:update', {
    summary: 'Change one’s own note',
    body: talkUpdate,
    returns: Comment,
  }),
  removeNote: del(`${v1}/notes/:id`, 'qa:note:delete', { summary: 'Delete a note', status: 204 }),
  commentChat: commentOn('chat', 'a chat'),
  commentMessage: commentOn('message', 'a message of a chat'),
  commentTicket: commentOn('ticket', 'a ticket'),
  commentReply: commentOn('reply', 'a reply of a ticket'),
  updateComment: patch(`${v1}/comments/:id`, 'qa:comment:update', {
    summary: 'Change one’s own comment',
    body: talkUpdate,
    returns: Comment,
  }),
  removeComment: del(`${v1}/comments/:id`, 'qa:comment:delete', { summary: 'Delete a comment', status: 204 }),
}

const escalate = <const K extends 'chat' | 'ticket'>(kind: K) =>
  post(`${v1}/escalation/${kind}/:id`, 'qa:escalation:create', {
    summary: `Escalate a ${kind}`,
    body: escalationFields,
    returns: Escalation,
  })
const giveFeedback = <const K extends 'chat' | 'ticket'>(kind: K) =>
  post(`${v1}/feedback/${kind}/:id`, 'qa:feedback:create', {
    summary: `Give feedback on a ${kind}`,
    body: feedbackFields,
    returns: Feedback,
  })

export const v1Cases = {
  escalateChat: escalate('chat'),
  escalateTicket: escalate('ticket'),
  escalations: get(`${v1}/escalation`, 'qa:escalation:read', {
    summary: 'Escalations',
    query: { reviewed: flag.optional(), ...escalations, ...sortBy },
    returns: escalationPage,
  }),
  searchEscalations: get(`${v1}/escalation/search/:term`, 'qa:escalation:read', {
    summary: 'Escalations by reason, or by subject or id of the conversation',
    params: { term: z.string().min(1).max(200) },
    query: { page: escalations.page, itemsPerPage: escalations.itemsPerPage, after: escalations.after, ...sortBy },
    returns: escalationPage,
  }),
  escalationOfResource: get(`${v1}/escalation/resource/:id`, 'qa:escalation:read', {
    summary: 'Escalations of a chat or a ticket, newest first',
    returns: z.object({ items: z.array(Escalation), total: z.int() }),
  }),
  escalation: get(`${v1}/escalation/:id`, 'qa:escalation:read', { summary: 'One escalation', returns: Escalation }),
  updateEscalation: patch(`${v1}/escalation/:id`, 'qa:escalation:update', {
    summary: 'Change an escalation, or review it with reviewData',
    body: {
      ...escalationFields,
      /** Other clients send both, one of them null. The escalation must belong to that conversation. */
      chatId: id.nullish(),
      ticketId: id.nullish(),
      reviewData: reviewData
        .omit({ agents: true })
        .extend({ agents: z.array(id).max(20).optional() })
        .optional(),
      version,
    },
    returns: Escalation,
  }),
  escalationStatus: patch(`${v1}/escalation/:id/status`, 'qa:escalation:status', {
    summary: 'Change the status of an escalation',
    body: { status: escalationStatus, version },
    returns: Escalation,
  }),
  feedbackOnChat: giveFeedback('chat'),
  feedbackOnTicket: giveFeedback('ticket'),
  feedbacks: get(`${v1}/feedback`, 'qa:feedback:read', {
    summary: 'Feedback',
    query: { ...feedbacks, ...sortBy },
    returns: feedbackPage,
  }),
  searchFeedbacks: get(`${v1}/feedback/search/:text`, 'qa:feedback:read', {
    summary: 'Feedback by its text, or by subject or id of the conversation',
    params: { text: z.string().min(1).max(200) },
    query: { page: feedbacks.page, itemsPerPage: feedbacks.itemsPerPage, after: feedbacks.after, ...sortBy },
    returns: feedbackPage,
  }),
  feedbacksOfUser: get(`${v1}/feedback/user/:id`, 'qa:feedback:read', {
    summary: 'Feedback about an agent',
    query: { page: feedbacks.page, itemsPerPage: feedbacks.itemsPerPage, after: feedbacks.after },
    returns: feedbackPage,
  }),
  feedback: get(`${v1}/feedback/:id`, 'qa:feedback:read', { summary: 'One feedback', returns: Feedback }),
  feedbackStatus: patch(`${v1}/feedback/:id`, 'qa:feedback:status', {
    summary: 'Answer feedback, or decide a dispute',
    body: feedbackAnswer,
    returns: Feedback,
  }),
}
