import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { identity, instant } from '../kit/db/columns.ts'
import { users } from '../users/tables.ts'

/** The truth about a token: revoking the row ends it. `key` is the token's `iss`. */
export const sessions = pgTable(
  'sessions',
  {
    id: identity('session_id'),
    key: text().notNull().unique(),
    userId: integer()
      .notNull()
      .references(() => users.id),
    createdAt: instant().notNull().default(sql`now()`),
    expiresAt: instant().notNull(),
    revokedAt: instant(),
    ip: text(),
    userAgent: text(),
  },
  (t) => [index('sessions_user').on(t.userId)],
)

/**
 * By name as typed, existing or not, so that locking tells nothing about who exists. `place` is an address where the
 * account was signed in before, else empty: who guesses elsewhere locks nobody out at their own desk.
 */
export const signInAttempts = pgTable(
  'sign_in_attempts',
  {
    name: text().notNull(),
    place: text().notNull().default(''),
    failed: integer().notNull(),
    since: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.name, t.place] })],
)

/** One for each account at most: a new one ends the one before. Used once, then gone. */
export const signInLinks = pgTable('sign_in_links', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id),
  hash: text().notNull().unique(),
  expiresAt: instant().notNull(),
  createdAt: instant().notNull().default(sql`now()`),
})
