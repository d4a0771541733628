import type { levels, Reason } from '@innkeeper/contract/access/notifications'
import { gateways } from '@innkeeper/contract/desk/sms/settings'
import { batchKinds, encodings, messageStatuses } from '@innkeeper/contract/desk/sms/shapes'
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { users } from '../../access/users/tables.ts'
import { deletable, identity, instant, stored } from '../../kit/db/columns.ts'

const who = () => integer().references(() => users.id)

export const smsTemplates = pgTable(
  'sms_templates',
  {
    id: identity('sms_template_id'),
    name: text().notNull(),
    description: text().notNull().default(''),
    body: text().notNull(),
    placeholders: text().array().notNull().default(sql`'{}'`),
    ...stored(),
    ...deletable(),
  },
  (t) => {
    const live = sql`${t.deletedAt} is null`
    return [
      uniqueIndex('sms_templates_unique_name').on(t.name).where(live),
      index('sms_templates_name').on(t.name, t.id).where(live),
      index('sms_templates_created').on(t.createdAt, t.id).where(live),
      index('sms_templates_search').using('gin', sql`lower(${t.name} || ' ' || ${t.body}) gin_trgm_ops`),
    ]
  },
)

/** Recipients of a batch. People on shift and members of departments are found when it is sent. */
export interface Targets {
  numbers: string[]
  users: number[]
  departments: number[]
  shifts: number[]
}

/** Messages that a person or an alert sends together. */
export const smsBatches = pgTable(
  'sms_batches',
  {
    id: identity('sms_batch_id'),
    kind: text({ enum: batchKinds }).notNull(),
    body: text().notNull(),
    templateName: text(),
    values: jsonb().$type<Record<string, string>>().notNull(),
    targets: jsonb().$type<Targets>().notNull(),
    sendAt: instant(),
    expandedAt: instant(),
    cancelledAt: instant(),
    urgent: boolean().notNull().default(false),
    requestKey: text(),
    /** Identifies the notification of an alert. */
    alertKey: text(),
    link: text(),
    acknowledgedAt: instant(),
    acknowledgedBy: who(),
    escalatedAt: instant(),
    createdAt: instant().notNull().default(sql`now()`),
    createdBy: integer(),
  },
  (t) => [
    index('sms_batches_created').on(t.createdAt, t.id),
    index('sms_batches_due').on(t.sendAt).where(sql`${t.expandedAt} is null and ${t.cancelledAt} is null`),
    index('sms_batches_open').on(t.createdAt).where(sql`${t.kind} = 'alert' and ${t.acknowledgedAt} is null`),
    uniqueIndex('sms_batches_request').on(t.createdBy, t.requestKey),
    uniqueIndex('sms_batches_alert').on(t.alertKey),
  ],
)

/**
 * One text to one number. The rows are the queue. `claimedAt` is set and committed before the gateway is asked
 * (decision 54), so that an old claim means that the message may have been sent.
 */
export const smsMessages = pgTable(
  'sms_messages',
  {
    id: identity('sms_message_id'),
    batchId: integer('sms_batch_id')
      .notNull()
      .references(() => smsBatches.id),
    kind: text({ enum: batchKinds }).notNull(),
    /** Sent before others: urgent sends, alerts and tests. */
    urgent: boolean().notNull().default(false),
    number: text().notNull(),
    userId: who(),
    body: text().notNull(),
    encoding: text({ enum: encodings }).notNull(),
    segments: integer().notNull(),
    status: text({ enum: messageStatuses }).notNull().default('queued'),
    reason: text(),
    errorCode: text(),
    providerId: text(),
    /** Sent with every attempt, so that a gateway that supports keys sends the message only once. */
    key: text().notNull(),
    attempts: integer().notNull().default(0),
    notBefore: instant().notNull().default(sql`now()`),
    claimedAt: instant(),
    sentAt: instant(),
    endedAt: instant(),
    /** Price of the message in millionths. */
    cost: integer(),
    version: integer().notNull().default(1),
    createdAt: instant().notNull().default(sql`now()`),
    createdBy: integer(),
  },
  (t) => [
    index('sms_messages_created').on(t.createdAt, t.id),
    index('sms_messages_status').on(t.status, t.createdAt, t.id),
    index('sms_messages_batch').on(t.batchId, t.createdAt, t.id),
    index('sms_messages_user').on(t.userId, t.createdAt, t.id),
    index('sms_messages_number').on(t.number, t.createdAt),
    index('sms_messages_due')
      .on(t.urgent.desc(), t.notBefore, t.id)
      .where(sql`${t.status} = 'queued' and ${t.claimedAt} is null`),
    index('sms_messages_claimed').on(t.claimedAt).where(sql`${t.claimedAt} is not null`),
    index('sms_messages_search').using('gin', sql`lower(${t.number} || ' ' || ${t.body}) gin_trgm_ops`),
  ],
)

export const smsOptOuts = pgTable(
  'sms_opt_outs',
  {
    id: identity('sms_opt_out_id'),
    number: text().notNull(),
    source: text({ enum: ['answer', 'staff'] }).notNull(),
    note: text().notNull().default(''),
    createdAt: instant().notNull().default(sql`now()`),
    createdBy: integer(),
  },
  (t) => [uniqueIndex('sms_opt_outs_number').on(t.number), index('sms_opt_outs_created').on(t.createdAt, t.id)],
)

export const smsReplies = pgTable(
  'sms_replies',
  {
    id: identity('sms_reply_id'),
    number: text().notNull(),
    userId: who(),
    text: text().notNull(),
    effect: text({ enum: ['acknowledged', 'opted-out', 'opted-in', 'none'] }).notNull(),
    /** The gateway's id of the answer, so that a repeated delivery is stored once. */
    ref: text(),
    at: instant().notNull().default(sql`now()`),
  },
  (t) => [
    uniqueIndex('sms_replies_ref').on(t.ref),
    index('sms_replies_at').on(t.at, t.id),
    index('sms_replies_number').on(t.number, t.id),
  ],
)

/** Times in which the gateway refused our account or address. The one without `endedAt` is open. */
export const smsTroubles = pgTable(
  'sms_troubles',
  {
    id: identity('sms_trouble_id'),
    reason: text().notNull(),
    since: instant().notNull().default(sql`now()`),
    triedAt: instant().notNull().default(sql`now()`),
    endedAt: instant(),
  },
  (t) => [uniqueIndex('sms_troubles_open').on(sql`(true)`).where(sql`${t.endedAt} is null`)],
)

export const smsSettings = pgTable(
  'sms_settings',
  {
    only: integer().primaryKey().default(1),
    version: integer().notNull().default(1),
    gateway: text({ enum: gateways }).notNull(),
    url: text().notNull(),
    username: text().notNull(),
    hasSecret: boolean().notNull(),
    sender: text().notNull(),
    publicUrl: text().notNull(),
    countryCode: text(),
    quietFrom: text(),
    quietTo: text(),
    timeZone: text().notNull(),
    perDay: integer().notNull(),
    /** Price of a segment in millionths. */
    price: integer(),
    currency: text().notNull(),
    maxAttempts: integer().notNull(),
    alertReasons: text().array().$type<Reason[]>().notNull(),
    alertLevel: text().$type<(typeof levels)[number]>().notNull(),
    alertDepartments: integer().array().notNull(),
    fallbackIds: integer().array().notNull(),
    escalateMinutes: integer().notNull(),
  },
  (t) => [check('sms_settings_one', sql`${t.only} = 1`)],
)
