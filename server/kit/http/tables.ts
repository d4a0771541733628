import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant } from '../db/columns.ts'

/** Tickets for downloads that were used, by their seal, until they expire: a ticket opens one download. */
export const usedTickets = pgTable('used_tickets', {
  seal: text().primaryKey(),
  expiresAt: instant().notNull(),
})

/** Answers to creating calls that had an `Idempotency-Key`, for a day. `answer` is encrypted; see idempotency.ts. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    /** `user 12` or `token 7`: whose key it is. */
    actor: text().notNull(),
    /** Hash of the key. */
    key: text().notNull(),
    /** Hash of call and input. */
    request: text().notNull(),
    status: integer().notNull(),
    answer: text().notNull(),
    createdAt: instant().notNull().default(sql`now()`),
  },
  (t) => [primaryKey({ columns: [t.actor, t.key] }), index('idempotency_keys_created').on(t.createdAt)],
)
