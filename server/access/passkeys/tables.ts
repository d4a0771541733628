import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { identity, instant } from '../../kit/db/columns.ts'
import { users } from '../users/tables.ts'

export const passkeys = pgTable(
  'passkeys',
  {
    id: identity('passkey_id'),
    userId: integer()
      .notNull()
      .references(() => users.id),
    name: text().notNull(),
    credentialId: text().notNull().unique(),
    /** COSE key in base64url. */
    publicKey: text().notNull(),
    /** Uses that the authenticator counted; 0 if it counts none. */
    counter: bigint({ mode: 'number' }).notNull(),
    transports: text().array().notNull(),
    /** The key is kept in an account of its maker, and reaches other devices. */
    isSynced: boolean().notNull(),
    createdAt: instant().notNull().default(sql`now()`),
    lastUsedAt: instant(),
  },
  (t) => [index('passkeys_user').on(t.userId)],
)

/** Challenges that were sent and not yet answered. Each is used once. */
export const passkeyChallenges = pgTable(
  'passkey_challenges',
  {
    /** Hash of the challenge. */
    hash: text().primaryKey(),
    /** Who adds a passkey; null for a sign-in. */
    userId: integer().references(() => users.id),
    expiresAt: instant().notNull(),
  },
  (t) => [index('passkey_challenges_expiry').on(t.expiresAt)],
)
