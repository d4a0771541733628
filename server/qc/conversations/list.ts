import type { conversationQuery } from '@innkeeper/contract/qc/conversations'
import type { Conversation } from '@innkeeper/contract/qc/shapes'
import type { Kind } from '@innkeeper/contract/qc/values'
import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Db } from '../../kit/db/db.ts'
import { likeText, pageKeys } from '../../kit/db/page.ts'
import { qcConversations as c } from './tables.ts'
import { searched } from './terms.ts'
import { readConversations } from './view.ts'

/** Input of the lists of v2. Calls of v1 give a part of it. */
export type Asked = z.output<z.ZodObject<typeof conversationQuery>>

const sorts = {
  lastAt: { column: c.lastAt, type: 'instant', direction: 'DESC' },
  queuedAt: { column: c.queuedAt, type: 'instant', direction: 'ASC' },
  score: { column: c.score, type: 'number', direction: 'ASC' },
  messages: { column: c.messages, type: 'int', direction: 'DESC' },
  reviewedAt: { column: c.reviewedAt, type: 'instant', direction: 'DESC' },
} as const

/** One id is compared with `=`: an index that begins with the column then holds the rows in the order of the list. */
const anyOf = (column: SQL | typeof c.id, values: readonly (string | number)[]) =>
  typeof values[0] === 'number'
    ? values.length === 1
      ? sql`${column} = ${values[0]}`
      : sql`${column} = any(${sql.param([...values])}::int[])`
    : sql`${column} = any(${sql.param([...values])}::text[])`

/** Words of messages: the index of `to_tsvector` finds the conversations. */
const inMessages = (text: string) =>
  sql`${c.id} in (select m.conversation_id from qc_messages m
    where to_tsvector('simple', left(m.body, 20000)) @@ plainto_tsquery('simple', ${text}))`

/** Keys of what somebody has begun or postponed: each part has its index. */
const begunBy = (staffId: number) => sql`select conversation_id from qc_drafts where reviewer_id = ${staffId}
  union select qc_conversation_id from qc_conversations where postponed_by = ${staffId} and postponed_until > now()`

/** Conditions of the filters, for one kind. */
export function conditions(kind: Kind, asked: Partial<Asked>, staffId: number): SQL[] {
  const where: SQL[] = [sql`${c.kind} = ${kind}`]
  const add = (condition: SQL) => where.push(condition)
  if (asked.search) add(sql`${searched} like ${likeText(asked.search)}`)
  if (asked.text) add(inMessages(asked.text))
  if (asked.agent) add(anyOf(sql`${c.agentId}`, asked.agent))
  if (asked.department) add(anyOf(sql`${c.departmentId}`, asked.department))
  if (asked.source) add(anyOf(sql`${c.sourceId}`, asked.source))
  if (asked.tag) add(sql`${c.tagIds} && ${sql.param(asked.tag)}::int[]`)
  if (asked.status) add(anyOf(sql`${c.status}`, asked.status))
  if (asked.queuedBy) add(anyOf(sql`${c.queuedBy}`, asked.queuedBy))
  if (asked.from) add(sql`${c.lastAt} >= ${asked.from}::date`)
  if (asked.to) add(sql`${c.lastAt} < ${asked.to}::date + 1`)
  if (asked.scoreFrom !== undefined) add(sql`${c.score} >= ${asked.scoreFrom}`)
  if (asked.scoreTo !== undefined) add(sql`${c.score} <= ${asked.scoreTo}`)
  if (asked.csat) add(anyOf(sql`${c.csat}`, asked.csat))
  if (asked.messagesFrom !== undefined) add(sql`${c.messages} >= ${asked.messagesFrom}`)
  if (asked.messagesTo !== undefined) add(sql`${c.messages} <= ${asked.messagesTo}`)
  if (asked.mine)
    add(sql`${c.id} in (select qc_conversation_id from qc_conversations where holder_id = ${staffId} and holds_until > now()
      union select qc_conversation_id from qc_conversations where assignee_id = ${staffId} union ${begunBy(staffId)})`)
  if (asked.unfinished) add(sql`${c.status} = 'queued' and ${c.id} in (${begunBy(staffId)})`)
  return where
}

export const isQueued = sql`${c.status} = 'queued'`
/** Also what was never queued: an archive without gaps. */
export const isArchived = sql`${c.status} <> 'queued'`

/** A page of conversations. Sorting by a column without values leaves out rows that have none. */
export async function listConversations(
  db: Db,
  where: SQL[],
  asked: Pick<Asked, 'page' | 'itemsPerPage'> & Partial<Asked>,
): Promise<{ items: Conversation[]; total: number; more?: true; next?: string }> {
  const sort = asked.sort ?? 'lastAt'
  const order = sorts[sort]
  const has = sort === 'lastAt' || sort === 'messages' ? [] : [sql`${order.column} is not null`]
  const source = { from: sql`${c}`, where: [...where, ...has], key: c.id, order }
  const { ids, ...page } = await pageKeys(db, asked, source)
  return { items: await readConversations(db, ids), ...page }
}
