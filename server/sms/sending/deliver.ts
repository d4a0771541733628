import { toE164 } from '@innkeeper/contract/sms/text'
import { sql } from 'drizzle-orm'
import type { App } from '../../kit/app/app.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'
import { type Gateway, gatewayOf, type Line, type Outcome, type Outgoing } from '../gateway/gateway.ts'
import { callbackKey, PASSWORD, readSettings, type Settings } from '../settings.ts'

/** Number of messages that are submitted at the same time. */
const AT_ONCE = 16
/**
 * Messages per claim, for a gateway that supports keys. Answering all of them takes less time than a claim is valid.
 */
const SOME = 3
/** Older claims are from processes that ended, because a gateway must answer within this time. */
const LEFT_S = 60
/** Seconds before the next attempts. */
const PAUSES = [5, 30, 120, 600, 1800, 3600]

const LOST =
  'Innkeeper stopped while it submitted the message. The gateway may have sent it, which a delivery report would show.'

/**
 * Submits all messages that are due. Several workers share them. A gateway that accepts nothing ends the round, so that
 * its restart costs only a few messages an attempt. Returns the number of submitted messages.
 */
export async function deliver(app: App): Promise<number> {
  const settings = await readSettings(app.db)
  const gateway = gatewayOf(settings)
  if (!gateway) return 0
  await freeClaims(app.db, gateway)
  const line = await lineOf(app, settings)
  let handed = 0
  let isClosed = false
  const most = gateway.knowsKeys ? SOME : 1
  const claimMore = async () => (isClosed ? [] : claim(app.db, most))
  const work = async () => {
    for (let some = await claimMore(); some.length; some = await claimMore())
      for (const one of some) {
        const result = (await fitOf(app.db, one, settings)) ?? (await gateway.handOver(line, one))
        if (result.kind === 'later') isClosed = true
        await record(app.db, one, result, { gateway, settings })
        handed += 1
        if (handed % 100 === 0) await changed(app.db, 'sms')
      }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  if (handed) await changed(app.db, 'sms')
  return handed
}

/**
 * Result of an attempt: the outcome at the gateway, or a cancellation because the recipient may get no more messages.
 */
type Result = Outcome | { kind: 'cancelled'; reason: string }
interface Claimed extends Outgoing {
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
async function claim(db: Db, most: number): Promise<Claimed[]> {
  return rows<Claimed>(
    db,
    sql`with due as (select sms_message_id from sms_messages
        where status = 'queued' and claimed_at is null and not_before <= now()
        order by not_before, sms_message_id limit ${most} for update skip locked)
      update sms_messages m set claimed_at = now(), attempts = m.attempts + 1, version = m.version + 1
      from due where m.sms_message_id = due.sms_message_id
      returning m.sms_message_id as id, m.key, m.number, m.body, m.encoding, m.segments, m.attempts, m.user_id as "userId",
        (select p.phone from profiles p where p.user_id = m.user_id) as phone,
        exists (select from users u where u.user_id = m.user_id and u.deleted_at is not null) as "isGone",
        exists (select from sms_opt_outs o where o.number = m.number) as "isOut"`,
  )
}

/** Checks the recipient again, because number, account or consent may have changed while the message waited. */
async function fitOf(db: Db, one: Claimed, { countryCode }: Settings): Promise<Result | undefined> {
  if (one.isGone) return { kind: 'cancelled', reason: 'The account was deleted meanwhile' }
  if (one.userId !== null) {
    const now = toE164(one.phone ?? '', countryCode)
    if (!now) return { kind: 'cancelled', reason: 'The number was removed from the profile meanwhile' }
    if (now !== one.number) {
      await db.execute(sql`update sms_messages set number = ${now} where sms_message_id = ${one.id}`)
      const found = await rows(db, sql`select from sms_opt_outs where number = ${now}`)
      one.isOut = found.length > 0
    }
    one.number = now
  }
  return one.isOut ? { kind: 'cancelled', reason: 'Asked for no more messages' } : undefined
}

/** A delivery report may have arrived earlier, so that only a queued message changes its status. */
async function record(
  db: Db,
  { id, attempts }: Claimed,
  result: Result,
  { gateway, settings }: { gateway: Gateway; settings: Settings },
): Promise<void> {
  const set = (change: ReturnType<typeof sql>) =>
    db.execute(sql`update sms_messages set claimed_at = null, version = version + 1, ${change}
      where sms_message_id = ${id} and claimed_at is not null`)
  const end = (status: string, reason: string, code: string | null) =>
    set(
      sql`status = case when status = 'queued' then ${status} else status end, reason = ${reason}, error_code = ${code}, ended_at = now()`,
    )
  if (result.kind === 'accepted') {
    await set(
      sql`status = case when status = 'queued' then 'sent' else status end, sent_at = coalesce(sent_at, now()),
        provider_id = coalesce(provider_id, ${result.providerId}), reason = case when status = 'queued' then null else reason end`,
    )
  } else if (result.kind === 'cancelled') await end('cancelled', result.reason, null)
  else if (result.kind === 'refused') await end('failed', result.reason, result.code)
  else if (result.kind === 'unknown' && !gateway.knowsKeys)
    await end(
      'failed',
      `${result.reason}. The gateway may have sent it, which a delivery report would show.`,
      'unknown',
    )
  else if (attempts >= settings.maxAttempts) await end('failed', `${result.reason}, ${attempts} times`, 'given-up')
  else {
    const pause = PAUSES[attempts - 1] ?? PAUSES.at(-1)
    await set(sql`reason = ${result.reason}, not_before = now() + make_interval(secs => ${pause})`)
  }
}

/** Handles claims of processes that ended. A gateway that supports keys gets the message again with the same key. */
async function freeClaims(db: Db, { knowsKeys }: Gateway): Promise<void> {
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

async function lineOf(app: App, { url, username, sender, publicUrl }: Settings): Promise<Line> {
  const secret = (await app.secrets.read(app.db, PASSWORD)) ?? ''
  const key = await callbackKey(app, app.db)
  const at = publicUrl.replace(/\/$/, '')
  return {
    ...{ url, username, sender, secret },
    reportUrl: (id, status) => `${at}/api/sms/callbacks/report?key=${key}&id=${id}&status=${status}`,
  }
}
