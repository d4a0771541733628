import { sql } from 'drizzle-orm'
import type { App } from '../../kit/app/app.ts'
import { isoOf } from '../../kit/db/columns.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'
import { reachOf } from '../../kit/outgoing/reach.ts'
import { sendSigned } from '../../kit/outgoing/signed.ts'
import { maySend, type Owned, readOwned } from './owner.ts'
import { messageIdOf, payloadOf } from './payload.ts'
import { secretsOf } from './sign.ts'

/** Seconds between attempts: about a day together. Then the message has failed. */
export const BACKOFF = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 28_800]
/** Messages of one webhook that are sent at the same time: a slow receiver holds up nobody else. */
const AT_ONCE = 4
const PATIENCE_MS = 15_000
/** Seconds after which the attempt of a node that was killed counts as lost. */
const LOST = 90
/** Bytes of an answer that are kept. */
const KEPT = 2000

interface Claimed {
  id: number
  webhookId: number
  domain: string
  objectId: number | null
  attempts: number
  changedAt: string
}

/** Begins to send what is due. Returns the sending messages, each of which stores how it ended. */
export async function deliverDue(app: App): Promise<Promise<void>[]> {
  const claimed = await app.db.transaction(async (tx) => {
    await waitAgain(tx, sql`d.state = 'sending' and d.next_at < now()`, sql`d.next_at`)
    return rows<Claimed>(
      tx,
      sql`with due as (select d.webhook_delivery_id as id from webhooks w cross join lateral (
          select d.webhook_delivery_id from webhook_deliveries d
            where d.webhook_id = w.webhook_id and d.state = 'waiting' and d.next_at <= now()
              and not exists (select from webhook_deliveries s where s.webhook_id = d.webhook_id and s.state = 'sending'
                and s.domain = d.domain and coalesce(s.object_id, 0) = coalesce(d.object_id, 0))
            order by d.next_at, d.webhook_delivery_id
            limit greatest(0, ${AT_ONCE} - (select count(*) from webhook_deliveries s
              where s.webhook_id = w.webhook_id and s.state = 'sending'))
            for update skip locked) d
          where w.deleted_at is null and w.state = 'active')
        update webhook_deliveries d set state = 'sending', attempts = attempts + 1, next_at = now() + make_interval(secs => ${LOST})
        from due where d.webhook_delivery_id = due.id
        returning d.webhook_delivery_id as id, d.webhook_id as "webhookId", d.domain, d.object_id as "objectId",
          d.attempts, d.changed_at as "changedAt"`,
    )
  })
  return claimed.map((one) => sendOne(app, { ...one, id: Number(one.id), changedAt: isoOf(one.changedAt) }))
}

/**
 * Lets messages that were being sent wait again. A newer message of the same object makes room: the older one leads to
 * the same read.
 */
async function waitAgain(tx: Db, which: ReturnType<typeof sql>, nextAt: ReturnType<typeof sql>): Promise<void> {
  await tx.execute(sql`delete from webhook_deliveries n using webhook_deliveries d
    where ${which} and n.state = 'waiting' and n.webhook_id = d.webhook_id and n.domain = d.domain
      and coalesce(n.object_id, 0) = coalesce(d.object_id, 0)`)
  await tx.execute(sql`update webhook_deliveries d set state = 'waiting', next_at = ${nextAt} where ${which}`)
}

interface Outcome {
  status: number | null
  body: string | null
  error: string | null
}

async function sendOne(app: App, message: Claimed): Promise<void> {
  const [hook] = await readOwned(app.db, sql`w.webhook_id = ${message.webhookId}`)
  if (!hook) return
  if (!maySend(hook, app.readScopes, message.domain)) return end(app, hook, message, 'dropped')
  const secrets = await secretsOf(app, app.db, hook)
  if (!secrets.length) return pause(app, hook, message, 'Its secret was lost with Innkeeper’s key. Make a new secret.')
  const begun = performance.now()
  const outcome = await post(app, hook, message, secrets)
  const ms = Math.round(performance.now() - begun)
  await app.db.execute(sql`insert into webhook_attempts (delivery_id, at, ms, status, body, error)
    values (${message.id}, now(), ${ms}, ${outcome.status}, ${outcome.body}, ${outcome.error})`)
  const { status } = outcome
  if (status !== null && status >= 200 && status < 300) return end(app, hook, message, 'delivered', status)
  if (status === 410) return pause(app, hook, message, 'The receiver answered 410: it wants no more messages.', status)
  await tryLater(app, hook, message, status)
}

