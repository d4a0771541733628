import type { escalationQuery } from '@innkeeper/contract/qc/conversations'
import type { Escalation } from '@innkeeper/contract/qc/shapes'
import type { Kind } from '@innkeeper/contract/qc/values'
import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Db } from '../../kit/db/db.ts'
import { likeText, pageKeys } from '../../kit/db/page.ts'
import { notFound } from '../../kit/http/errors.ts'
import { qcEscalations } from './tables.ts'
import { readEscalations } from './view.ts'

const e = qcEscalations

type Asked = z.output<z.ZodObject<typeof escalationQuery>>

const order = { column: e.createdAt, type: 'instant', direction: 'DESC' } as const

/** Lists escalations by filters; with `kind`, those of chats or of tickets. */
export async function listEscalations(
  db: Db,
  asked: Pick<Asked, 'page' | 'itemsPerPage'> & Partial<Asked> & { reviewed?: boolean | undefined },
  kind?: Kind,
) {
  const where: SQL[] = []
  if (kind) where.push(sql`${e.kind} = ${kind}`)
  if (asked.reviewed !== undefined)
    where.push(asked.reviewed ? sql`${e.status} = 'reviewed'` : sql`${e.status} <> 'reviewed'`)
  if (asked.status) where.push(sql`${e.status} = any(${sql.param(asked.status)}::text[])`)
  if (asked.priority) where.push(sql`${e.priority} = any(${sql.param(asked.priority)}::text[])`)
  if (asked.assignee) where.push(sql`${e.assigneeId} = any(${sql.param(asked.assignee)}::int[])`)
  if (asked.search) {
    const like = likeText(asked.search)
    // two searches, so that each uses its own index
    where.push(sql`${e.id} in (select s.qc_escalation_id from qc_escalations s where lower(s.reason) like ${like}
      union select s.qc_escalation_id from qc_conversations c join qc_escalations s on s.conversation_id = c.qc_conversation_id
      where lower(c.subject || ' ' || c.customer_name || ' ' || c.customer_email || ' ' || c.external_id) like ${like})`)
  }
  const { ids, ...page } = await pageKeys(db, asked, { from: sql`${e}`, where, key: e.id, order })
  return { items: await readEscalations(db, ids), ...page }
}

/** One escalation. Throws 404 if it is missing, or of another kind. */
export async function readEscalation(db: Db, id: number, kind?: Kind): Promise<Escalation> {
  const [found] = await readEscalations(db, [id])
  if (!found || (kind && found.kind !== kind)) throw notFound('escalation', id)
  return found
}
