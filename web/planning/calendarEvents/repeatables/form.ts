import type { EventType } from '@innkeeper/contract/planning/calendarEvents/event'
import type { RepeatableEvent } from '@innkeeper/contract/planning/calendarEvents/repeatable'
import type { Day } from '../../../kit/calendar/days.ts'

/** Values of the repeating event form; '' is an empty field. */
export interface WantedRepeat {
  title: string
  type: EventType
  rrule: string
  startLocal: string
  timeZone: string
  durationMin: string
  allDay: boolean
  location: string
  description: string
  organizerId: number | undefined
  departmentId: number | null
}

export const labels = {
  title: 'Title',
  type: 'Type',
  rrule: 'Rule',
  startLocal: 'First time',
  timeZone: 'Time zone',
  durationMin: 'Minutes',
  location: 'Place',
  description: 'Description',
  organizerId: 'Organizer',
  departmentId: 'For',
}

export const newWanted = (day: Day, timeZone: string): WantedRepeat => ({
  title: '',
  type: 'meeting',
  rrule: 'FREQ=WEEKLY',
  startLocal: `${day}T09:00`,
  timeZone,
  durationMin: '60',
  allDay: false,
  location: '',
  description: '',
  organizerId: undefined,
  departmentId: null,
})

/** Form values of an event; with `from`, as if the event started on that day. */
export const wantedOf = (event: RepeatableEvent, from?: Day): WantedRepeat => ({
  title: event.title,
  type: event.type,
  rrule: event.rrule,
  startLocal: from ? `${from}${event.startLocal.slice(10)}` : event.startLocal,
  timeZone: event.timeZone,
  durationMin: String(event.durationMin),
  allDay: event.allDay,
  location: event.location ?? '',
  description: event.description ?? '',
  organizerId: event.organizerId,
  departmentId: event.departmentId,
})
