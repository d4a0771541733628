import * as z from 'zod'
import { csv, filter, instant } from '../kit.ts'
import { timeZone } from '../profiles.ts'
import { EventType, Rsvp } from './event.ts'

/** What a calendar shows side by side. */
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
  /** Of the event, the repetition, the national event, or, for a birthday, the person; null: the holiday library's. */
  id: z.int().nullable(),
  title: z.string(),
  type: EventType.nullable(),
  /** Days in the asked zone, both counted. */
  from: z.string(),
  to: z.string(),
  /** Null: whole days. */
  startsAt: instant.nullable(),
  endsAt: instant.nullable(),
  location: z.string().nullable(),
  /** A day on which nobody has to work. */
  free: z.boolean(),
  /** Of a repetition: the day that its rule gives. */
  occurrence: z.string().nullable(),
  myRsvp: Rsvp.nullable(),
})
export type CalendarEntry = z.output<typeof CalendarEntry>

/** What every view takes. */
export const viewQuery = {
  kinds: filter(csv(EntryKind)),
  type: filter(csv(EventType)),
  /** In whose days the view is; absent: the organisation's. */
  zone: filter(timeZone),
}
/** `from` and `to` are the days of the view, both counted. */
export const View = z.object({
  from: z.string(),
  to: z.string(),
  items: z.array(CalendarEntry),
  /** Days of the week on which nobody works where the caller is, 1 is Monday. */
  weekend: z.array(z.int()),
  /** There is more than is shown. */
  more: z.boolean().optional(),
})

/** Without the year: nobody's age is anybody's business. */
export const Birthday = z.object({
  userId: z.int(),
  userName: z.string(),
  departmentName: z.string().nullable(),
  image: z.string().nullable(),
  month: z.int(),
  day: z.int(),
  /** The next one, or the one of the asked month; 29 February is the 28th where there is none. */
  date: z.string(),
})
export type Birthday = z.output<typeof Birthday>
