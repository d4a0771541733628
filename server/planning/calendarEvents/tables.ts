import type { AttendanceState, EventType, Rsvp } from '@innkeeper/contract/planning/calendarEvents/event'
import { sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { departments } from '../../access/departments/tables.ts'
import { users } from '../../access/users/tables.ts'
import { deletable, identity, instant, stored } from '../../kit/db/columns.ts'

export const events = pgTable(
  'events',
  {
    id: identity('event_id'),
    title: text().notNull(),
    description: text(),
    type: text().$type<EventType>().notNull(),
    startsAt: instant().notNull(),
    /** Exclusive. */
    endsAt: instant().notNull(),
    allDay: boolean().notNull(),
    timeZone: text().notNull(),
    location: text(),
    organizerId: integer()
      .notNull()
      .references(() => users.id),
    /** Only for this department; null: for everybody. */
    departmentId: integer().references(() => departments.id),
    capacity: integer(),
    signupUntil: instant(),
    ...stored(),
    ...deletable(),
  },
  (t) => {
    const live = sql`${t.deletedAt} is null`
    return [
      // calendar views: events that overlap a range
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

/** Invitations and answers, including the waiting list. */
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
    /** Null: the person signed up without an invitation. */
    invitedById: integer().references(() => users.id),
    answeredAt: instant(),
    /** Start of the wait: whoever has waited longest gets the next place. */
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

/** Recorded attendance. */
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

/** Events that repeat by a rule, in the local time of a zone. */
export const repeatableEvents = pgTable(
  'repeatable_events',
  {
    id: identity('repeatable_event_id'),
    title: text().notNull(),
    description: text(),
    type: text().$type<EventType>().notNull(),
    rrule: text().notNull(),
    /** First day and time, `YYYY-MM-DDThh:mm`. */
    startLocal: text().notNull(),
    timeZone: text().notNull(),
    durationMin: integer().notNull(),
    allDay: boolean().notNull(),
    location: text(),
    departmentId: integer().references(() => departments.id),
    organizerId: integer()
      .notNull()
      .references(() => users.id),
    /** Excluded days of the rule. */
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

/** A changed day of a repetition. */
export const repeatChanges = pgTable(
  'repeat_changes',
  {
    id: identity('repeat_change_id'),
    repeatableEventId: integer()
      .notNull()
      .references(() => repeatableEvents.id),
    /** Day that the rule gives. */
    occurrence: date().notNull(),
    title: text(),
    startLocal: text(),
    durationMin: integer(),
    location: text(),
  },
  (t) => [uniqueIndex('repeat_changes_unique_day').on(t.repeatableEventId, t.occurrence)],
)
