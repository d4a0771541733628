import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import type { MovableMethod } from '../calendar/rules.ts'
import { deletable, identity, stored } from '../kit/columns.ts'

/** Days of the nation that the library does not have, or has otherwise: they win over it. */
export const nationalEvents = pgTable(
  'national_events',
  {
    id: identity('national_event_id'),
    name: text().notNull(),
    description: text(),
    /** Where it counts; null: at every workplace. */
    country: text(),
    kind: text().$type<'fixed' | 'movable'>().notNull(),
    month: integer(),
    day: integer(),
    movableMethod: text().$type<MovableMethod>(),
    /** 1 is Monday. */
    weekday: integer(),
    week: integer(),
    offsetDays: integer().notNull().default(0),
    substitution: text().$type<'none' | 'next-working-day'>().notNull(),
    /** Nobody has to work; else it is only shown. */
    isDayOff: boolean().notNull(),
    /** The library's rule that it stands for, in the years that it is valid in. */
    replaces: text(),
    validFrom: integer().notNull(),
    validTo: integer(),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    index('national_events_name').on(sql`lower(${t.name})`, t.id).where(sql`${t.deletedAt} is null`),
    index('national_events_created').on(t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('national_events_country').on(t.country, t.id).where(sql`${t.deletedAt} is null`),
    index('national_events_kind').on(t.kind, t.id).where(sql`${t.deletedAt} is null`),
    index('national_events_search').using('gin', sql`lower(${t.name}) gin_trgm_ops`),
    check('national_events_years', sql`${t.validTo} is null or ${t.validTo} >= ${t.validFrom}`),
  ],
)
