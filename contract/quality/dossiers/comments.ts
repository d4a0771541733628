import * as z from 'zod'
import { csv, del, filter, get, id, listQuery, pageOf, paging, patch, post } from '../../kit/endpoint.ts'
import { commentFields, talkUpdate } from '../qc/conversations.ts'
import { Comment } from '../qc/shapes.ts'

const base = '/dossier-controller'
const query = {
  ...listQuery(['createdAt']),
  search: filter(z.string().trim().max(100)),
  /** People whose dossiers have the comments. */
  userId: filter(csv(id)),
}
/** The person whose dossier gets the comment; the agent of the conversation by default. */
const userId = id.optional()

/** Comments of dossiers are comments of support quality: one table, one handler. */
export const commentCalls = {
  dossierComments: get('/qa-controller/dossier/:id/comments', 'dossier:comment:read', {
    summary: 'Comments on a dossier, by the id of the person, newest first',
    query: paging(),
    returns: pageOf(Comment),
  }),
  commentDossier: post('/qa-controller/dossier/:id/comments', 'dossier:comment:create', {
    summary: 'Comment on a dossier',
    body: commentFields,
    returns: Comment,
  }),
  chatComments: get(`${base}/chat-comments`, 'dossier:chat-comment:read', {
    summary: 'Comments on chats, by the person whom they are about',
    query: { ...query, chatId: filter(csv(id)) },
    returns: pageOf(Comment),
  }),
  chatComment: get(`${base}/chat-comments/:id`, 'dossier:chat-comment:read', {
    summary: 'One comment on a chat',
    returns: Comment,
  }),
  createChatComment: post(`${base}/chat-comments`, 'dossier:chat-comment:create', {
    summary: 'Comment on a chat in the dossier of its agent',
    body: { chatId: id, userId, ...commentFields },
    returns: Comment,
  }),
  updateChatComment: patch(`${base}/chat-comments/:id`, 'dossier:chat-comment:update', {
    summary: 'Change one’s own comment on a chat',
    body: talkUpdate,
    returns: Comment,
  }),
  removeChatComment: del(`${base}/chat-comments/:id`, 'dossier:chat-comment:delete', {
    summary: 'Delete a comment on a chat',
    status: 204,
  }),
  ticketComments: get(`${base}/ticket-comments`, 'dossier:ticket-comment:read', {
    summary: 'Comments on tickets, by the person whom they are about',
    query: { ...query, ticketId: filter(csv(id)) },
    returns: pageOf(Comment),
  }),
  ticketComment: get(`${base}/ticket-comments/:id`, 'dossier:ticket-comment:read', {
    summary: 'One comment on a ticket',
    returns: Comment,
  }),
  createTicketComment: post(`${base}/ticket-comments`, 'dossier:ticket-comment:create', {
    summary: 'Comment on a ticket in the dossier of its agent',
    body: { ticketId: id, userId, ...commentFields },
    returns: Comment,
  }),
  updateTicketComment: patch(`${base}/ticket-comments/:id`, 'dossier:ticket-comment:update', {
    summary: 'Change one’s own comment on a ticket',
    body: talkUpdate,
    returns: Comment,
  }),
  removeTicketComment: del(`${base}/ticket-comments/:id`, 'dossier:ticket-comment:delete', {
    summary: 'Delete a comment on a ticket',
    status: 204,
  }),
}
