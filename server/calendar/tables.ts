import { sql } from 'drizzle-orm'
import { integer, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { departments } from '../departments/tables.ts'
import { identity, stored } from '../kit/db/columns.ts'

/** Where people work: whose public holidays are theirs, and in which zone their days begin. Without a department: the organisation. */
export const workplaces = pgTable(
  'workplaces',
  {
    id: identity('workplace_id'),
    departmentId: integer().references(() => departments.id),
    /** ISO 3166, as NO; null: no public holidays but our own national events. */
    country: text(),
    /** A part of the country with holidays of its own, as the library names it: BY in DE. */
    region: text(),
    timeZone: text().notNull(),
    /** Days of the week, 1 is Monday. At least two days of work stay. */
    weekend: integer().array().notNull().default(sql`'{6,7}'`),
    ...stored(),
  },
  (t) => [unique('workplaces_unique_department').on(t.departmentId).nullsNotDistinct()],
)
