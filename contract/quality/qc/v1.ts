import * as z from 'zod'
import { get, id, instant, patch, post, whole } from '../../kit/endpoint.ts'
import { conversationPage, escalationQuery, feedbackQuery, reviewFields, Submitted, v1Query } from './conversations.ts'
import { Conversation, ConversationPage } from './shapes.ts'
import { flag } from './values.ts'

export const v1 = '/qa-controller'
const listed = z.object({ items: z.array(Conversation), total: z.int() })
export const { sort: _, direction, ...escalations } = escalationQuery
export const { sort: __, ...feedbacks } = feedbackQuery
export const sortBy = { sortBy: escalationQuery.sort, direction }

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
