import type { CalendarEvent, EventType } from '@innkeeper/contract/planning/calendarEvents/event'
import { addDays, type Day } from '../../../kit/calendar/days.ts'

/** Values of the event form; '' is an empty field. */
export interface WantedEvent {
  title: string
  type: EventType
  allDay: boolean
  startsAt: string
  endsAt: string
  timeZone: string
  location: string
  description: string
  organizerId: number | undefined
  departmentId: number | null
  capacity: string
  signupUntil: string
}

export const labels = {
  title: 'Title',
  type: 'Type',
  startsAt: 'Begins',
  endsAt: 'Ends',
  timeZone: 'Time zone',
  location: 'Place',
  description: 'Description',
  organizerId: 'Organizer',
  departmentId: 'For',
  capacity: 'Places',
  signupUntil: 'Sign up until',
}

/** A new event on these days: from nine to ten on one day, all-day over several. */
export const newWanted = (from: Day, to: Day, timeZone: string): WantedEvent => ({
  title: '',
  type: 'meeting',
  allDay: from !== to,
  startsAt: from === to ? `${from}T09:00` : `${from}T00:00`,
  endsAt: from === to ? `${to}T10:00` : `${to}T00:00`,
  timeZone,
  location: '',
  description: '',
  organizerId: undefined,
  departmentId: null,
  capacity: '',
  signupUntil: '',
})

export const wantedOf = (event: CalendarEvent, signupLocal: string): WantedEvent => ({
  title: event.title,
  type: event.type,
  allDay: event.allDay,
  startsAt: event.startLocal,
  endsAt: event.endLocal,
  timeZone: event.timeZone,
  location: event.location ?? '',
  description: event.description ?? '',
  organizerId: event.organizerId,
  departmentId: event.departmentId,
  capacity: event.capacity === null ? '' : String(event.capacity),
  signupUntil: signupLocal,
})

/** Moves the end along with the start, so that the duration stays the same. */
export function endAfter(wanted: Pick<WantedEvent, 'startsAt' | 'endsAt'>, startsAt: string): string {
  const length = Date.parse(`${wanted.endsAt}Z`) - Date.parse(`${wanted.startsAt}Z`)
  const start = Date.parse(`${startsAt}Z`)
  if (!Number.isFinite(length + start) || length < 0) return wanted.endsAt
  return new Date(start + length).toISOString().slice(0, 16)
}

/** The range of days in the address, or today. */
export const pickedDays = (from: Day | undefined, to: Day | undefined, today: Day): [Day, Day] => {
  const first = from ?? today
  return [first, to && to >= first && to <= addDays(first, 365) ? to : first]
}
