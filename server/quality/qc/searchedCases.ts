import { kinds } from '@innkeeper/contract/quality/qc/values'
import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Staff } from '../../kit/access/sessions.ts'
import { isAmong } from '../../kit/db/byIds.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { contains } from '../../kit/db/page.ts'
import { qcConversations as c } from './conversations/tables.ts'
import { searched } from './conversations/terms.ts'
import { mayRead } from './rights.ts'

interface Cases {
  table: PgTable
  id: PgColumn
  /** The text of the case itself. */
  text: PgColumn
  conversationId: PgColumn
}

/** Maximum number of matches that a search collects before the list is read. */
const COLLECTED = 5000
/** Limit of the count if there are more matches: the count then looks up the conversation of each case. */
const COUNTED = 500

/**
 * Condition: the text of a case or its conversation contains `search`. PostgreSQL uses the index of each text only in a
 * query of its own, so that two queries collect the matches. If there are too many, the condition checks each case in the
 * order of the list, and `bound` limits the count.
 * Subject and customer are searched only in conversations that the caller may read: a hit would reveal them.
 */
export async function searchedCases(
  db: Db,
  staff: Staff,
  { table, id, text, conversationId }: Cases,
  search: string,
): Promise<{ condition: SQL; bound?: number }> {
  const readable = kinds.filter((kind) => mayRead(staff, kind))
  const hasText = contains(text, search)
  const isShown = sql`${c.kind} = any(${sql.param(readable)}::text[]) or ${contains(c.externalId, search)}`
  const isFound = sql`${contains(searched, search)} ${readable.length < kinds.length ? sql`and (${isShown})` : sql``}`
  const found = await rows<{ id: number }>(
    db,
    sql`(select ${id} as id from ${table} where ${hasText} limit ${COLLECTED + 1})
      union (select ${id} from ${c} join ${table} on ${conversationId} = ${c.id} where ${isFound} limit ${COLLECTED + 1})`,
  )
  const ids = found.map((one) => one.id)
  if (ids.length <= COLLECTED) return { condition: isAmong(id, ids) }
  // not `exists`, for which PostgreSQL reads the matches of all conversations first
  const isOfConversation = sql`(select ${isFound} from ${c} where ${c.id} = ${conversationId})`
  return { condition: sql`(${hasText} or ${isOfConversation})`, bound: COUNTED }
}
