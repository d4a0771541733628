import { sql } from 'drizzle-orm'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../kit/db/columns.ts'

/** A PHP version that somebody has named before any server runs it. */
export const phpModules = pgTable('php_modules', {
  phpVersion: text().primaryKey(),
  createdBy: integer(),
  createdAt: instant().notNull().default(sql`now()`),
})
