import { timingSafeEqual } from 'node:crypto'
import type { sms as contract } from '@innkeeper/contract/desk/sms/calls'
import { toE164 } from '@innkeeper/contract/desk/sms/text'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { personName } from '../../kit/db/people.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { notFound, Refusal } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { acknowledgeAlert } from './alerts/acknowledge.ts'
import { readReport } from './reports.ts'
import { callbackKey, formerKey, readSettings } from './settings.ts'

/**
 * Calls of the gateway. They count as reads, because they are many and only change messages, so that they write no log
 * rows.
 */
export const callbackHandlers: Pick<Handlers<typeof contract>, 'report' | 'reply'> = {
  async report({ key, id, status, answer = '', providerId }, { app, db }) {
    checkKey(key, await callbackKey(app, db), await formerKey(app, db))
    const said = readReport(status, answer)
    // a report may be repeated, late, or earlier than the gateway's answer: `delivered` stays, `undelivered` is
    // corrected
    const [message] = await rows<{ status: string; batchId: number }>(
      db,
      sql`update sms_messages set version = version + 1,
          status = case when status = 'delivered' or status = 'cancelled' then status
            when ${said.status} = 'sent' and status not in ('queued', 'failed') then status else ${said.status} end,
          reason = case when status = 'delivered' or (${said.status} = 'sent' and status = 'undelivered') then reason else ${said.reason} end,
          error_code = case when status = 'delivered' or (${said.status} = 'sent' and status = 'undelivered') then error_code else ${said.code} end,
          sent_at = coalesce(sent_at, now()), provider_id = coalesce(${providerId || null}, provider_id),
          ended_at = case when ${said.status} = 'sent' then (case when status = 'failed' then null else ended_at end) else coalesce(ended_at, now()) end
        where sms_message_id = ${id} and (attempts > 0) returning status, sms_batch_id as "batchId"`,
    )
    if (!message) throw notFound('message', id)
    await changed(db, 'sms', message.batchId)
    return { status: message.status }
  },

  async reply({ key, from, text, ref }, { app, db }) {
    checkKey(key, await callbackKey(app, db))
    return db.transaction((tx) => hear(tx, from, text, ref))
  },
}

type Effect = 'acknowledged' | 'opted-out' | 'opted-in' | 'none'

async function hear(db: Db, from: string, text: string, ref: string | undefined): Promise<{ effect: Effect }> {
  const { countryCode } = await readSettings(db)
  const number = await numberOf(db, from, countryCode)
  // of two deliveries of one answer at the same time, the second waits and finds the first: it must not end the next alert
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`sms answer ${number}`}, 0))`)
  const known = await heardBefore(db, number, text, ref)
  if (known) return { effect: known }
  // whoever has left answers for nobody
  const [sent] = await rows<{ userId: number | null; staffId: number | null; name: string | null }>(
    db,
    sql`select m.user_id as "userId", u.user_id as "staffId", ${personName('u')} as name from sms_messages m
      left join users u on u.user_id = m.user_id and u.deleted_at is null
      where m.number = ${number} order by m.created_at desc, m.user_id nulls last limit 1`,
  )
  const effect = await act(db, number, text, { id: sent?.staffId ?? null, name: sent?.name ?? number })
  const store = (as: string | null) =>
    rows(
      db,
      sql`insert into sms_replies (number, user_id, text, effect, ref)
        values (${number}, ${sent?.userId ?? null}, ${text}, ${effect}, ${as}) on conflict do nothing returning 1`,
    )
  // a gateway whose numbers began anew names another answer by a known reference, which that answer keeps
  if (!(await store(ref ?? null)).length) await store(null)
  await changed(db, 'sms')
  return { effect }
}

/**
 * The effect of an answer that arrived before: of the same reference and words, or, without a reference, of the same words
 * within an hour, for which gateways repeat. A repeated STOP acts if another answer came meanwhile: nobody gets messages
 * against their will.
 */
async function heardBefore(db: Db, number: string, text: string, ref: string | undefined): Promise<Effect | undefined> {
  const same = sql`number = ${number} and text = ${text}`
  const [known] = await rows<{ effect: Effect; isLast: boolean }>(
    db,
    sql`select effect, not exists (select from sms_replies later
        where later.number = r.number and later.sms_reply_id > r.sms_reply_id) as "isLast"
      from sms_replies r where ${same} and ${ref ? sql`ref = ${ref}` : sql`ref is null and at > now() - interval '1 hour'`}
      order by sms_reply_id desc limit 1`,
  )
  if (!known || (!ref && known.effect === 'opted-out' && !known.isLast)) return undefined
  return known.effect
}

/**
 * The sender in E.164. Operators write a full number with or without its plus, or a national number. Of the possible
 * numbers, returns the one to which a message was sent.
 */
async function numberOf(db: Db, from: string, countryCode: string | null): Promise<string> {
  const readings = [toE164(from), toE164(`+${from.replace(/\D/g, '')}`), toE164(from, countryCode)].flatMap(
    (one) => one ?? [],
  )
  const [reached] = await rows<{ number: string }>(
    db,
    sql`select number from sms_messages where number = any(${sql.param(readings)}::text[]) order by created_at desc limit 1`,
  )
  return reached?.number ?? readings[0] ?? from
}

async function act(db: Db, number: string, text: string, by: { id: number | null; name: string }): Promise<Effect> {
  const word = text.trim().toUpperCase()
  if (/^(STOP|STOPP|UNSUBSCRIBE)\b/.test(word)) {
    await db.execute(
      sql`insert into sms_opt_outs (number, source) values (${number}, 'answer') on conflict (number) do nothing`,
    )
    await db.execute(sql`update sms_messages set status = 'cancelled', reason = 'Asked for no more messages', ended_at = now(), version = version + 1
      where number = ${number} and status = 'queued' and claimed_at is null`)
    return 'opted-out'
  }
  if (/^START\b/.test(word)) {
    await db.execute(sql`delete from sms_opt_outs where number = ${number} and source = 'answer'`)
    return 'opted-in'
  }
  const named = /^OK(?:\s+(\d{1,9}))?\b/.exec(word)
  if (!named || by.id === null) return 'none'
  const wanted = named[1] ? sql`and b.sms_batch_id = ${Number(named[1])}` : sql``
  const [alert] = await rows<{ id: number }>(
    db,
    sql`select b.sms_batch_id as id from sms_batches b where b.kind = 'alert' and b.acknowledged_at is null
      and b.created_at > now() - interval '24 hours' ${wanted}
      and exists (select from sms_messages m where m.sms_batch_id = b.sms_batch_id and m.number = ${number}
        and m.user_id = ${by.id})
      order by b.created_at desc limit 1`,
  )
  return alert && (await acknowledgeAlert(db, alert.id, { id: by.id, name: by.name })) ? 'acknowledged' : 'none'
}

function checkKey(given: string, ...known: (string | undefined)[]): void {
  const sent = Buffer.from(given)
  const isKnown = known.some((key) => {
    const expected = Buffer.from(key ?? '')
    return expected.length > 0 && expected.length === sent.length && timingSafeEqual(expected, sent)
  })
  if (!isKnown) throw new Refusal(401, { code: 'key', message: 'Not the key of this gateway' })
}
