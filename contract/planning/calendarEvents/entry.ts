import * as z from 'zod'
import { timeZone } from '../../access/profiles.ts'
import { csv, filter, instant } from '../../kit/endpoint.ts'
import { EventType, Rsvp } from './event.ts'

/** Kinds of calendar entries. */
export const entryKinds = {
  event: 'Events',
  repeatable: 'Repeatable events',
  national: 'National events',
  birthday: 'Birthdays',
  shift: 'My shifts',
  leave: 'Leaves',
} as const
export type EntryKind = keyof typeof entryKinds
export const EntryKind = z.enum(Object.keys(entryKinds) as [EntryKind, ...EntryKind[]]) // keys of our own constant

export const CalendarEntry = z.object({
  /** Unique in an answer: `event-12`, `repeatable-3-2026-11-21`. */
  key: z.string(),
  kind: EntryKind,
  /**
   * Id of the event, repetition or national event; for a birthday the person's id; null for a day of the holiday
   * library.
   */
  id: z.int().nullable(),
  title: z.string(),
  type: EventType.nullable(),
  /** First and last day in the requested zone, both included. */
  from: z.string(),
  to: z.string(),
  /** Null: all-day. */
  startsAt: instant.nullable(),
  endsAt: instant.nullable(),
  location: z.string().nullable(),
  /** A day off. */
  free: z.boolean(),
  /** For a repetition: the date by its rule, which identifies the occurrence. */
  occurrence: z.string().nullable(),
  myRsvp: Rsvp.nullable(),
})
export type CalendarEntry = z.output<typeof CalendarEntry>

/** Query parameters of all calendar views. */
export const viewQuery = {
  kinds: filter(csv(EntryKind)),
  type: filter(csv(EventType)),
  /** Time zone of the view's days. Absent: the organisation's. */
  zone: filter(timeZone),
}
/** `from` and `to` are the first and last day of the view. */
export const View = z.object({
  from: z.string(),
  to: z.string(),
  items: z.array(CalendarEntry),
  /** Weekend of the caller's workplace; 1 is Monday. */
  weekend: z.array(z.int()),
  /** The answer was truncated. */
  more: z.boolean().optional(),
})

/** A birthday without the year, so that nobody's age is revealed. */
export const Birthday = z.object({
  userId: z.int(),
  userName: z.string(),
  departmentName: z.string().nullable(),
  image: z.string().nullable(),
  month: z.int(),
  day: z.int(),
  /** The next birthday, or the one in the requested month. 29 February becomes the 28th in other years. */
  date: z.string(),
})
export type Birthday = z.output<typeof Birthday>
