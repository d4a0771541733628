import { pgTable, text } from 'drizzle-orm/pg-core'
import { identity } from '../../kit/db/columns.ts'

/** The permissions at the last sync with the catalogue. */
export const scopes = pgTable('scopes', {
  id: identity('scope_id'),
  scope: text().notNull().unique(),
  description: text().notNull(),
})