async function post(app: App, hook: Owned, message: Claimed, secrets: readonly string[]): Promise<Outcome> {
  try {
    const { status, text } = await sendSigned(reachOf(app), {
      url: new URL(hook.url),
      id: messageIdOf(message.id),
      body: payloadOf(message),
      secrets,
      userAgent: 'Innkeeper-Webhooks/1',
      patienceMs: PATIENCE_MS,
      mostBytes: KEPT,
    })
    return { status, body: text.replaceAll('\0', ''), error: null }
  } catch (error) {
    return { status: null, body: null, error: error instanceof Error ? error.message : String(error) }
  }
}

async function end(app: App, hook: Owned, message: Claimed, state: 'delivered' | 'dropped', status?: number) {
  await app.db.transaction(async (tx) => {
    await tx.execute(sql`update webhook_deliveries set state = ${state}, ended_at = now(), status = ${status ?? null}
      where webhook_delivery_id = ${message.id}`)
    if (state === 'delivered')
      await tx.execute(sql`update webhooks set last_delivered_at = now(), failing_since = null, told_at = null
        where webhook_id = ${hook.id}`)
    await changed(tx, 'webhooks', hook.id)
  })
}

/** After the last attempt the message has failed. People are told of the first failed message only. */
async function tryLater(app: App, hook: Owned, message: Claimed, status: number | null): Promise<void> {
  const seconds = BACKOFF[message.attempts - 1]
  await app.db.transaction(async (tx) => {
    const isThis = sql`d.webhook_delivery_id = ${message.id}`
    if (seconds !== undefined) await waitAgain(tx, isThis, sql`now() + make_interval(secs => ${seconds})`)
    await tx.execute(
      seconds === undefined
        ? sql`update webhook_deliveries d set state = 'failed', ended_at = now(), status = ${status} where ${isThis}`
        : sql`update webhook_deliveries d set status = ${status} where ${isThis}`,
    )
    await tx.execute(
      sql`update webhooks set failing_since = coalesce(failing_since, now()) where webhook_id = ${hook.id}`,
    )
    if (seconds === undefined && (await isFirstFailed(tx, hook)))
      await notifyOwner(app, tx, hook, 'Messages to it failed for a day. Mend the receiver and send them again.')
    await changed(tx, 'webhooks', hook.id)
  })
}

/** Whether no message had failed since the last success. */
const isFirstFailed = async (tx: Db, { id }: Owned): Promise<boolean> => {
  const found = await rows(
    tx,
    sql`update webhooks set told_at = now() where webhook_id = ${id} and told_at is null returning 1`,
  )
  return found.length > 0
}

/** Several messages may find the same reason at once: the owner is notified of the first. What was not sent is no attempt. */
async function pause(app: App, hook: Owned, message: Claimed, why: string, status: number | null = null) {
  await app.db.transaction(async (tx) => {
    const paused = await rows(
      tx,
      sql`update webhooks set state = 'paused', paused_because = ${why}, version = version + 1
        where webhook_id = ${hook.id} and state = 'active' returning 1`,
    )
    await waitAgain(tx, sql`d.webhook_delivery_id = ${message.id}`, sql`now()`)
    await tx.execute(sql`update webhook_deliveries set status = ${status}, attempts = attempts - ${status === null ? 1 : 0}
      where webhook_delivery_id = ${message.id}`)
    if (paused.length) await notifyOwner(app, tx, hook, `It is paused. ${why}`)
    await changed(tx, 'webhooks', hook.id)
  })
}

const notifyOwner = (app: App, tx: Db, { id, name, notifyId }: Owned, body: string) =>
  app.notify(tx, {
    to: [notifyId],
    reason: 'programs',
    level: 'error',
    title: `The webhook ${name} does not work`,
    body,
    link: `/webhooks/${id}`,
  })
