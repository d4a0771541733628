import { dayIn, lastDayIn } from '../calendar/times.ts'
import type { Times } from './events/times.ts'

/** Page on which a person answers an event. */
export const linkTo = (eventId: number): string => `/calendar/events/event/${eventId}/singup`

/** Time of an event in notices: `Fri 27 Nov 2026, 14:00–15:30 (Europe/Oslo)`. */
export function whenInWords({ startsAt, endsAt, allDay, timeZone }: Times): string {
  const first = dayIn(startsAt, timeZone)
  const last = lastDayIn(endsAt, timeZone)
  const day = (text: string) => dayWords.format(new Date(`${text}T12:00:00Z`)).replace(',', '')
  if (allDay) return first === last ? day(first) : `${day(first)} – ${day(last)}`
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
  const time = (instant: string) => clock.format(new Date(instant))
  const end = first === last ? time(endsAt) : `${day(last)}, ${time(endsAt)}`
  return `${day(first)}, ${time(startsAt)}–${end} (${timeZone})`
}

const dayWords = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})
