import type { SmsBatch } from '@innkeeper/contract/desk/sms/calls'
import { sql } from 'drizzle-orm'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import { isoOf } from '../../../kit/db/columns.ts'
import type { Db } from '../../../kit/db/db.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { personNameText } from '../../../kit/db/people.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { amount } from '../settings.ts'

type Moment = string | Date
type Times = 'createdAt' | 'sendAt' | 'expandedAt' | 'acknowledgedAt' | 'escalatedAt'
type Row = Omit<SmsBatch, Times | 'cost'> & { createdAt: Moment; cost: number | null } & {
  [T in Exclude<Times, 'createdAt'>]: Moment | null
}

const name = (id: string) => sql.raw(`(select ${personNameText()} from users where user_id = ${id})`)

const select = rowsByIds<Row>(
  (
    isWanted,
  ) => sql`select b.sms_batch_id as id, b.created_at as "createdAt", b.kind, b.body, b.template_name as "templateName",
      b.send_at as "sendAt", coalesce(b.expanded_at, b.cancelled_at) as "expandedAt", b.link,
      ${name('b.acknowledged_by')} as "acknowledgedBy", b.acknowledged_at as "acknowledgedAt", b.escalated_at as "escalatedAt",
      ${name('b.created_by')} as by, n.counts, n.segments, n.cost
    from sms_batches b cross join lateral (select json_build_object(
        'queued', count(*) filter (where status = 'queued'), 'sent', count(*) filter (where status = 'sent'),
        'delivered', count(*) filter (where status = 'delivered'), 'undelivered', count(*) filter (where status = 'undelivered'),
        'failed', count(*) filter (where status = 'failed'), 'cancelled', count(*) filter (where status = 'cancelled')) as counts,
        coalesce(sum(segments) filter (where status <> 'cancelled'), 0)::int as segments,
        (sum(cost) filter (where status <> 'cancelled'))::float8 as cost
      from sms_messages m where m.sms_batch_id = b.sms_batch_id) n
    where ${isWanted(sql`b.sms_batch_id`)}`,
)

const at = (moment: Moment | null) => moment && isoOf(moment)

export async function readBatches(db: Db, ids: number[]): Promise<SmsBatch[]> {
  const found = inOrder(ids, await select(db, ids))
  return found.map((row) => ({
    ...row,
    createdAt: isoOf(row.createdAt),
    sendAt: at(row.sendAt),
    expandedAt: at(row.expandedAt),
    acknowledgedAt: at(row.acknowledgedAt),
    escalatedAt: at(row.escalatedAt),
    cost: amount(row.cost),
  }))
}

export async function readBatch(db: Db, id: number): Promise<SmsBatch> {
  const [batch] = await readBatches(db, [id])
  if (!batch) throw notFound('send', id)
  return batch
}
