import type { webhooks as contract } from '@innkeeper/contract/access/webhooks'
import { eq, type SQL, sql } from 'drizzle-orm'
import { rows } from '../../kit/db/db.ts'
import { contains, pageKeys } from '../../kit/db/page.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { refused } from '../../kit/http/errors.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed, mayRead } from '../../kit/live/live.ts'
import { newSecret } from '../../kit/outgoing/signed.ts'
import { mayActOn } from '../rights/reach.ts'
import { checkWishes, kindsOf } from './checks.ts'
import type { deliveryHandlers } from './deliveries.ts'
import { findWebhook, readWebhook, readWebhooks } from './read.ts'
import { oldSecretName, secretName } from './sign.ts'
import { webhooks } from './tables.ts'

const sorts = {
  name: { column: webhooks.name, type: 'text', direction: 'ASC' },
  createdAt: { column: webhooks.createdAt, type: 'instant', direction: 'DESC' },
} as const

/** Receivers of changes. What they are sent is what their owner may read, so that others need the reach of the owner. */
export const webhooksHandlers: Omit<Handlers<typeof contract>, keyof typeof deliveryHandlers> = {
  async list({ state, owner, ...input }, { db }) {
    const where: SQL[] = [sql`${webhooks.deletedAt} is null`]
    if (state) where.push(sql`${webhooks.state} = ${state}`)
    if (owner) where.push(sql`${webhooks.ownerId} in ${owner}`)
    if (input.search) where.push(contains(webhooks.name, input.search))
    const order = sorts[input.sort ?? 'name']
    const { ids, ...page } = await pageKeys(db, input, { from: sql`${webhooks}`, where, key: webhooks.id, order })
    return { items: await readWebhooks(db, ids), ...page }
  },

  async kinds(_, { app, staff }) {
    const items = kindsOf(app.readScopes).map((name) => ({
      name,
      mayRead: mayRead(staff, app.readScopes, { domain: name }),
      hasDepartments: name in app.departmentsOf,
    }))
    return { items, total: items.length }
  },

  one: ({ id }, { db }) => readWebhook(db, id),

  async create({ ownerId, ...fields }, context) {
    const { db, app, staff, audit } = context
    const owner = await checkOwner(context, ownerId ?? staff.id)
    await checkWishes(context, fields)
    const [made] = await db
      .insert(webhooks)
      .values({ ...fields, ownerId: owner, createdBy: staff.id })
      .returning({ id: webhooks.id })
    const { id } = made!
    const secret = newSecret()
    await app.secrets.write(db, secretName(id), secret)
    const webhook = await readWebhook(db, id)
    audit.of('webhook', id)
    audit.after(webhook)
    await changed(db, 'webhooks', id)
    return { webhook, secret }
  },

  async update({ id, version, ownerId, state, ...fields }, context) {
    const { db, audit } = context
    const before = await findWebhook(context, id, version)
    await checkOwner(context, before.ownerId)
    if (ownerId !== undefined && ownerId !== before.ownerId) await checkOwner(context, ownerId)
    await checkWishes(context, fields, before)
    await db
      .update(webhooks)
      .set({ ...fields, ownerId, ...(state && { state, pausedBecause: null }), ...nextVersion })
      .where(eq(webhooks.id, id))
    if (state === 'active')
      await db.execute(
        sql`update webhook_deliveries set next_at = now() where webhook_id = ${id} and state = 'waiting'`,
      )
    const webhook = await readWebhook(db, id)
    audit.after(webhook)
    await changed(db, 'webhooks', id)
    return webhook
  },

  async rotate({ id, oldValidHours }, context) {
    const { db, app, audit } = context
    const before = await findWebhook(context, id)
    await checkOwner(context, before.ownerId)
    const old = await app.secrets.readKept(db, secretName(id))
    if (old !== undefined) await app.secrets.write(db, oldSecretName(id), old)
    const secret = newSecret()
    await app.secrets.write(db, secretName(id), secret)
    await db
      .update(webhooks)
      .set({ oldSecretUntil: sql`now() + make_interval(hours => ${oldValidHours})`, ...nextVersion })
      .where(eq(webhooks.id, id))
    const webhook = await readWebhook(db, id)
    audit.after({ ...webhook, secretChanged: true })
    await changed(db, 'webhooks', id)
    return { webhook, secret }
  },

  async remove({ id, version }, context) {
    const { db, app } = context
    await findWebhook(context, id, version)
    await db.execute(sql`delete from webhook_deliveries where webhook_id = ${id}`)
    await app.secrets.remove(db, secretName(id))
    await app.secrets.remove(db, oldSecretName(id))
    await db
      .update(webhooks)
      .set({ deletedAt: sql`now()`, ...nextVersion })
      .where(eq(webhooks.id, id))
    await changed(db, 'webhooks', id)
  },
}

/** Kinds of objects, except webhooks themselves, whose messages would lead to messages. */
/** The owner exists, and the caller is the owner or reaches the owner. Returns its id. */
async function checkOwner({ db, staff }: Context, id: number): Promise<number> {
  const [found] = await rows(db, sql`select from users where user_id = ${id} and deleted_at is null for share`)
  if (!found) throw refused('The owner is gone', { ownerId: 'Choose somebody with an account' })
  if (id !== staff.id) await mayActOn(db, staff, { ids: [id] })
  return id
}
