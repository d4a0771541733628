import { daysFromTo } from '../../calendar/days.ts'
import type { Span } from './leaveDays.ts'

/** Minutes after midnight of a day; the end may be on the next day. */
export interface Minutes {
  startMinute: number
  endMinute: number
}

/** The minutes of a leave, counted from midnight of a day. The hour of the workplace halves its first and last day. */
export function windowOf(
  { startDate, endDate, startPart, endPart }: Span,
  date: string,
  halfDayMinute: number,
): { from: number; to: number } {
  const dayOf = (day: string) => (daysFromTo(date, day) - 1) * 1440
  return {
    from: dayOf(startDate) + (startPart === 'afternoon' ? halfDayMinute : 0),
    to: dayOf(endDate) + (endPart === 'morning' ? halfDayMinute : 1440),
  }
}

/** A rest shorter than this is not worth the way to work, so the whole shift is off. */
const LEAST = 60

/**
 * What stays of a shift that a half day of leave cuts: before an afternoon off, or after a morning off. Undefined if
 * the leave takes the whole shift. Whole days take whole shifts, the night before them included.
 */
export function restOf(shift: Minutes & { date: string }, span: Span, halfDayMinute: number): Minutes | undefined {
  const { from, to } = windowOf(span, shift.date, halfDayMinute)
  const before = { startMinute: shift.startMinute, endMinute: Math.min(from, shift.endMinute) }
  const after = { startMinute: Math.max(to, shift.startMinute), endMinute: shift.endMinute }
  const isLong = ({ startMinute, endMinute }: Minutes) => endMinute - startMinute >= LEAST
  if (span.startPart === 'afternoon' && isLong(before)) return before
  if (span.endPart === 'morning' && isLong(after) && after.startMinute < 1440) return after
  return undefined
}

/** The break that the rest of a shift keeps: its share, in steps of five minutes. */
export const breakOf = (rest: Minutes, shift: Minutes & { breakMinutes: number }): number =>
  Math.round((shift.breakMinutes * (rest.endMinute - rest.startMinute)) / (shift.endMinute - shift.startMinute) / 5) * 5
