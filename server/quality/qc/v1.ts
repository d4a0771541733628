import type { Escalation } from '@innkeeper/contract/quality/qc/shapes'
import type { v1Conversations } from '@innkeeper/contract/quality/qc/v1'
import type { v1Cases, v1Talk } from '@innkeeper/contract/quality/qc/v1Cases'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { rows } from '../../kit/db/db.ts'
import { all, contains } from '../../kit/db/page.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../kit/http/errors.ts'
import { clearQueue } from './conversations/clear.ts'
import { isQueued, listConversations } from './conversations/list.ts'
import { readPage } from './conversations/page.ts'
import { refill } from './conversations/refill.ts'
import { qcConversations as c } from './conversations/tables.ts'
import { searched } from './conversations/terms.ts'
import { readConversation } from './conversations/view.ts'
import { listEscalations, readEscalation } from './escalations/list.ts'
import { readEscalations } from './escalations/view.ts'
import { escalate, setStatus, updateEscalation } from './escalations/write.ts'
import { answerFeedback } from './feedback/decide.ts'
import { giveFeedback, listFeedbacks, readFeedback } from './feedback/write.ts'
import { idsOf } from './ids.ts'
import { checkReach, withinReach } from './reach.ts'
import { reviewEscalated } from './reviews/escalated.ts'
import { nextFor } from './reviews/next.ts'
import { submit } from './reviews/submit.ts'
import type { Reading } from './rights.ts'
import { erase, rewrite, write } from './talk/write.ts'

const isChat = sql`${c.kind} = 'chat'`
const isTicket = sql`${c.kind} = 'ticket'`
const isReviewed = sql`${c.status} = 'reviewed'`
const like = (term: string) => contains(searched, term)
/** Renames the field `sortBy` of v1 to `sort` of v2. */
const sorted = <S extends string, T extends { sortBy?: S | undefined }>({ sortBy: sort, ...input }: T) => ({
  ...input,
  sort,
})

/** A list of the conversations that the reader reaches. */
const listIn = async (reading: Reading, where: SQL[], asked: Parameters<typeof listConversations>[2]) =>
  listConversations(reading.db, [...where, ...(await withinReach(reading))], asked)

export const v1ConversationHandlers: Handlers<typeof v1Conversations> = {
  chats: (input, context) => listIn(context, [isChat], sorted(input)),
  reviewedChats: (input, context) => listIn(context, [isChat, isReviewed], sorted(input)),
  unreviewedChats: (input, context) => listIn(context, [isChat, isQueued], sorted(input)),
  searchChats: ({ term, ...input }, context) => listIn(context, [isChat, like(term)], sorted(input)),
  chat: ({ id }, context) => readPage(context, id, 'chat'),
  reviewChat: ({ id, ...input }, context) => submit(context, 'chat', id, input),

  async lastChat(_, { db, staff }) {
    const reach = all([sql`true`, ...(await withinReach({ db, staff }))])
    const [open] = await rows<{ id: number }>(
      db,
      sql`select id from (
          select qc_conversation_id as id, holds_until as at from qc_conversations
            where holder_id = ${staff.id} and holds_until > now() and kind = 'chat' and status = 'queued' and ${reach}
          union all select qc_conversation_id, d.saved_at from qc_drafts d join qc_conversations on qc_conversation_id = d.conversation_id
            where d.reviewer_id = ${staff.id} and kind = 'chat' and status = 'queued' and ${reach}
              and (holder_id = ${staff.id} or holds_until is null or holds_until <= now())
              and (postponed_by = ${staff.id} or postponed_until is null or postponed_until <= now())
        ) as own order by at desc limit 1`,
    )
    const id = open?.id ?? (await nextFor({ db, staff }, 'chat', 0))
    return { chat: id === null ? null : await readConversation(db, id, 'chat') }
  },

  async chatsOfUser({ email, ...input }, { db, staff }) {
    const agent = await agentOf(db, email, staff.id)
    return listIn({ db, staff }, [isChat, sql`${c.agentId} = ${agent}`], sorted(input))
  },

  async unreviewedOfAgent({ email, reviewedIds = [] }, { db, staff }) {
    const agent = await agentOf(db, email, staff.id)
    const where = [isChat, sql`${c.agentId} = ${agent}`, sql`${c.status} in ('queued', 'imported')`]
    const rest = sql`not (${c.id} = any(${sql.param(reviewedIds)}::int[]))`
    const { items, total } = await listIn({ db, staff }, [...where, rest], { page: 1, itemsPerPage: 200 })
    return { items, total }
  },

  async syncChats(_, { db }) {
    const queued = await refill(db, 'chat')
    if (queued === undefined) throw conflict('Chats are already being queued')
    return { queued }
  },

  clearChats: ({ timestamp, isDryRun = false }, { db, now }) => clearQueue(db, timeOf(timestamp, now), isDryRun),

  ticketList({ reviewed, ...input }, context) {
    const state = reviewed === undefined ? [] : [reviewed ? isReviewed : sql`not (${isReviewed})`]
    return listIn(context, [isTicket, ...state], sorted(input))
  },
  async unreviewedTickets({ id, ...input }, context) {
    const [agent] = await rows(context.db, sql`select from users where user_id = ${id}`)
    if (!agent) throw notFound('user', id)
    return listIn(context, [isTicket, sql`${c.agentId} = ${id}`, sql`not (${isReviewed})`], sorted(input))
  },
  searchTickets: ({ text, ...input }, context) => listIn(context, [isTicket, like(text)], sorted(input)),
  ticket: ({ id }, context) => readPage(context, id, 'ticket'),
  reviewTicket: ({ id, ...input }, context) => submit(context, 'ticket', id, input),
}

