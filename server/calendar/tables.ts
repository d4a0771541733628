import { sql } from 'drizzle-orm'
import { integer, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { departments } from '../departments/tables.ts'
import { identity, stored } from '../kit/db/columns.ts'

/** Workplaces: public holidays and time zone of a department. Without a department: of the organisation. */
export const workplaces = pgTable(
  'workplaces',
  {
    id: identity('workplace_id'),
    departmentId: integer().references(() => departments.id),
    /** ISO 3166 code, as NO; null: only the national events of the organisation apply. */
    country: text(),
    /** Region with its own holidays, by the library's code: BY in DE. */
    region: text(),
    timeZone: text().notNull(),
    /** Days of the week, 1 is Monday. At least two working days remain. */
    weekend: integer().array().notNull().default(sql`'{6,7}'`),
    ...stored(),
  },
  (t) => [unique('workplaces_unique_department').on(t.departmentId).nullsNotDistinct()],
)
