import { sql } from 'drizzle-orm'
import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../db/columns.ts'

/**
 * Announced changes that webhooks have not taken over yet. The function `announce_change` of the database writes them in
 * the transaction of the change, and only if some webhook wants the kind.
 */
export const announcedChanges = pgTable('announced_changes', {
  id: bigint('announced_change_id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  domain: text().notNull(),
  /** Null: something of the domain changed. */
  objectId: integer(),
  at: instant().notNull().default(sql`now()`),
})
