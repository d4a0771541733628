import type { Attempt, webhooks as contract } from '@innkeeper/contract/access/webhooks'
import { type SQL, sql } from 'drizzle-orm'
import { withInstants } from '../../kit/db/columns.ts'
import { rows } from '../../kit/db/db.ts'
import { pageKeys } from '../../kit/db/page.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { conflict } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { PING } from './owner.ts'
import { payloadOf } from './payload.ts'
import { findWebhook, readDeliveries, readDelivery, readWebhook } from './read.ts'
import { wait } from './takeOver.ts'

/** Attempts of one message that are shown, the latest. */
const SHOWN = 50
const order = { column: sql`d.webhook_delivery_id`, type: 'int', direction: 'DESC', unique: true } as const

/** The messages of a webhook. */
export const deliveryHandlers: Pick<Handlers<typeof contract>, 'deliveries' | 'attempts' | 'resend' | 'test'> = {
  async deliveries({ id, state, domain, ...input }, { db }) {
    await readWebhook(db, id)
    const where: SQL[] = [sql`d.webhook_id = ${id}`]
    if (state) where.push(sql`d.state = ${state}`)
    if (domain) where.push(sql`d.domain = ${domain}`)
    const key = sql`d.webhook_delivery_id`
    const { ids, ...page } = await pageKeys(db, input, { from: sql`webhook_deliveries d`, where, key, order })
    return { items: await readDeliveries(db, ids), ...page }
  },

  async attempts({ id, delivery }, { db }) {
    await readWebhook(db, id)
    const message = await readDelivery(db, id, delivery)
    const attempts = await rows<Attempt>(
      db,
      sql`select at, ms, status, body, error from webhook_attempts where delivery_id = ${delivery}
        order by webhook_attempt_id desc limit ${SHOWN}`,
    )
    return {
      delivery: message,
      attempts: attempts.map((one) => withInstants(one, ['at'])),
      payload: payloadOf(message),
    }
  },

  async resend({ id, delivery }, context) {
    const { db, audit } = context
    const hook = await findWebhook(context, id)
    const before = await readDelivery(db, id, delivery)
    if (before.state === 'sending') throw conflict('The message is being sent at this moment')
    const others = sql`webhook_id = ${id} and domain = ${before.domain} and coalesce(object_id, 0) = ${before.objectId ?? 0}`
    await db.execute(
      sql`delete from webhook_deliveries where ${others} and state = 'waiting' and webhook_delivery_id <> ${delivery}`,
    )
    await db.execute(sql`update webhook_deliveries set state = 'waiting', attempts = 0, next_at = now(), ended_at = null
      where webhook_delivery_id = ${delivery}`)
    audit.after({ ...hook, sentAgain: before.messageId })
    await changed(db, 'webhooks', id)
    return readDelivery(db, id, delivery)
  },

  async test({ id }, context) {
    const { db, audit, now } = context
    const hook = await findWebhook(context, id)
    const [made] = await wait(db, id, [{ domain: PING, objectId: null, at: now.toISOString() }])
    audit.after({ ...hook, tested: true })
    await changed(db, 'webhooks', id)
    return readDelivery(db, id, made!)
  },
}