/** Throws 422 if the review of an escalation names another conversation than that of the escalation. */
function refuseOther({ kind, conversationId }: Escalation, chatId?: number | null, ticketId?: number | null) {
  for (const [named, field, of] of [
    [chatId, 'chatId', 'chat'],
    [ticketId, 'ticketId', 'ticket'],
  ] as const)
    if (named && (of !== kind || named !== conversationId))
      throw refused(`The escalation is about ${kind} ${conversationId}`, {
        [field]: `Is about ${kind} ${conversationId}`,
      })
}

/** ISO 8601, or seconds or milliseconds since 1970: numbers beyond the year 5138 in seconds are milliseconds. */
function timeOf(timestamp: string | number | undefined, now: Date): Date {
  if (timestamp === undefined) return now
  if (typeof timestamp === 'string') return new Date(timestamp)
  return new Date(timestamp > 100_000_000_000 ? timestamp : timestamp * 1000)
}

/** The agent with an email address, 0 for none; without an address the caller. */
async function agentOf(db: Db, email: string | undefined, staffId: number): Promise<number> {
  if (!email) return staffId
  const [found] = await rows<{ id: number }>(
    db,
    sql`select user_id as id from users where lower(email) = lower(${email}) order by deleted_at nulls first limit 1`,
  )
  return found?.id ?? 0
}

export const v1TalkHandlers: Handlers<typeof v1Talk> = {
  noteChat: ({ id, noteData: text, notifyUsers }, context) =>
    write(context, { type: 'note', subject: 'conversation', kind: 'chat', id, text, notifyUsers }),
  noteTicket: ({ id, noteData: text, notifyUsers }, context) =>
    write(context, { type: 'note', subject: 'conversation', kind: 'ticket', id, text, notifyUsers }),
  updateNote: ({ id, ...change }, context) => rewrite(context, 'note', id, change),
  removeNote: ({ id }, context) => erase(context, 'note', id),
  commentChat: ({ id, commentData: text, notifyUsers }, context) =>
    write(context, { type: 'comment', subject: 'conversation', kind: 'chat', id, text, notifyUsers }),
  commentMessage: ({ id, commentData: text, notifyUsers }, context) =>
    write(context, { type: 'comment', subject: 'message', kind: 'chat', id, text, notifyUsers }),
  commentTicket: ({ id, commentData: text, notifyUsers }, context) =>
    write(context, { type: 'comment', subject: 'conversation', kind: 'ticket', id, text, notifyUsers }),
  commentReply: ({ id, commentData: text, notifyUsers }, context) =>
    write(context, { type: 'comment', subject: 'message', kind: 'ticket', id, text, notifyUsers }),
  updateComment: ({ id, ...change }, context) => rewrite(context, 'comment', id, change),
  removeComment: ({ id }, context) => erase(context, 'comment', id),
}

export const v1CaseHandlers: Handlers<typeof v1Cases> = {
  escalateChat: ({ id, ...fields }, context) => escalate(context, 'chat', id, fields),
  escalateTicket: ({ id, ...fields }, context) => escalate(context, 'ticket', id, fields),
  escalations: (input, context) => listEscalations(context, sorted(input)),
  searchEscalations: ({ term: search, ...input }, context) => listEscalations(context, { ...sorted(input), search }),
  async escalationOfResource({ id }, { db, staff }) {
    await readConversation(db, id)
    await checkReach({ db, staff }, id)
    const ids = await idsOf(db, 'qc_escalations', 'qc_escalation_id', sql`conversation_id = ${id}`)
    const items = await readEscalations({ db, staff }, ids.reverse())
    return { items, total: items.length }
  },
  escalation: ({ id }, context) => readEscalation(context, id),

  /** With `reviewData` the call reviews the conversation and closes the escalation. */
  async updateEscalation({ id, version, reviewData, chatId, ticketId, ...fields }, context) {
    const escalation = await updateEscalation(context, id, fields, version)
    refuseOther(escalation, chatId, ticketId)
    if (!reviewData) return escalation
    await reviewEscalated(context, escalation, reviewData)
    return setStatus(context, id, 'reviewed')
  },
  escalationStatus: ({ id, status, version }, context) => setStatus(context, id, status, { version }),

  feedbackOnChat: ({ id, ...fields }, context) => giveFeedback(context, 'chat', id, fields),
  feedbackOnTicket: ({ id, ...fields }, context) => giveFeedback(context, 'ticket', id, fields),
  feedbacks: (input, context) => listFeedbacks(context, sorted(input)),
  searchFeedbacks: ({ text: search, ...input }, context) => listFeedbacks(context, { ...sorted(input), search }),
  async feedbacksOfUser({ id, ...input }, context) {
    const [user] = await rows(context.db, sql`select from users where user_id = ${id}`)
    if (!user) throw notFound('user', id)
    return listFeedbacks(context, { ...input, agent: [id] })
  },
  feedback: ({ id }, context) => readFeedback(context, id),
  feedbackStatus: ({ id, ...answer }, context) => answerFeedback(context, id, answer),
}
