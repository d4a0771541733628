import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { identity, instant } from '../../kit/db/columns.ts'
import { users } from '../users/tables.ts'

/** Recoveries of accounts: one administrator asks, another one confirms. */
export const recoveries = pgTable(
  'recoveries',
  {
    id: identity('recovery_id'),
    userId: integer()
      .notNull()
      .references(() => users.id),
    askedById: integer()
      .notNull()
      .references(() => users.id),
    reason: text().notNull(),
    askedAt: instant().notNull().default(sql`now()`),
    expiresAt: instant().notNull(),
    endedById: integer().references(() => users.id),
    endedAt: instant(),
    ending: text({ enum: ['confirmed', 'refused'] }),
  },
  (t) => [
    uniqueIndex('recoveries_open').on(t.userId).where(sql`${t.endedAt} is null`),
    index('recoveries_asked').on(t.askedAt, t.id),
  ],
)
