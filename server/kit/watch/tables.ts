import { sql } from 'drizzle-orm'
import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { identity, instant } from '../db/columns.ts'

/** Processes of Innkeeper, as each reports itself. A process that stops removes its row. */
export const nodes = pgTable('nodes', {
  id: identity('node_id'),
  /** Machine and port. */
  name: text().notNull(),
  /** Tells processes with the same name apart. */
  instance: text().notNull().unique(),
  roles: text().array().notNull(),
  version: text().notNull(),
  startedAt: instant().notNull(),
  at: instant().notNull().default(sql`now()`),
  /** Schedules that have not succeeded for long. */
  late: text().array().notNull(),
  /** Bytes of the disk with the data folder. */
  diskFree: bigint({ mode: 'number' }).notNull(),
  diskTotal: bigint({ mode: 'number' }).notNull(),
  /** By how much the clock of the machine is ahead of the database’s. */
  clockMs: integer().notNull(),
})
