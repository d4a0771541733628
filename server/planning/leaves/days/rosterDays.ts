import { addDays, weekdayOf, yearOf } from '../../calendar/days.ts'
import { normOn } from '../../calendar/workingDays.ts'
import type { Rostered } from '../followers.ts'
import { restOf, windowOf } from './halfDays.ts'
import { type Counted, count, daysOf, type Span } from './leaveDays.ts'

const mondayOf = (date: string) => addDays(date, 1 - weekdayOf(date))

/** First and last day of the weeks that a span overlaps. In weeks with a roster, days are charged by shifts. */
export const weeksOf = ({ startDate, endDate }: Span): { from: string; to: string } => ({
  from: mondayOf(startDate),
  to: addDays(mondayOf(endDate), 6),
})

/** True if a shift overlaps a span, including the night shift of the previous day. */
function isWithin(shift: Rostered, span: Span, halfDayMinute: number): boolean {
  const { from, to } = windowOf(span, shift.date, halfDayMinute)
  return shift.endMinute > from && shift.startMinute < to
}

/** The share of a shift that a span takes: 1, or less if the rest of the shift stays planned. */
function shareOf(shift: Rostered, span: Span, halfDayMinute: number): number {
  if (span.startPart === 'full' && span.endPart === 'full') return 1
  const rest = restOf(shift, span, halfDayMinute)
  return rest ? 1 - (rest.endMinute - rest.startMinute) / (shift.endMinute - shift.startMinute) : 1
}

/**
 * Charge of a leave by the roster: a day per shift and half a day per shift of which a part stays, or the hours of the
 * shifts divided by the daily norm, rounded to half days. In weeks without a shift of the person, working days are charged.
 */
export function countByRoster(
  span: Span,
  charge: 'shifts' | 'hours',
  shifts: readonly Rostered[],
  calendar: Parameters<typeof count>[2] & { halfDayMinute: number },
): Counted & { shifts: number } {
  const planned = new Set(shifts.map(({ date }) => mondayOf(date)))
  const { halfDayMinute } = calendar
  const taken = shifts
    .filter((shift) => !shift.isFreed && isWithin(shift, span, halfDayMinute))
    .map((shift) => ({ ...shift, share: shareOf(shift, span, halfDayMinute) }))
  const counted: Counted = { halves: 0, years: new Map(), holidays: [], weekend: 0 }
  const add = (year: number, halves: number) => {
    counted.halves += halves
    counted.years.set(year, (counted.years.get(year) ?? 0) + halves)
  }
  for (const [year, theirs] of Map.groupBy(taken, ({ date }) => yearOf(date < span.startDate ? span.startDate : date)))
    add(
      year,
      charge === 'shifts'
        ? sumOf(theirs, ({ share, isRest }) => (share < 1 || isRest ? 1 : 2))
        : halvesOfHours(theirs, ({ date, normMinutes }) => normOn(calendar, date, normMinutes)),
    )
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
const halvesOfHours = (
  shifts: readonly (Rostered & { share: number })[],
  normOf: (shift: Rostered) => number,
): number =>
  Math.max(1, Math.round(sumOf(shifts, (shift) => (2 * shift.workMinutes * shift.share) / (normOf(shift) || 480))))

const sumOf = <T>(all: readonly T[], of: (one: T) => number): number => all.reduce((sum, one) => sum + of(one), 0)

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
