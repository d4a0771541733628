import * as z from 'zod'
import { del, get, id, patch, post, version } from '../../kit/endpoint.ts'
import {
  commentFields,
  escalationFields,
  escalationPage,
  feedbackAnswer,
  feedbackFields,
  feedbackPage,
  noteFields,
  reviewData,
  talkUpdate,
} from './conversations.ts'
import { Comment, Escalation, Feedback } from './shapes.ts'
import { escalations, feedbacks, sortBy, v1 } from './v1.ts'
import { escalationStatus, flag } from './values.ts'

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
  removeNote: del(`${v1}/notes/:id`, 'qa:note:delete', {
    summary: 'Delete a note; older clients send its words along',
    body: { content: talkUpdate.content.optional(), notifyUsers: talkUpdate.notifyUsers },
    status: 204,
  }),
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
