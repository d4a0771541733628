import { sql } from 'drizzle-orm'
import { integer, pgTable } from 'drizzle-orm/pg-core'
import { users } from '../../../access/users/tables.ts'
import { stored } from '../../../kit/db/columns.ts'

const ids = () => integer().array().notNull().default(sql`'{}'`)

/** Limits and goals of reviewers. People without a row read everything and have no goal. */
export const qcReviewers = pgTable('qc_reviewers', {
  userId: integer()
    .primaryKey()
    .references(() => users.id),
  /** Departments and teams whose conversations the person may read; both empty: all. */
  departmentIds: ids(),
  teamIds: ids(),
  weeklyGoal: integer(),
  ...stored(),
})
