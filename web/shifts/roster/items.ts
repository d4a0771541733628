import type { Roster, Shift } from '@innkeeper/contract/shifts'
import { minutesOf } from '@innkeeper/contract/shifts/values'
import { clockText } from '../../kit/calendar/days.ts'
import type { CalendarItem, Place } from '../../kit/calendar/items.ts'
import { clockChangeText } from '../words.ts'

/** A shift or a leave as a calendar item. */
export interface ShiftItem extends CalendarItem {
  userId: number | null
  /** Absent for a leave. */
  shift?: Shift
}

export function itemOf(shift: Shift, mayPlan: boolean, closed: ReadonlySet<string>): ShiftItem {
  const start = minutesOf(shift.startTime)
  const end = minutesOf(shift.endTime)
  return {
    id: `shift-${shift.id}`,
    from: shift.date,
    to: shift.date,
    minutes: [start, end > start ? end : end + 1440],
    label: shift.name,
    short: shift.code,
    note: clockChangeText(shift.clockChange),
    colour: shift.colour,
    look: shift.status === 'draft' ? 'dashed' : 'solid',
    fixed: !mayPlan || closed.has(`${shift.date.slice(0, 7)}-01`),
    userId: shift.userId,
    shift,
  }
}

/** Items of a roster by person; the key null has the open shifts. */
export function itemsByPerson(roster: Roster, mayPlan: boolean): Map<number | null, ShiftItem[]> {
  const closed = new Set(roster.closedMonths)
  const shifts = roster.shifts.map((shift) => itemOf(shift, mayPlan, closed))
  const leaves = roster.leaves.map(
    ({ userId, from, to, label }): ShiftItem => ({
      id: `leave-${userId}-${from}`,
      ...{ from, to, label, userId },
      short: '',
      colour: 'neutral',
      look: 'hatched',
      fixed: true,
    }),
  )
  return Map.groupBy([...shifts, ...leaves], ({ userId }) => userId)
}

/** Weighted hours of a person within the visible days; excludes a night shift that starts the day before. */
export const hoursOf = (items: readonly ShiftItem[], from: string): number =>
  items.reduce((sum, { shift }) => sum + (shift && shift.date >= from ? shift.hours : 0), 0)

/** Input of the call for a moved or resized shift. */
export function changeOf(shift: Shift, { from, minutes }: Place): { date: string; startTime: string; endTime: string } {
  const [start, end] = minutes ?? [minutesOf(shift.startTime), minutesOf(shift.endTime)]
  return { date: from, startTime: clockText(start), endTime: clockText(end) }
}
