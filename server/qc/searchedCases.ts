import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { likeText } from '../kit/db/page.ts'

interface Cases {
  table: PgTable
  id: PgColumn
  /** The text of the case itself. */
  text: PgColumn
  conversationId: PgColumn
}

/** Condition: the text of a case or its conversation contains `search`. Two queries, so that each uses its own index. */
export function searchedCases({ table, id, text, conversationId }: Cases, search: string): SQL {
  const like = likeText(search)
  return sql`${id} in (select ${id} from ${table} where lower(${text}) like ${like}
    union select ${id} from qc_conversations c join ${table} on ${conversationId} = c.qc_conversation_id
    where lower(c.subject || ' ' || c.customer_name || ' ' || c.customer_email || ' ' || c.external_id) like ${like})`
}
