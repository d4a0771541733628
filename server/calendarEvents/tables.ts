import type { AttendanceState, EventType, Rsvp } from '@innkeeper/contract/calendarEvents/event'
import { sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { MovableMethod } from '../calendar/rules.ts'
import { departments } from '../departments/tables.ts'
import { deletable, identity, instant, stored } from '../kit/db/columns.ts'
import { users } from '../users/tables.ts'

export const events = pgTable(
  'events',
  {
    id: identity('event_id'),
    title: text().notNull(),
    description: text(),
    type: text().$type<EventType>().notNull(),
    startsAt: instant().notNull(),
    /** Not counted. */
    endsAt: instant().notNull(),
    allDay: boolean().notNull(),
    timeZone: text().notNull(),
    location: text(),
    organizerId: integer()
      .notNull()
      .references(() => users.id),
    /** For these people alone; null: for everybody. */
    departmentId: integer().references(() => departments.id),
    capacity: integer(),
    signupUntil: instant(),
    ...stored(),
    ...deletable(),
  },
  (t) => {
    const live = sql`${t.deletedAt} is null`
    return [
      // what a view shows: whatever overlaps its days
      index('events_time').using('gist', sql`tstzrange(${t.startsAt}, ${t.endsAt})`).where(live),
      index('events_starts').on(t.startsAt, t.id).where(live),
      index('events_ends').on(t.endsAt, t.id).where(live),
      index('events_title').on(sql`lower(${t.title})`, t.id).where(live),
      index('events_created').on(t.createdAt, t.id).where(live),
      index('events_type').on(t.type, t.startsAt, t.id).where(live),
      index('events_organizer').on(t.organizerId, t.startsAt, t.id).where(live),
      index('events_search').using('gin', sql`lower(${t.title} || ' ' || coalesce(${t.location}, '')) gin_trgm_ops`),
      check('events_end_after_start', sql`${t.endsAt} >= ${t.startsAt}`),
    ]
  },
)

/** Who is asked, comes or waits. */
export const attendants = pgTable(
  'attendants',
  {
    id: identity('attendant_id'),
    eventId: integer()
      .notNull()
      .references(() => events.id),
    userId: integer()
      .notNull()
      .references(() => users.id),
    rsvp: text().$type<Rsvp>().notNull(),
    /** Null: signed up unasked. */
    invitedById: integer().references(() => users.id),
    answeredAt: instant(),
    /** Since when on the waiting list: who waits longest moves up first. */
    waitingSince: instant(),
    ...stored(),
  },
  (t) => [
    uniqueIndex('attendants_unique_person').on(t.eventId, t.userId),
    index('attendants_person').on(t.userId, t.eventId),
    index('attendants_rsvp').on(t.eventId, t.rsvp, t.waitingSince, t.id),
    index('attendants_created').on(t.eventId, t.createdAt, t.id),
  ],
)

/** Who was there. */
export const attendances = pgTable(
  'attendances',
  {
    id: identity('attendance_id'),
    eventId: integer()
      .notNull()
      .references(() => events.id),
    userId: integer()
      .notNull()
      .references(() => users.id),
    attendance: text().$type<AttendanceState>().notNull(),
    note: text(),
    notedById: integer()
      .notNull()
      .references(() => users.id),
    ...stored(),
  },
  (t) => [
    uniqueIndex('attendances_unique_person').on(t.eventId, t.userId),
    index('attendances_state').on(t.eventId, t.attendance, t.id),
    index('attendances_created').on(t.eventId, t.createdAt, t.id),
  ],
)

/** What comes again by a rule, on the wall clock of its zone. */
export const repeatableEvents = pgTable(
  'repeatable_events',
  {
    id: identity('repeatable_event_id'),
    title: text().notNull(),
    description: text(),
    type: text().$type<EventType>().notNull(),
    rrule: text().notNull(),
    /** `YYYY-MM-DDThh:mm`: not before this day. */
    startLocal: text().notNull(),
    timeZone: text().notNull(),
    durationMin: integer().notNull(),
    allDay: boolean().notNull(),
    location: text(),
    departmentId: integer().references(() => departments.id),
    organizerId: integer()
      .notNull()
      .references(() => users.id),
    /** Days of the rule that it is not held on. */
    exDates: text().array().notNull().default(sql`'{}'`),
    ...stored(),
    ...deletable(),
  },
  (t) => {
    const live = sql`${t.deletedAt} is null`
    return [
      index('repeatable_events_title').on(sql`lower(${t.title})`, t.id).where(live),
      index('repeatable_events_start').on(t.startLocal, t.id).where(live),
      index('repeatable_events_created').on(t.createdAt, t.id).where(live),
      index('repeatable_events_type').on(t.type, t.id).where(live),
      index('repeatable_events_search').using('gin', sql`lower(${t.title}) gin_trgm_ops`),
    ]
  },
)

/** One day of a repetition that is otherwise than its rule says. */
export const repeatChanges = pgTable(
  'repeat_changes',
  {
    id: identity('repeat_change_id'),
    repeatableEventId: integer()
      .notNull()
      .references(() => repeatableEvents.id),
    /** The day that the rule gives. */
    occurrence: date().notNull(),
    title: text(),
    startLocal: text(),
    durationMin: integer(),
    location: text(),
  },
  (t) => [uniqueIndex('repeat_changes_unique_day').on(t.repeatableEventId, t.occurrence)],
)

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
    index('national_events_country').on(sql`coalesce(${t.country}, '')`, t.id).where(sql`${t.deletedAt} is null`),
    index('national_events_kind').on(t.kind, t.id).where(sql`${t.deletedAt} is null`),
    index('national_events_search').using('gin', sql`lower(${t.name}) gin_trgm_ops`),
    check('national_events_years', sql`${t.validTo} is null or ${t.validTo} >= ${t.validFrom}`),
  ],
)
