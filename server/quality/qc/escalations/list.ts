import type { escalationQuery } from '@innkeeper/contract/quality/qc/conversations'
import type { Escalation } from '@innkeeper/contract/quality/qc/shapes'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { pageKeys } from '../../../kit/db/page.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { ofReach } from '../reach.ts'
import type { Reading } from '../rights.ts'
import { searchedCases } from '../searchedCases.ts'
import { qcEscalations } from './tables.ts'
import { readEscalations } from './view.ts'

const e = qcEscalations

type Asked = z.output<z.ZodObject<typeof escalationQuery>>

const cases = { table: e, id: e.id, text: e.reason, conversationId: e.conversationId }
const order = { column: e.createdAt, type: 'instant', direction: 'DESC' } as const

/** Lists escalations by filters; with `kind`, those of chats or of tickets. */
export async function listEscalations(
  { db, staff }: Reading,
  asked: Pick<Asked, 'page' | 'itemsPerPage'> & Partial<Asked> & { reviewed?: boolean | undefined },
  kind?: Kind,
) {
  const where: SQL[] = await ofReach({ db, staff }, sql`${e.conversationId}`)
  if (kind) where.push(sql`${e.kind} = ${kind}`)
  if (asked.reviewed !== undefined)
    where.push(asked.reviewed ? sql`${e.status} = 'reviewed'` : sql`${e.status} <> 'reviewed'`)
  if (asked.status) where.push(sql`${e.status} = any(${sql.param(asked.status)}::text[])`)
  if (asked.priority) where.push(sql`${e.priority} = any(${sql.param(asked.priority)}::text[])`)
  if (asked.overdue) where.push(sql`${e.status} in ('open', 'in-progress') and ${e.dueAt} < now()`)
  if (asked.assignee) where.push(sql`${e.assigneeId} = any(${sql.param(asked.assignee)}::int[])`)
  const { condition, ...bound } = asked.search ? await searchedCases(db, staff, cases, asked.search) : {}
  if (condition) where.push(condition)
  const { ids, ...page } = await pageKeys(db, asked, { from: sql`${e}`, where, key: e.id, order, ...bound })
  return { items: await readEscalations({ db, staff }, ids), ...page }
}

/** One escalation. Throws 404 if it is missing, or of another kind. */
export async function readEscalation(reading: Reading, id: number, kind?: Kind): Promise<Escalation> {
  const [found] = await readEscalations(reading, [id])
  if (!found || (kind && found.kind !== kind)) throw notFound('escalation', id)
  return found
}
