import { pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../db/columns.ts'

/** Tickets for downloads that were used, by their seal, until they expire: a ticket opens one download. */
export const usedTickets = pgTable('used_tickets', {
  seal: text().primaryKey(),
  expiresAt: instant().notNull(),
})
