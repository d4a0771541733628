import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../db/columns.ts'

/** Encrypted with AES-256-GCM under INNKEEPER_KEY; the name is additional data. */
export const secrets = pgTable(
  'secrets',
  {
    name: text().primaryKey(),
    sealed: text().notNull(),
    createdAt: instant().notNull().default(sql`now()`),
    /** When the key of this secret was given up: it has to be entered again. */
    lostAt: instant(),
  },
  (t) => [index('secrets_lost').on(t.name).where(sql`${t.lostAt} is not null`)],
)

/** Which key encrypts the secrets, and the exchange of keys that is under way. One row at most; see newKey.ts. */
export const encryptionKeys = pgTable(
  'encryption_keys',
  {
    only: integer().primaryKey().default(1),
    /** A known text under the current key, and under the one before. */
    proof: text().notNull(),
    formerProof: text(),
    /** During an exchange: the new key, encrypted under the former key, and the reverse. */
    next: text(),
    former: text(),
    since: instant().notNull().default(sql`now()`),
  },
  (t) => [check('encryption_keys_one', sql`${t.only} = 1`)],
)
export type EncryptionKeys = typeof encryptionKeys.$inferSelect
