import { holds } from '@innkeeper/contract/kit/access'
import type { conversationQuery } from '@innkeeper/contract/quality/qc/conversations'
import type { Conversation } from '@innkeeper/contract/quality/qc/shapes'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Db } from '../../../kit/db/db.ts'
import { all, contains, pageKeys } from '../../../kit/db/page.ts'
import { outOfReach } from '../../../kit/http/errors.ts'
import { beginOf, endOf } from '../../../planning/calendar/dayBounds.ts'
import { timeZoneOf } from '../../../planning/calendar/places.ts'
import { withinReach } from '../reach.ts'
import type { Reading } from '../rights.ts'
import { qcConversations as c } from './tables.ts'
import { searched } from './terms.ts'
import { readConversations } from './view.ts'
import { findWords } from './words.ts'

/** Input of the lists of API v2. The calls of v1 pass a part of this input. */
export type Asked = z.output<z.ZodObject<typeof conversationQuery>>

const sorts = {
  lastAt: { column: c.lastAt, type: 'instant', direction: 'DESC' },
  queuedAt: { column: c.queuedAt, type: 'instant', direction: 'ASC' },
  score: { column: c.score, type: 'number', direction: 'ASC' },
  messages: { column: c.messages, type: 'int', direction: 'DESC' },
  reviewedAt: { column: c.reviewedAt, type: 'instant', direction: 'DESC' },
  failedChecks: { column: sql`x.failed_count`, type: 'int', direction: 'DESC' },
} as const

/** Compares a single id with `=`, so that an index beginning with the column returns rows in the order of the list. */
const anyOf = (column: SQL | typeof c.id, values: readonly (string | number)[]) =>
  typeof values[0] === 'number'
    ? values.length === 1
      ? sql`${column} = ${values[0]}`
      : sql`${column} = any(${sql.param([...values])}::int[])`
    : sql`${column} = any(${sql.param([...values])}::text[])`

/** Ids of conversations that a person has begun to review or postponed. Each part of the union uses its own index. */
const begunBy = (staffId: number) => sql`select conversation_id from qc_drafts where reviewer_id = ${staffId}
  union select qc_conversation_id from qc_conversations where postponed_by = ${staffId} and postponed_until > now()`

/** Conditions of the filters, for one kind, except for the words in messages (`text`). */
export async function conditions(reading: Reading, kind: Kind, asked: Partial<Asked>): Promise<SQL[]> {
  const { db, staff } = reading
  const { id: staffId } = staff
  const where: SQL[] = [sql`${c.kind} = ${kind}`, ...(await withinReach(reading))]
  const add = (condition: SQL) => where.push(condition)
  if (asked.search) add(contains(searched, asked.search))
  if (asked.agent) add(anyOf(sql`${c.agentId}`, asked.agent))
  if (asked.department) add(anyOf(sql`${c.departmentId}`, asked.department))
  if (asked.source) add(anyOf(sql`${c.sourceId}`, asked.source))
  if (asked.tag) add(sql`${c.tagIds} && ${sql.param(asked.tag)}::int[]`)
  if (asked.status) add(anyOf(sql`${c.status}`, asked.status))
  if (asked.queuedBy) add(anyOf(sql`${c.queuedBy}`, asked.queuedBy))
  if (asked.from) add(sql`${c.lastAt} >= ${beginOf(asked.from, await timeZoneOf(db))}`)
  if (asked.to) add(sql`${c.lastAt} < ${endOf(asked.to, await timeZoneOf(db))}`)
  if (asked.scoreFrom !== undefined) add(sql`${c.score} >= ${asked.scoreFrom}`)
  if (asked.scoreTo !== undefined) add(sql`${c.score} <= ${asked.scoreTo}`)
  if (asked.csat) add(anyOf(sql`${c.csat}`, asked.csat))
  if (asked.messagesFrom !== undefined) add(sql`${c.messages} >= ${asked.messagesFrom}`)
  if (asked.messagesTo !== undefined) add(sql`${c.messages} <= ${asked.messagesTo}`)
  if (asked.failed) {
    if (!holds(staff, 'qa:check:read')) throw outOfReach('You may not read automatic checks')
    add(sql`x.failed && ${sql.param(asked.failed)}::int[]`)
  }
  if (asked.mine)
    add(sql`${c.id} in (select qc_conversation_id from qc_conversations where holder_id = ${staffId} and holds_until > now()
      union select qc_conversation_id from qc_conversations where assignee_id = ${staffId} union ${begunBy(staffId)})`)
  if (asked.unfinished) add(sql`${c.status} = 'queued' and ${c.id} in (${begunBy(staffId)})`)
  return where
}

