import type { CalendarEntry } from '@innkeeper/contract/planning/calendarEvents/entry'
import type { EventType } from '@innkeeper/contract/planning/calendarEvents/event'
import type { Staff } from '../../../kit/access/sessions.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Span } from './span.ts'

/** Days of a calendar view, its time zone and its viewer. */
export interface Window extends Span {
  zone: string
  staff: Staff
  type?: readonly EventType[] | undefined
}
/** Reads the entries of one kind for the days of a view. */
export type Source = (db: Db, window: Window) => Promise<CalendarEntry[]>
export const blank = {
  type: null,
  startsAt: null,
  endsAt: null,
  location: null,
  free: false,
  occurrence: null,
  myRsvp: null,
}
