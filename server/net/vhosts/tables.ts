import { sql } from 'drizzle-orm'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../../kit/db/columns.ts'

/** A PHP version that a person added before any server ran it. */
export const phpModules = pgTable('php_modules', {
  phpVersion: text().primaryKey(),
  createdBy: integer(),
  createdAt: instant().notNull().default(sql`now()`),
})
