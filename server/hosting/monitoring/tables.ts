import { sql } from 'drizzle-orm'
import { bigint, date, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { identity, instant } from '../../kit/db/columns.ts'
import { servers } from '../../machines/servers/tables.ts'
import { websites } from '../websites/tables.ts'

/** Changes between up and down, kept for a year. */
export const monitorChanges = pgTable(
  'monitor_changes',
  {
    id: identity('monitor_change_id'),
    websiteId: integer()
      .notNull()
      .references(() => websites.id),
    at: instant().notNull().default(sql`now()`),
    state: text({ enum: ['unknown', 'up', 'down'] }).notNull(),
    status: integer(),
    reason: text(),
  },
  (t) => [index('monitor_changes_website').on(t.websiteId, t.at), index('monitor_changes_at').on(t.at)],
)

/** Totals per day in UTC, kept for a year. */
export const monitorDays = pgTable(
  'monitor_days',
  {
    websiteId: integer()
      .notNull()
      .references(() => websites.id),
    day: date().notNull(),
    checks: integer().notNull(),
    failures: integer().notNull(),
    /** Total milliseconds of all successful requests. */
    ms: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.websiteId, t.day] }), index('monitor_days_day').on(t.day)],
)

/** Servers on which most websites are down. One notification covers all of them. */
export const monitorOutages = pgTable('monitor_outages', {
  serverId: integer()
    .primaryKey()
    .references(() => servers.id),
  since: instant().notNull().default(sql`now()`),
})
