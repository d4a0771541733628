import { sql } from 'drizzle-orm'
import { integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { deletable, identity, stored } from '../kit/columns.ts'

/** MiB, percent of one core, counts. */
export const plans = pgTable(
  'plans',
  {
    id: identity('plan_id'),
    name: text().notNull(),
    diskMb: integer().notNull(),
    memoryMb: integer().notNull(),
    cpuPercent: integer().notNull(),
    tasks: integer().notNull(),
    websites: integer().notNull(),
    databases: integer().notNull(),
    mailboxes: integer().notNull(),
    ftpUsers: integer().notNull(),
    phpVersions: text().array().notNull(),
    ...stored(),
    ...deletable(),
  },
  (t) => [uniqueIndex('plans_name').on(sql`lower(${t.name})`).where(sql`${t.deletedAt} is null`)],
)
