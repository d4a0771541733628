import { addDays, weekdayOf, yearOf } from '../../calendar/days.ts'
import type { Rostered } from '../followers.ts'
import { type Counted, count, daysOf, type Span } from './leaveDays.ts'

/** Noon in minutes: the boundary of half days. */
const NOON = 720
const mondayOf = (date: string) => addDays(date, 1 - weekdayOf(date))

/** First and last day of the weeks that a span overlaps. In weeks with a roster, days are charged by shifts. */
export const weeksOf = ({ startDate, endDate }: Span): { from: string; to: string } => ({
  from: mondayOf(startDate),
  to: addDays(mondayOf(endDate), 6),
})

/** True if a shift overlaps a span, including the night shift of the previous day. */
function isWithin(shift: Pick<Rostered, 'date' | 'startMinute' | 'endMinute'>, span: Span): boolean {
  const at = (day: string, minute: number) => Date.parse(`${day}T00:00:00Z`) / 60_000 + minute
  const start = at(span.startDate, span.startPart === 'afternoon' ? NOON : 0)
  const end = at(span.endDate, span.endPart === 'morning' ? NOON : 1440)
  return at(shift.date, shift.endMinute) > start && at(shift.date, shift.startMinute) < end
}

/**
 * Charge of a leave by the roster: a day per shift, or the hours of the shifts divided by the daily norm, rounded to
 * half days. In weeks without a shift of the person, working days are charged.
 */
export function countByRoster(
  span: Span,
  charge: 'shifts' | 'hours',
  shifts: readonly Rostered[],
  calendar: Parameters<typeof count>[2],
): Counted & { shifts: number } {
  const planned = new Set(shifts.map(({ date }) => mondayOf(date)))
  const taken = shifts.filter((shift) => isWithin(shift, span))
  const counted: Counted = { halves: 0, years: new Map(), holidays: [], weekend: 0 }
  const add = (year: number, halves: number) => {
    counted.halves += halves
    counted.years.set(year, (counted.years.get(year) ?? 0) + halves)
  }
  for (const [year, theirs] of Map.groupBy(taken, ({ date }) => yearOf(date < span.startDate ? span.startDate : date)))
    add(year, charge === 'shifts' ? theirs.length * 2 : halvesOfHours(theirs))
  for (const date of daysOf(span)) {
    if (planned.has(mondayOf(date))) continue
    const part = count(dayOf(span, date), { countsEveryDay: false }, calendar)
    counted.weekend += part.weekend
    counted.holidays.push(...part.holidays)
    if (part.halves) add(yearOf(date), part.halves)
  }
  return { ...counted, shifts: taken.length }
}

/** Half days for the worked hours; at least one. */
const halvesOfHours = (shifts: readonly Rostered[]): number =>
  Math.max(
    1,
    Math.round(shifts.reduce((sum, { workMinutes, normMinutes }) => sum + (2 * workMinutes) / (normMinutes || 480), 0)),
  )

/** One day of a span with its part. */
function dayOf(span: Span, date: string): Span {
  const part =
    date === span.startDate && span.startPart !== 'full'
      ? span.startPart
      : date === span.endDate && span.endPart !== 'full'
        ? span.endPart
        : 'full'
  return { startDate: date, endDate: date, startPart: part, endPart: part }
}
