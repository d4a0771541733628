import { refused } from '../../../kit/http/errors.ts'
import { addDays, daysFromTo } from '../../calendar/days.ts'
import { dayIn, endOfDay, instantOf, lastDayIn, localOf, startOfDay } from '../../calendar/times.ts'

const LONGEST_DAYS = 366

/** Times of an event: two instants, or whole days in a zone. */
export interface Times {
  startsAt: string
  endsAt: string
  allDay: boolean
  timeZone: string
}

/** Converts requested times to instants. Whole days include the last day. 422 with the invalid field. */
export function timesOf({ startsAt, endsAt, allDay, timeZone }: Times): Times {
  const [start, end] = allDay
    ? [startOfDay(dayIn(startsAt, timeZone), timeZone), endOfDay(lastDay(endsAt, timeZone), timeZone)]
    : [instantOf(startsAt, timeZone), instantOf(endsAt, timeZone)]
  if (end <= start) throw refused('The end is before the beginning', { endsAt: 'Has to be after the beginning' })
  if (daysFromTo(dayIn(start, timeZone), lastDayIn(end, timeZone)) > LONGEST_DAYS)
    throw refused('The event is longer than a year', { endsAt: `At most ${LONGEST_DAYS} days` })
  return { startsAt: start, endsAt: end, allDay, timeZone }
}

/** Last day of an all-day event: an instant is an exclusive end, as in answers; a local time is the last day itself. */
const lastDay = (endsAt: string, zone: string) => (endsAt.length === 16 ? dayIn(endsAt, zone) : lastDayIn(endsAt, zone))

/** Times for a form: of whole days the first and the last day. */
export const localTimes = ({ startsAt, endsAt, allDay, timeZone }: Times) => ({
  startLocal: localOf(startsAt, timeZone),
  endLocal: allDay ? `${addDays(dayIn(endsAt, timeZone), -1)}T00:00` : localOf(endsAt, timeZone),
})
