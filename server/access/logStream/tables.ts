import { sql } from 'drizzle-orm'
import { bigint, check, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../../kit/db/columns.ts'

/** How far the action log has been streamed. One row at most. */
export const logStreams = pgTable(
  'log_streams',
  {
    only: integer().primaryKey().default(1),
    /** The last position of the chain that the receiver has taken. */
    position: bigint({ mode: 'number' }).notNull(),
    since: instant().notNull().default(sql`now()`),
    sentAt: instant(),
    failingSince: instant(),
    error: text(),
    /** The process that streams, and until when no other one may. */
    holder: text(),
    heldUntil: instant(),
  },
  (t) => [check('log_streams_one', sql`${t.only} = 1`)],
)
