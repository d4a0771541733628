import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { identity, instant } from '../../../kit/db/columns.ts'
import { users } from '../tables.ts'

/** Sessions. Revoking the row ends the token. `key` is the `iss` of the token. */
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
    /** The latest call, recorded each minute. */
    lastSeenAt: instant().notNull().default(sql`now()`),
    /** Hash of the browser's name; null for programs. */
    device: text(),
    /** The identity provider that vouched for the person, and its name for the session. */
    providerId: integer(),
    providerSid: text(),
  },
  (t) => [
    index('sessions_user').on(t.userId),
    index('sessions_provider').on(t.providerId, t.providerSid).where(sql`${t.providerId} is not null`),
  ],
)

/**
 * Failed attempts by typed name, even if the account does not exist, so that locking reveals nothing. `place` is an
 * address from which the account signed in before, otherwise empty, so that guesses from elsewhere do not lock out the
 * owner. Rows without a name count all attempts from the address in `place`, and all logged refusals.
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

/** At most one link per account, deleted on use. */
export const signInLinks = pgTable('sign_in_links', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id),
  hash: text().notNull().unique(),
  /** Id of the person who made the link, and who must still be allowed to act on the user when it is used. */
  byId: integer().references(() => users.id),
  expiresAt: instant().notNull(),
  createdAt: instant().notNull().default(sql`now()`),
  /** Two administrators recover the account: the link removes the second factor and the passkeys. */
  recovers: boolean().notNull().default(false),
})
