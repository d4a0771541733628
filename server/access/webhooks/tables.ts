import { deliveryStates, webhookStates } from '@innkeeper/contract/access/webhooks'
import { sql } from 'drizzle-orm'
import { bigint, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { deletable, identity, instant, stored } from '../../kit/db/columns.ts'
import { users } from '../users/tables.ts'

/** Receivers of changes. The secrets are in `secrets`: `webhook 12` and, until `oldSecretUntil`, `webhook-old 12`. */
export const webhooks = pgTable(
  'webhooks',
  {
    id: identity('webhook_id'),
    name: text().notNull(),
    url: text().notNull(),
    /** Whose rights decide what is sent. */
    ownerId: integer()
      .notNull()
      .references(() => users.id),
    domains: text().array().notNull().default(sql`'{}'`),
    objects: integer().array().notNull().default(sql`'{}'`),
    departments: integer().array().notNull().default(sql`'{}'`),
    state: text({ enum: webhookStates }).notNull().default('active'),
    pausedBecause: text(),
    oldSecretUntil: instant(),
    failingSince: instant(),
    lastDeliveredAt: instant(),
    /** When the owner was told that messages failed; null again after a success. */
    toldAt: instant(),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    index('webhooks_name').on(t.name, t.id).where(sql`${t.deletedAt} is null`),
    index('webhooks_created').on(t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('webhooks_owner').on(t.ownerId).where(sql`${t.deletedAt} is null`),
  ],
)

/** Messages. At most one of an object waits, because a message only says that the object changed. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: bigint('webhook_delivery_id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    webhookId: integer()
      .notNull()
      .references(() => webhooks.id),
    domain: text().notNull(),
    objectId: integer(),
    state: text({ enum: deliveryStates }).notNull().default('waiting'),
    attempts: integer().notNull().default(0),
    changedAt: instant().notNull(),
    /** When the next attempt is due; of a message that is being sent: when the attempt counts as lost. */
    nextAt: instant().notNull(),
    endedAt: instant(),
    status: integer(),
  },
  (t) => [
    uniqueIndex('webhook_deliveries_waiting')
      .on(t.webhookId, t.domain, sql`coalesce(${t.objectId}, 0)`)
      .where(sql`${t.state} = 'waiting'`),
    uniqueIndex('webhook_deliveries_sending')
      .on(t.webhookId, t.domain, sql`coalesce(${t.objectId}, 0)`)
      .where(sql`${t.state} = 'sending'`),
    index('webhook_deliveries_due').on(t.webhookId, t.nextAt).where(sql`${t.state} in ('waiting', 'sending')`),
    index('webhook_deliveries_webhook').on(t.webhookId, t.id),
    index('webhook_deliveries_state').on(t.webhookId, t.state, t.id),
    index('webhook_deliveries_ended').on(t.endedAt),
  ],
)

/** Attempts to send a message, with the beginning of each answer. */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    id: bigint('webhook_attempt_id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    deliveryId: bigint({ mode: 'number' })
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: 'cascade' }),
    at: instant().notNull(),
    ms: integer().notNull(),
    status: integer(),
    body: text(),
    error: text(),
  },
  (t) => [index('webhook_attempts_delivery').on(t.deliveryId, t.id)],
)
