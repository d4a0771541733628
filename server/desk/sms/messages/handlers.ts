import type { sms as contract } from '@innkeeper/contract/desk/sms/calls'
import { holds } from '@innkeeper/contract/kit/access'
import { type SQL, sql } from 'drizzle-orm'
import { rows } from '../../../kit/db/db.ts'
import { contains, pageKeys } from '../../../kit/db/page.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { conflict, notFound } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { acknowledgeAlert } from '../alerts/acknowledge.ts'
import { NO_REPORT } from '../reports.ts'
import { smsBatches, smsMessages } from '../tables.ts'
import { readBatch, readBatches } from './batches.ts'
import { actsOn, findMessage, readMessages } from './view.ts'

type Calls = 'messages' | 'message' | 'cancelMessage' | 'batches' | 'cancelBatch' | 'acknowledge'

const m = smsMessages
const b = smsBatches
const newest = { column: m.createdAt, type: 'instant', direction: 'DESC' } as const
const CANCELLED = sql`status = 'cancelled', ended_at = now(), version = version + 1`
/** A message that is being submitted to the gateway cannot be cancelled. */
const waits = sql`status = 'queued' and claimed_at is null`

export const messageHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async messages(input, { db, staff }) {
    const where: SQL[] = [sql`true`]
    if (input.status) where.push(sql`${m.status} = any(${sql.param(input.status)}::text[])`)
    if (input.kind) where.push(sql`${m.kind} = any(${sql.param(input.kind)}::text[])`)
    if (input.report) where.push(sql`${m.status} = 'sent' and ${m.errorCode} = ${NO_REPORT}`)
    if (input.batchId) where.push(sql`${m.batchId} = ${input.batchId}`)
    if (input.userId) where.push(sql`${m.userId} = any(${sql.param(input.userId)}::int[])`)
    if (input.search) {
      where.push(contains(sql`${m.number} || ' ' || ${m.body}`, input.search))
      // without the permission, a search must not find hidden digits either
      if (!holds(staff, 'employee:profile:read'))
        where.push(sql`(${m.userId} is null or ${contains(m.body, input.search)})`)
    }
    const { ids, ...page } = await pageKeys(db, input, { from: sql`${m}`, where, key: m.id, order: newest })
    return { items: await readMessages(db, staff, ids), ...page }
  },

  message: ({ id }, context) => findMessage(context, id),

  async cancelMessage({ id }, context) {
    const { db, staff, audit } = context
    const message = await findMessage(context, id, true)
    audit.before(message)
    const done = await rows(
      db,
      sql`update sms_messages set ${CANCELLED}, reason = ${`Cancelled by ${staff.name}`}
        where sms_message_id = ${id} and ${waits} returning sms_message_id`,
    )
    if (!done.length) throw conflict('The message is no longer queued', { current: message })
    await changed(db, 'sms', message.batchId)
    const after = await findMessage(context, id)
    audit.after(after)
    return after
  },

  async batches(input, { db }) {
    const where: SQL[] = [sql`true`]
    if (input.kind) where.push(sql`${b.kind} = any(${sql.param(input.kind)}::text[])`)
    if (input.open === 'true') where.push(sql`(${b.expandedAt} is null and ${b.cancelledAt} is null)`)
    if (input.open === 'false') where.push(sql`(${b.expandedAt} is not null or ${b.cancelledAt} is not null)`)
    const order = { column: b.createdAt, type: 'instant', direction: 'DESC' } as const
    const { ids, ...page } = await pageKeys(db, input, { from: sql`${b}`, where, key: b.id, order })
    return { items: await readBatches(db, ids), ...page }
  },

  async cancelBatch({ id }, { db, staff, audit }) {
    const [batch] = await rows<{ open: boolean }>(
      db,
      sql`select expanded_at is null and cancelled_at is null as open from sms_batches b
        where sms_batch_id = ${id} and ${actsOn(staff, sql`b.created_by`)} for update`,
    )
    if (!batch) throw notFound('send', id)
    audit.of('sms-batch', id)
    audit.before(await readBatch(db, id))
    if (batch.open) await db.execute(sql`update sms_batches set cancelled_at = now() where sms_batch_id = ${id}`)
    const stopped = await rows(
      db,
      sql`update sms_messages set ${CANCELLED}, reason = ${`Cancelled by ${staff.name}`}
        where sms_batch_id = ${id} and ${waits} returning sms_message_id`,
    )
    const after = await readBatch(db, id)
    if (!batch.open && !stopped.length) throw conflict('None of its messages is queued any more', { current: after })
    audit.after(after)
    await changed(db, 'sms', id)
    return after
  },

  async acknowledge({ id }, { db, staff, audit }) {
    const [mine] = await rows(
      db,
      sql`select from sms_messages where sms_batch_id = ${id} and kind = 'alert'
        and (user_id = ${staff.id} or ${holds(staff, 'sms:message:create') && holds(staff, 'sms:message:read')}::boolean) limit 1`,
    )
    if (!mine) throw notFound('alert', id)
    audit.of('sms-batch', id)
    await acknowledgeAlert(db, id, staff)
    return readBatch(db, id)
  },
}
