import { kinds } from '@innkeeper/contract/qc/values'
import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Staff } from '../kit/access/sessions.ts'
import { likeText } from '../kit/db/page.ts'
import { mayRead } from './rights.ts'

interface Cases {
  table: PgTable
  id: PgColumn
  /** The text of the case itself. */
  text: PgColumn
  conversationId: PgColumn
}

/**
 * Condition: the text of a case or its conversation contains `search`. A query for each text, so that each uses its own
 * index. Customers are searched only in conversations that the caller may read: a hit would reveal name and address.
 */
export function searchedCases({ table, id, text, conversationId }: Cases, search: string, staff: Staff): SQL {
  const like = likeText(search)
  const readable = kinds.filter((kind) => mayRead(staff, kind))
  const ofConversation = (where: SQL) =>
    sql`union select ${id} from qc_conversations c join ${table} on ${conversationId} = c.qc_conversation_id where ${where}`
  return sql`${id} in (select ${id} from ${table} where lower(${text}) like ${like}
    ${ofConversation(sql`c.kind = any(${sql.param(readable)}::text[])
      and lower(c.subject || ' ' || c.customer_name || ' ' || c.customer_email || ' ' || c.external_id) like ${like}`)}
    ${readable.length < kinds.length ? ofConversation(sql`lower(c.subject || ' ' || c.external_id) like ${like}`) : sql``})`
}
