import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Gateway, Outgoing } from '../gateway/gateway.ts'

/** Older claims are from processes that ended, because a gateway must answer within this time. */
const LEFT_S = 60

const LOST =
  'Innkeeper stopped while it submitted the message. The gateway may have sent it, which a delivery report would show.'
export interface Claimed extends Outgoing {
  attempts: number
  userId: number | null
  phone: string | null
  isGone: boolean
  isOut: boolean
}

/**
 * Claims some messages. The claim is committed before the gateway is asked, so that no other process sends a message
 * again if this process is killed in between.
 */
export async function claim(db: Db, most: number): Promise<Claimed[]> {
  return rows<Claimed>(
    db,
    sql`with due as (select sms_message_id from sms_messages
        where status = 'queued' and claimed_at is null and not_before <= now()
        order by urgent desc nulls last, not_before, sms_message_id limit ${most} for update skip locked)
      update sms_messages m set claimed_at = now(), attempts = m.attempts + 1, version = m.version + 1
      from due where m.sms_message_id = due.sms_message_id
      returning m.sms_message_id as id, m.key, m.number, m.body, m.encoding, m.segments, m.attempts, m.user_id as "userId",
        (select p.phone from profiles p where p.user_id = m.user_id) as phone,
        exists (select from users u where u.user_id = m.user_id and u.deleted_at is not null) as "isGone",
        exists (select from sms_opt_outs o where o.number = m.number) as "isOut"`,
  )
}

/** Handles claims of processes that ended. A gateway that supports keys gets the message again with the same key. */
export async function freeClaims(db: Db, { knowsKeys }: Gateway): Promise<void> {
  const left = sql`claimed_at < now() - make_interval(secs => ${LEFT_S})`
  await db.execute(
    knowsKeys
      ? sql`update sms_messages set claimed_at = null, version = version + 1 where ${left}`
      : sql`update sms_messages set claimed_at = null, version = version + 1, ended_at = now(),
          status = case when status = 'queued' then 'failed' else status end,
          reason = case when status = 'queued' then ${LOST} else reason end,
          error_code = case when status = 'queued' then 'unknown' else error_code end where ${left}`,
  )
}
