import type { Roster, Shift } from '@innkeeper/contract/planning/shifts/calls'
import { minutesOf } from '@innkeeper/contract/planning/shifts/values'
import { daysFrom } from '../../../kit/calendar/days.ts'

/** Start and end of a shift in minutes after midnight of its day; a night ends after 1440. */
export function minutesIn({ startTime, endTime }: Pick<Shift, 'startTime' | 'endTime'>): [start: number, end: number] {
  const [start, end] = [minutesOf(startTime), minutesOf(endTime)]
  return [start, end > start ? end : end + 1440]
}

/** Whether a leave meets these minutes after midnight of a day: half a day of leave leaves the other half free. */
export function isMet(
  { from, to, fromMinute, toMinute }: Roster['leaves'][number],
  date: string,
  [start, end]: readonly [start: number, end: number],
): boolean {
  const begins = daysFrom(date, from) * 1440 + fromMinute
  const ends = daysFrom(date, to) * 1440 + toMinute
  return begins < end && start < ends
}
