import { integer, jsonb, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { identity, stored } from '../../kit/db/columns.ts'
import { users } from '../users/tables.ts'

/** Saved views of lists, available in every browser in which the person signs in. */
export const views = pgTable(
  'views',
  {
    id: identity('view_id'),
    userId: integer()
      .notNull()
      .references(() => users.id),
    list: text().notNull(),
    name: text().notNull(),
    filters: jsonb().$type<Record<string, string[]>>().notNull(),
    sort: text(),
    direction: text({ enum: ['ASC', 'DESC'] }),
    ...stored(),
  },
  (t) => [unique('views_name').on(t.userId, t.list, t.name)],
)
