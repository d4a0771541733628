import type { Language, Region } from '@innkeeper/contract/access/locale'
import type { Delivery, Reason } from '@innkeeper/contract/access/notifications'
import { sql } from 'drizzle-orm'
import { date, integer, jsonb, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { stored } from '../../kit/db/columns.ts'
import { users } from '../users/tables.ts'

/** Personal data beside the account. The id is the user's; a user without a row has not filled in anything. */
export const profiles = pgTable('profiles', {
  id: integer('user_id')
    .primaryKey()
    .references(() => users.id),
  phone: text(),
  birthDate: date(),
  hiredAt: date(),
  /** Null: employed until further notice. */
  lastDay: date(),
  /** Null: the time zone of the browser. */
  timeZone: text(),
  /** Null: English, as written in Great Britain, with weeks from Monday. */
  language: text().$type<Language>(),
  region: text().$type<Region>(),
  firstDay: smallint().$type<1 | 6 | 7>(),
  quietFrom: text(),
  quietTo: text(),
  deliveries: jsonb().$type<Partial<Record<Reason, Delivery>>>().notNull().default(sql`'{}'`),
  ...stored(),
})
