import type { Delivery, Webhook } from '@innkeeper/contract/access/webhooks'
import { sql } from 'drizzle-orm'
import { rowsByIds } from '../../kit/db/byIds.ts'
import { withInstants } from '../../kit/db/columns.ts'
import type { Db } from '../../kit/db/db.ts'
import { inOrder } from '../../kit/db/page.ts'
import { personName } from '../../kit/db/people.ts'
import type { Context } from '../../kit/http/api.ts'
import { notFound } from '../../kit/http/errors.ts'
import { checkVersion } from '../../kit/http/version.ts'
import { messageIdOf } from './payload.ts'

/** Messages are counted up to this number. */
const MOST = 10_000
const counted = (state: string) => sql`(select count(*)::int from (select from webhook_deliveries d
  where d.webhook_id = w.webhook_id and d.state = ${state} limit ${MOST}) c)`

const select = rowsByIds<Webhook>(
  (isWanted) => sql`select w.webhook_id as id, w.version, w.created_at as "createdAt", w.updated_at as "updatedAt",
      w.name, w.url, w.owner_id as "ownerId", ${personName('u')} as "ownerName", w.domains, w.objects, w.departments,
      w.state,
      w.paused_because as "pausedBecause", w.failing_since as "failingSince", w.last_delivered_at as "lastDeliveredAt",
      case when w.old_secret_until > now() then w.old_secret_until end as "oldSecretUntil",
      ${counted('waiting')} as waiting, ${counted('failed')} as failed
    from webhooks w join users u on u.user_id = w.owner_id
    where ${isWanted(sql`w.webhook_id`)} and w.deleted_at is null`,
)
const instants = ['createdAt', 'updatedAt', 'failingSince', 'lastDeliveredAt', 'oldSecretUntil'] as const

export async function readWebhooks(db: Db, ids: readonly number[]): Promise<Webhook[]> {
  const found = await select(db, [...ids])
  return inOrder(
    [...ids],
    found.map((row) => withInstants(row, instants)),
  )
}

export async function readWebhook(db: Db, id: number): Promise<Webhook> {
  const [hook] = await readWebhooks(db, [id])
  if (!hook) throw notFound('webhook', id)
  return hook
}

/** Locks a webhook until the call ends. 404, or 409 with the stored row. */
export async function findWebhook({ db, audit }: Context, id: number, version?: number): Promise<Webhook> {
  await db.execute(sql`select from webhooks where webhook_id = ${id} for update`)
  const hook = await readWebhook(db, id)
  audit.before(hook)
  checkVersion(hook, version, hook.name)
  return hook
}

const selectDeliveries = rowsByIds<Omit<Delivery, 'messageId'> & { webhookId: number }>(
  (
    isWanted,
  ) => sql`select webhook_delivery_id::int as id, webhook_id as "webhookId", domain, object_id as "objectId", state,
      attempts, changed_at as "changedAt", case when state = 'waiting' then next_at end as "nextAt",
      ended_at as "endedAt", status
    from webhook_deliveries where ${isWanted(sql`webhook_delivery_id`)}`,
)

export async function readDeliveries(db: Db, ids: readonly number[]): Promise<(Delivery & { webhookId: number })[]> {
  const found = await selectDeliveries(db, [...ids])
  return inOrder(
    [...ids],
    found.map((row) => ({ ...withInstants(row, ['changedAt', 'nextAt', 'endedAt']), messageId: messageIdOf(row.id) })),
  )
}

export async function readDelivery(db: Db, webhookId: number, id: number): Promise<Delivery> {
  const [found] = await readDeliveries(db, [id])
  if (found?.webhookId !== webhookId) throw notFound('message', id)
  return found
}
