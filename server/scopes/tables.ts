import { pgTable, text } from 'drizzle-orm/pg-core'
import { identity } from '../kit/db/columns.ts'

/** The permissions as they were when they were last synced with the catalogue. */
export const scopes = pgTable('scopes', {
  id: identity('scope_id'),
  scope: text().notNull().unique(),
  description: text().notNull(),
})
