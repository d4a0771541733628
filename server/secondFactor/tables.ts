import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { identity, instant } from '../kit/db/columns.ts'
import { users } from '../users/tables.ts'

/** Its secret lies with the other secrets, sealed. Without `confirmedAt` nothing is asked for yet. */
export const secondFactors = pgTable('second_factors', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id),
  createdAt: instant().notNull().default(sql`now()`),
  confirmedAt: instant(),
  /** The last half minute whose code was used: a code is used once. */
  lastStep: integer().notNull().default(0),
})

/** For who lost the authenticator: each is used once, and lies here as a hash. */
export const backupCodes = pgTable(
  'backup_codes',
  {
    id: identity('backup_code_id'),
    userId: integer()
      .notNull()
      .references(() => users.id),
    hash: text().notNull(),
    usedAt: instant(),
  },
  (t) => [index('backup_codes_user').on(t.userId)],
)
