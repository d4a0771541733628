import { addDays, daysFromTo } from '../calendar/days.ts'
import { dayIn, endOfDay, instantOf, lastDayIn, localOf, startOfDay } from '../calendar/times.ts'
import { refused } from '../kit/http/errors.ts'

const LONGEST_DAYS = 366

/** When something is: between two instants, or whole days of a zone. */
export interface Times {
  startsAt: string
  endsAt: string
  allDay: boolean
  timeZone: string
}

/** The instants of what was asked for. Of whole days the days count, with the last one; 422 beside the field that is wrong. */
export function timesOf({ startsAt, endsAt, allDay, timeZone }: Times): Times {
  const [start, end] = allDay
    ? [startOfDay(dayIn(startsAt, timeZone), timeZone), endOfDay(lastDay(endsAt, timeZone), timeZone)]
    : [instantOf(startsAt, timeZone), instantOf(endsAt, timeZone)]
  if (end <= start) throw refused('It ends before it begins', { endsAt: 'Has to be after the beginning' })
  if (daysFromTo(dayIn(start, timeZone), lastDayIn(end, timeZone)) > LONGEST_DAYS)
    throw refused('It is longer than a year', { endsAt: `At most ${LONGEST_DAYS} days` })
  return { startsAt: start, endsAt: end, allDay, timeZone }
}

/** An instant is where the next thing can begin, as in our answers; a day on the wall clock is itself the last. */
const lastDay = (endsAt: string, zone: string) => (endsAt.length === 16 ? dayIn(endsAt, zone) : lastDayIn(endsAt, zone))

/** As a form shows them: of whole days the first and the last. */
export const localTimes = ({ startsAt, endsAt, allDay, timeZone }: Times) => ({
  startLocal: localOf(startsAt, timeZone),
  endLocal: allDay ? `${addDays(dayIn(endsAt, timeZone), -1)}T00:00` : localOf(endsAt, timeZone),
})
