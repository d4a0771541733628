import { levels, type Reason } from '@innkeeper/contract/access/notifications'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { identity, instant } from '../../kit/db/columns.ts'
import { users } from '../users/tables.ts'

export const notifications = pgTable(
  'notifications',
  {
    id: identity('notification_id'),
    userId: integer()
      .notNull()
      .references(() => users.id),
    reason: text().$type<Reason>().notNull(),
    level: text({ enum: levels }).notNull(),
    title: text().notNull(),
    body: text().notNull(),
    /** Path in the app. */
    link: text(),
    /** Not shown as a toast, because of quiet hours or a reason set to list only. */
    silent: boolean().notNull().default(false),
    date: instant().notNull().default(sql`now()`),
    readAt: instant(),
  },
  (t) => [
    index('notifications_user').on(t.userId, t.date, t.id),
    index('notifications_reason').on(t.userId, t.reason, t.date, t.id),
    index('notifications_level').on(t.userId, t.level, t.date, t.id),
    index('notifications_unread').on(t.userId, t.date, t.id).where(sql`${t.readAt} is null`),
    index('notifications_search').using('gin', sql`lower(${t.title} || ' ' || ${t.body}) gin_trgm_ops`),
    index('notifications_date').on(t.date),
  ],
)
