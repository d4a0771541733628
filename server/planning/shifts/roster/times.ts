import { remember } from '../../../kit/app/remember.ts'
import { addDays } from '../../calendar/days.ts'
import { instantOf } from '../../calendar/times.ts'

/** Instant of a number of minutes after midnight of a date; 1440 and more is on the next day. */
const minuteOf = (date: string, minute: number, timeZone: string): string =>
  instantOf(`${addDays(date, Math.floor(minute / 1440))}T${clockOf(minute)}`, timeZone)

interface Span {
  startsAt: string
  endsAt: string
}
const spans = remember<Span>(20_000)

/** Start and end of a shift as instants. Cached, because people in one zone have the same times. */
export const spanOf = (date: string, start: number, end: number, timeZone: string): Span =>
  spans(`${date} ${start} ${end} ${timeZone}`, () => ({
    startsAt: minuteOf(date, start, timeZone),
    endsAt: minuteOf(date, end, timeZone),
  }))

/** Clock time of minutes after midnight: 1800 is 06:00. */
export const clockOf = (minute: number): string => {
  const m = minute % 1440
  return `${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`
}

/** Minutes by which a clock change makes a shift longer (or shorter, if negative) than its clock times. */
export const clockChangeOf = (startsAt: string, endsAt: string, start: number, end: number): number =>
  Math.round((Date.parse(endsAt) - Date.parse(startsAt)) / 60_000) - (end - start)
