import { planDefaults } from '@innkeeper/contract/hosting/plans'
import { sql } from 'drizzle-orm'
import { integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { deletable, identity, instant, stored } from '../../kit/db/columns.ts'

/** Columns of a plan: limits in MiB, percent of one core, and counts. */
const figures = () => ({
  name: text().notNull(),
  diskMb: integer().notNull(),
  memoryMb: integer().notNull(),
  cpuPercent: integer().notNull(),
  tasks: integer().notNull(),
  websites: integer().notNull(),
  databases: integer().notNull(),
  mailboxes: integer().notNull(),
  ftpUsers: integer().notNull(),
  /** Recipients an hour of outgoing mail: of one mailbox or website, and of the whole account. */
  mailHourly: integer().notNull().default(planDefaults.mailHourly),
  mailTogether: integer().notNull().default(planDefaults.mailTogether),
  phpVersions: text().array().notNull(),
})

export const plans = pgTable('plans', { id: identity('plan_id'), ...figures(), ...stored(), ...deletable() }, (t) => [
  uniqueIndex('plans_name').on(sql`lower(${t.name})`).where(sql`${t.deletedAt} is null`),
])

/** All saved versions of all plans. */
export const planVersions = pgTable(
  'plan_versions',
  {
    planId: integer()
      .notNull()
      .references(() => plans.id),
    version: integer().notNull(),
    at: instant().notNull().default(sql`now()`),
    by: text().notNull(),
    ...figures(),
  },
  (t) => [primaryKey({ columns: [t.planId, t.version] })],
)
