import { sql } from 'drizzle-orm'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../db/columns.ts'

/** Encrypted with AES-256-GCM under INNKEEPER_KEY; the name is additional data. */
export const secrets = pgTable('secrets', {
  name: text().primaryKey(),
  sealed: text().notNull(),
  createdAt: instant().notNull().default(sql`now()`),
})
