import type { SmsMessage } from '@innkeeper/contract/desk/sms/calls'
import { holds } from '@innkeeper/contract/kit/access'
import { type SQL, sql } from 'drizzle-orm'
import type { Staff } from '../../../kit/access/sessions.ts'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { personName } from '../../../kit/db/people.ts'
import type { Context } from '../../../kit/http/api.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { amount } from '../settings.ts'

type Moment = string | Date
type Row = Omit<SmsMessage, 'createdAt' | 'notBefore' | 'sentAt' | 'endedAt' | 'cost'> & {
  createdAt: Moment
  notBefore: Moment
  sentAt: Moment | null
  endedAt: Moment | null
  cost: number | null
}

const select = rowsByIds<Row>(
  (
    isWanted,
  ) => sql`select m.sms_message_id as id, m.version, m.created_at as "createdAt", m.number as to, m.user_id as "userId",
      ${personName('u')} as "userName", m.body, b.template_name as "templateName", m.kind,
      m.sms_batch_id as "batchId", m.encoding, m.segments, m.status, m.reason, m.error_code as "errorCode",
      m.provider_id as "providerId", m.attempts, m.not_before as "notBefore", m.sent_at as "sentAt", m.ended_at as "endedAt", m.cost,
      ${personName('c')} as by
    from sms_messages m join sms_batches b on b.sms_batch_id = m.sms_batch_id
    left join users u on u.user_id = m.user_id left join users c on c.user_id = m.created_by
    where ${isWanted(sql`m.sms_message_id`)}`,
)

/** A number from a profile is personal. Without the permission to see profiles, only its last digits are shown. */
export const shownNumber = (staff: Staff, number: string, userId: number | null): string =>
  userId === null || holds(staff, 'employee:profile:read') ? number : number.replace(/.(?=.{3})/g, '·')

export async function readMessages(db: Db, staff: Staff, ids: number[]): Promise<SmsMessage[]> {
  const found = inOrder(ids, await select(db, ids))
  return found.map((row) => ({
    ...row,
    to: shownNumber(staff, row.to, row.userId),
    createdAt: isoOf(row.createdAt),
    notBefore: row.status === 'queued' ? isoOf(row.notBefore) : null,
    sentAt: row.sentAt && isoOf(row.sentAt),
    endedAt: row.endedAt && isoOf(row.endedAt),
    cost: amount(row.cost),
  }))
}

/** Condition on `sms_messages m` or `sms_batches b`: without the permission to read, people act only on what they sent. */
export const actsOn = (staff: Staff, createdBy: SQL): SQL =>
  sql`(${holds(staff, 'sms:message:read')}::boolean or ${createdBy} = ${staff.id})`

/** One message that the caller may read or has sent, locked if the call writes. */
export async function findMessage({ db, staff, audit }: Context, id: number, lock = false): Promise<SmsMessage> {
  const [theirs] = await rows(
    db,
    sql`select from sms_messages m where sms_message_id = ${id} and ${actsOn(staff, sql`m.created_by`)}`,
  )
  if (!theirs) throw notFound('message', id)
  if (lock) await rows(db, sql`select from sms_messages where sms_message_id = ${id} for update`)
  const [message] = await readMessages(db, staff, [id])
  if (!message) throw notFound('message', id)
  audit.of('sms-message', id)
  return message
}
