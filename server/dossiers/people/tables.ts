import { sql } from 'drizzle-orm'
import { date, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { deletable, instant, stored } from '../../kit/db/columns.ts'
import { users } from '../../users/tables.ts'

/** Staff with a dossier. A dossier that was closed and is opened again is the same row. */
export const dossiers = pgTable(
  'dossiers',
  {
    userId: integer()
      .primaryKey()
      .references(() => users.id),
    startedOn: date(),
    about: text().notNull().default(''),
    /** Texts about the person were erased. */
    erasedAt: instant(),
    ...stored(),
    ...deletable(),
  },
  (t) => [index('dossiers_created').on(t.createdAt, t.userId).where(sql`${t.deletedAt} is null`)],
)