/** Whether a list is of conversations that failed checks: it joins them as `x`. */
const byChecks = ({ failed, anyFailed, sort }: Partial<Asked>) =>
  failed !== undefined || anyFailed !== undefined || sort === 'failedChecks'

/** A count visits each match twice, in the checks and in the conversations: 1,000 of them take 7 ms. */
const BOUND_OF_CHECKED = 1000

/** Conversations with their automatic checks, in whose index the kind comes first: a page is read in its order. */
const withChecks = sql`${c} join qc_check_results x on x.conversation_id = ${c.id} and x.kind = ${c.kind}`

export const isQueued = sql`${c.status} = 'queued'`
/** Everything outside the queue is archived, including conversations that were never queued. */
export const isArchived = sql`${c.status} <> 'queued'`

interface Page {
  items: Conversation[]
  total: number
  more?: true
  next?: string
  searched?: number
}

type Listed = Pick<Asked, 'page' | 'itemsPerPage'> & Partial<Asked>

/** A page of conversations. Leaves out rows whose sort column is empty. */
export async function listConversations(db: Db, where: SQL[], asked: Listed): Promise<Page> {
  const { order, from, all: conditions, counted } = ordered(where, asked)
  const source = { from, where: conditions, key: c.id, order }
  const few = byChecks(asked) ? { bound: BOUND_OF_CHECKED, counted } : {}
  const { ids, ...page } = await pageKeys(db, asked, { ...source, ...few })
  return { items: await readConversations(db, ids), ...page }
}

/**
 * A page of the conversations of one kind with the words of `asked.text` in their messages. `searched`: number of
 * searched conversations if the words are too common to search all: the first of the filter in the order of the list.
 */
export async function listWithWords(db: Db, kind: Kind, where: SQL[], asked: Listed): Promise<Page> {
  if (!asked.text) return listConversations(db, where, asked)
  const { order, from, all: conditions } = ordered(where, asked)
  const direction = sql.raw(asked.direction ?? order.direction)
  const filtered = sql`select ${c.id} as id from ${from} where ${all(conditions)}
    order by ${order.column} ${direction}, ${c.id} ${direction}`
  const { ids, ...found } = await findWords(db, kind, asked.text, filtered)
  // a subquery over the ids is planned well for few and for many of them, also by a plan that is prepared for any values
  const among = sql`${c.id} in (select unnest(${sql.param(ids)}::int[]))`
  return { ...(await listConversations(db, [...where, among], asked)), ...found }
}

/** The order of a list, and its conditions with the condition that the sort column has a value. */
function ordered(where: SQL[], asked: Partial<Asked>) {
  const { sort = 'lastAt', failed } = asked
  const order = sorts[sort]
  const has =
    sort === 'lastAt' || sort === 'messages' || sort === 'failedChecks' ? [] : [sql`${order.column} is not null`]
  const valued = [...where, ...has]
  if (!byChecks(asked)) return { order, from: sql`${c}`, all: valued, counted: valued }
  // failed rules imply it: only the order by it needs it then
  const any = sql`x.failed_count > 0`
  const counted = failed ? valued : [...valued, any]
  return { order, from: withChecks, all: failed && sort === 'failedChecks' ? [...counted, any] : counted, counted }
}
