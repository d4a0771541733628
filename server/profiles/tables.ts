import type { Delivery, Reason } from '@innkeeper/contract/notifications'
import { sql } from 'drizzle-orm'
import { date, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { stored } from '../kit/db/columns.ts'
import { users } from '../users/tables.ts'

/** What is known of a person beside the account. Its id is the person's; who has no row has said nothing yet. */
export const profiles = pgTable('profiles', {
  id: integer('user_id')
    .primaryKey()
    .references(() => users.id),
  phone: text(),
  birthDate: date(),
  hiredAt: date(),
  /** Null: that of the browser. */
  timeZone: text(),
  quietFrom: text(),
  quietTo: text(),
  deliveries: jsonb().$type<Partial<Record<Reason, Delivery>>>().notNull().default(sql`'{}'`),
  ...stored(),
})
