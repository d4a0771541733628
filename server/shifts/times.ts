import { addDays } from '../calendar/days.ts'
import { instantOf } from '../calendar/times.ts'

/** The instant of minutes after the midnight that a date begins with; past 1440 they are on the next day. */
const minuteOf = (date: string, minute: number, timeZone: string): string =>
  instantOf(`${addDays(date, Math.floor(minute / 1440))}T${clockOf(minute)}`, timeZone)

const known = new Map<string, { startsAt: string; endsAt: string }>()

/** Start and end of a shift as instants. People of one zone work the same hours: each pair is reckoned once. */
export function spanOf(
  date: string,
  start: number,
  end: number,
  timeZone: string,
): { startsAt: string; endsAt: string } {
  const key = `${date} ${start} ${end} ${timeZone}`
  const found = known.get(key) ?? {
    startsAt: minuteOf(date, start, timeZone),
    endsAt: minuteOf(date, end, timeZone),
  }
  if (known.size >= 20_000) known.clear()
  known.set(key, found)
  return found
}

/** Minutes after midnight as a clock has them: 1800 is 06:00. */
export const clockOf = (minute: number): string => {
  const m = minute % 1440
  return `${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`
}

/** By how many minutes a shift lasts longer than its clock times say; less than zero: shorter. */
export const clockChangeOf = (startsAt: string, endsAt: string, start: number, end: number): number =>
  Math.round((Date.parse(endsAt) - Date.parse(startsAt)) / 60_000) - (end - start)
