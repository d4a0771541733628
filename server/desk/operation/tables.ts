import { alertChannels, troubleLevels } from '@innkeeper/contract/desk/operation'
import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { identity, instant } from '../../kit/db/columns.ts'

/** Faults of Innkeeper itself, told once when they begin and once when they have ended. */
export const ownTroubles = pgTable(
  'own_troubles',
  {
    id: identity('own_trouble_id'),
    key: text().notNull(),
    title: text().notNull(),
    detail: text().notNull(),
    level: text({ enum: troubleLevels }).notNull(),
    link: text(),
    since: instant().notNull().default(sql`now()`),
    /** Since when the fault is not found any more; it has ended after a while without it. */
    absentSince: instant(),
    endedAt: instant(),
  },
  (t) => [
    uniqueIndex('own_troubles_open').on(t.key).where(sql`${t.endedAt} is null`),
    index('own_troubles_ended').on(t.endedAt),
  ],
)

export const alertKinds = ['begun', 'ended', 'unwatched', 'test'] as const
export type AlertKind = (typeof alertKinds)[number]
export interface Told {
  key: string
  title: string
  detail: string
  level: (typeof troubleLevels)[number]
  link: string | null
  since: string
}

/** Alerts on their way out. */
export const ownAlerts = pgTable(
  'own_alerts',
  {
    id: identity('own_alert_id'),
    channel: text({ enum: alertChannels }).notNull(),
    kind: text({ enum: alertKinds }).notNull(),
    subject: text().notNull(),
    body: text().notNull(),
    troubles: jsonb().$type<Told[]>().notNull(),
    createdAt: instant().notNull().default(sql`now()`),
    attempts: integer().notNull().default(0),
    /** When the next attempt is due; of an alert that is being sent: when the attempt counts as lost. */
    nextAt: instant(),
    sentAt: instant(),
    error: text(),
  },
  (t) => [
    index('own_alerts_due').on(t.nextAt).where(sql`${t.nextAt} is not null`),
    index('own_alerts_channel').on(t.channel, t.createdAt),
  ],
)

/** The heartbeat to an address outside. One row at most. */
export const ownHeartbeats = pgTable(
  'own_heartbeats',
  {
    only: integer().primaryKey().default(1),
    claimedAt: instant().notNull(),
    sentAt: instant(),
    failingSince: instant(),
    error: text(),
  },
  (t) => [check('own_heartbeats_one', sql`${t.only} = 1`)],
)
