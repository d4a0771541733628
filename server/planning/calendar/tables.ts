import { sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, pgTable, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { departments } from '../../access/departments/tables.ts'
import { users } from '../../access/users/tables.ts'
import { deletable, identity, instant, stored } from '../../kit/db/columns.ts'
import type { MovableMethod } from './rules.ts'

/** Workplaces: public holidays and time zone of a department. Without a department: of the organisation. */
export const workplaces = pgTable(
  'workplaces',
  {
    id: identity('workplace_id'),
    departmentId: integer().references(() => departments.id),
    /** ISO 3166 code, as NO; null: only the national events of the organisation apply. */
    country: text(),
    /** Region with its own holidays, by the library's code: BY in DE. */
    region: text(),
    timeZone: text().notNull(),
    /** Days of the week, 1 is Monday. At least two working days remain. */
    weekend: integer().array().notNull().default(sql`'{6,7}'`),
    /** Minutes after midnight at which a half day of leave begins or ends. */
    halfDayMinute: integer().notNull().default(720),
    /** Days of every year on which work ends at that minute, as `12-24`. */
    halfHolidays: text().array().notNull().default(sql`'{}'`),
    ...stored(),
  },
  (t) => [unique('workplaces_unique_department').on(t.departmentId).nullsNotDistinct()],
)

/** National days that the library lacks or has wrong. They take precedence over the library. */
export const nationalEvents = pgTable(
  'national_events',
  {
    id: identity('national_event_id'),
    name: text().notNull(),
    description: text(),
    /** Country in which it applies; null: every workplace. */
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
    /** True: a day off. False: only shown. */
    isDayOff: boolean().notNull(),
    /** Library rule that this event replaces while it is valid. */
    replaces: text(),
    validFrom: integer().notNull(),
    validTo: integer(),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    index('national_events_name').on(sql`lower(${t.name})`, t.id).where(sql`${t.deletedAt} is null`),
    index('national_events_created').on(t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('national_events_country').on(sql`coalesce(${t.country}, '')`, t.id).where(sql`${t.deletedAt} is null`),
    index('national_events_kind').on(t.kind, t.id).where(sql`${t.deletedAt} is null`),
    index('national_events_search').using('gin', sql`lower(${t.name}) gin_trgm_ops`),
    check('national_events_years', sql`${t.validTo} is null or ${t.validTo} >= ${t.validFrom}`),
  ],
)

/**
 * Working days and hours of a person from a day on, until the next row begins. People without a row work on the days of
 * their workplace. Earlier rows stay, so that past months keep their figures.
 */
export const workingWeeks = pgTable(
  'working_weeks',
  {
    id: identity('working_week_id'),
    userId: integer()
      .notNull()
      .references(() => users.id),
    validFrom: date().notNull(),
    /** Minutes of work from Monday to Sunday, 0 for a day off; null: as the workplace again. */
    minutes: integer().array(),
    /** Days of work, and how many days a whole week had at the workplace when this was saved: 3 of 5. */
    days: integer().notNull(),
    fullDays: integer().notNull(),
    ...stored(),
  },
  (t) => [
    uniqueIndex('working_weeks_once').on(t.userId, t.validFrom),
    check('working_weeks_seven', sql`${t.minutes} is null or cardinality(${t.minutes}) = 7`),
    check('working_weeks_full', sql`${t.fullDays} > 0`),
  ],
)

/** Months whose shifts and leaves are final. */
export const shiftMonths = pgTable('shift_months', {
  month: date().primaryKey(),
  closedAt: instant().notNull().default(sql`now()`),
  closedBy: text().notNull(),
})
