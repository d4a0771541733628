import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { identity, instant } from '../../kit/db/columns.ts'
import { users } from '../users/tables.ts'

/** The secret is stored encrypted in `secrets`. Until `confirmedAt` is set, sign-in requires no code. */
export const secondFactors = pgTable('second_factors', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id),
  createdAt: instant().notNull().default(sql`now()`),
  confirmedAt: instant(),
  /** Time step of the last used code: each code is valid once. */
  lastStep: integer().notNull().default(0),
})

/** One-time codes for a lost authenticator, stored as hashes. */
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
