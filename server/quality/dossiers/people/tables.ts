import { sql } from 'drizzle-orm'
import { date, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { users } from '../../../access/users/tables.ts'
import { deletable, instant, stored } from '../../../kit/db/columns.ts'

/** Staff with a dossier. Reopening a closed dossier uses the same row. */
export const dossiers = pgTable(
  'dossiers',
  {
    userId: integer()
      .primaryKey()
      .references(() => users.id),
    startedOn: date(),
    about: text().notNull().default(''),
    /** When texts about the person were erased. */
    erasedAt: instant(),
    ...stored(),
    ...deletable(),
  },
  (t) => [index('dossiers_created').on(t.createdAt, t.userId).where(sql`${t.deletedAt} is null`)],
)
