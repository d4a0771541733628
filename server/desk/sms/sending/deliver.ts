import { toE164 } from '@innkeeper/contract/desk/sms/text'
import { sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import { reachOf } from '../../../kit/outgoing/reach.ts'
import type { Gateway, Line, Outcome } from '../gateway/gateway.ts'
import { gatewayOf } from '../gateway/gateways.ts'
import { callbackKey, callbacksAt, PASSWORD, readSettings, type Settings } from '../settings.ts'
import { type Claimed, claim, freeClaims } from './claims.ts'
import { endTrouble, noteTrouble, openTrouble } from './trouble.ts'

/** Number of messages that are submitted at the same time. */
const AT_ONCE = 16
/**
 * Messages per claim, for a gateway that supports keys. Answering all of them takes less time than a claim is valid.
 */
const SOME = 3
/** Seconds before the next attempts. */
const PAUSES = [5, 30, 120, 600, 1800, 3600]

/**
 * Submits all messages that are due, urgent ones first. Several workers share them. A gateway that accepts nothing ends the round, so that
 * its restart costs only a few messages an attempt. While it refuses our account, one message a minute tries. Returns the number of submitted messages.
 */
export async function deliver(app: App): Promise<number> {
  const settings = await readSettings(app.db)
  const gateway = gatewayOf(settings)
  if (!gateway) return 0
  await freeClaims(app.db, gateway)
  const trouble = await openTrouble(app.db)
  if (trouble && !trouble.isDue) return 0
  const line = await lineOf(app, settings)
  let handed = 0
  let isClosed = false
  const most = gateway.knowsKeys ? SOME : 1
  const claimMore = async () => (isClosed ? [] : claim(app.db, most))
  const work = async () => {
    for (let some = await claimMore(); some.length; some = await claimMore())
      for (const one of some) {
        const result = (await fitOf(app.db, one, settings)) ?? (await gateway.handOver(line, one))
        if (result.kind === 'later' || result.kind === 'account') isClosed = true
        if (result.kind === 'account') await noteTrouble(app.db, result.reason)
        else if (trouble && (result.kind === 'accepted' || result.kind === 'refused')) await endTrouble(app.db)
        await record(app.db, one, result, { gateway, settings })
        handed += 1
        if (handed % 100 === 0) await changed(app.db, 'sms')
      }
  }
  await Promise.all(Array.from({ length: trouble ? 1 : AT_ONCE }, work))
  if (handed) await changed(app.db, 'sms')
  return handed
}

/**
 * Result of an attempt: the outcome at the gateway, or a cancellation because the recipient may get no more messages.
 */
type Result = Outcome | { kind: 'cancelled'; reason: string }

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
  else if (result.kind === 'account')
    // a short pause, so that no other claim of this round takes the message
    await set(
      sql`reason = ${result.reason}, attempts = ${attempts - 1}, not_before = now() + make_interval(secs => ${PAUSES[0]})`,
    )
  else if (attempts >= settings.maxAttempts) await end('failed', `${result.reason}, ${attempts} times`, 'given-up')
  else {
    const pause = PAUSES[attempts - 1] ?? PAUSES.at(-1)
    await set(sql`reason = ${result.reason}, not_before = now() + make_interval(secs => ${pause})`)
  }
}

async function lineOf(app: App, settings: Settings): Promise<Line> {
  const { url, username, sender } = settings
  const secret = (await app.secrets.read(app.db, PASSWORD)) ?? ''
  const key = await callbackKey(app, app.db)
  const at = callbacksAt(settings)
  return {
    ...{ url, username, sender, secret, reach: reachOf(app) },
    reportUrl: (id, status) => `${at}/report?key=${key}&id=${id}&status=${status}`,
  }
}
