import type { Roster, Shift, ShiftWish } from '@innkeeper/contract/planning/shifts/calls'
import { minutesOf } from '@innkeeper/contract/planning/shifts/values'
import { clockText, daysOf, weekdayOf } from '../../../kit/calendar/days.ts'
import type { CalendarItem, Place } from '../../../kit/calendar/items.ts'
import { shiftTexts } from '../texts.ts'
import { wishKindsShown } from '../wishes/words.ts'
import { clockChangeText, zoneText } from '../words.ts'
import { isMet, minutesIn } from './times.ts'

/** A shift or a leave as a calendar item. */
export interface ShiftItem extends CalendarItem {
  userId: number | null
  /** Absent for a leave. */
  shift?: Shift
}

export function itemOf(shift: Shift, mayPlan: boolean, closed: ReadonlySet<string>): ShiftItem {
  return {
    id: `shift-${shift.id}`,
    from: shift.date,
    to: shift.date,
    minutes: minutesIn(shift),
    label: shift.name,
    short: shift.code,
    note:
      [shift.freedFrom && shiftTexts().onLeave(shift.freedFrom), zoneText(shift), clockChangeText(shift.clockChange)]
        .filter(Boolean)
        .join(', ') || undefined,
    colour: shift.colour,
    look: shift.status === 'draft' ? 'dashed' : 'solid',
    fixed: !mayPlan || closed.has(`${shift.date.slice(0, 7)}-01`),
    userId: shift.userId,
    shift,
  }
}

/** Items of a roster by person; the key null has the open shifts. */
export function itemsByPerson(
  roster: Roster,
  mayPlan: boolean,
  canSwap: (shift: Shift) => boolean = () => false,
): Map<number | null, ShiftItem[]> {
  const closed = new Set(roster.closedMonths)
  const shifts = roster.shifts.map((shift) => {
    const item = itemOf(shift, mayPlan, closed)
    const isAway = roster.leaves.some(
      (leave) => !leave.pending && leave.userId === shift.userId && isMet(leave, shift.date, minutesIn(shift)),
    )
    // whoever does not plan drags own shifts, to offer a swap
    if (!mayPlan) item.fixed = !canSwap(shift)
    return isAway ? { ...item, note: [shiftTexts().duringLeave, item.note].filter(Boolean).join(', ') } : item
  })
  const leaves = roster.leaves.map(
    ({ userId, from, to, fromMinute, toMinute, pending }): ShiftItem => ({
      id: `leave-${userId}-${from}-${pending}`,
      ...{ from, to, userId, label: pending ? shiftTexts().askedFor : shiftTexts().leave },
      note: halfText(fromMinute, toMinute),
      short: pending ? '?' : '',
      colour: 'neutral',
      look: pending ? 'dashed' : 'hatched',
      notFinal: shiftTexts().notDecided,
      fixed: true,
    }),
  )
  const daysOff = roster.daysOff.map(
    ({ userId, date }): ShiftItem => ({
      ...{ id: `off-${userId}-${date}`, from: date, to: date, userId, label: shiftTexts().dayOff, short: '×' },
      ...{ colour: 'neutral', look: 'hatched', fixed: true },
    }),
  )
  const wishes = roster.wishes.flatMap((wish) => wishItems(wish, roster.from, roster.to))
  return Map.groupBy([...shifts, ...leaves, ...daysOff, ...wishes], ({ userId }) => userId)
}

/** "from 12:00", for an afternoon off; nothing for whole days. */
const halfText = (fromMinute: number, toMinute: number): string | undefined =>
  [
    fromMinute > 0 && shiftTexts().fromTime(clockText(fromMinute)),
    toMinute < 1440 && shiftTexts().untilTime(clockText(toMinute)),
  ]
    .filter(Boolean)
    .join(', ') || undefined

/** A wish as items of the visible days: one for each day of the week that it names, else one over all days. */
function wishItems(
  { id, userId, kind, from, to, weekdays, shiftTypeName, note }: ShiftWish,
  first: string,
  last: string,
) {
  const { word, short, colour } = wishKindsShown()[kind]
  const start = from < first ? first : from
  const end = to > last ? last : to
  const item = (day: string, until: string): ShiftItem => ({
    ...{ id: `wish-${id}-${day}`, from: day, to: until, userId, short, colour },
    label: shiftTypeName ? `${word}: ${shiftTypeName}` : word,
    note: note ?? undefined,
    look: 'dashed',
    notFinal: shiftTexts().aWish,
    fixed: true,
  })
  if (!weekdays.length) return [item(start, end)]
  return daysOf(start, end).flatMap((day) => (weekdays.includes(weekdayOf(day)) ? [item(day, day)] : []))
}

/** Weighted hours of a person within the visible days; excludes a night shift that starts the day before. */
export const hoursOf = (items: readonly ShiftItem[], from: string): number =>
  items.reduce((sum, { shift }) => sum + (shift && shift.date >= from ? shift.hours : 0), 0)

/** Input of the call for a moved or resized shift. */
export function changeOf(shift: Shift, { from, minutes }: Place): { date: string; startTime: string; endTime: string } {
  const [start, end] = minutes ?? [minutesOf(shift.startTime), minutesOf(shift.endTime)]
  return { date: from, startTime: clockText(start), endTime: clockText(end) }
}

/**
 * The people of a department, and those with shifts of the department who have moved to another since: coverage counts
 * these shifts. Without a department: everybody.
 */
export function peopleOf(roster: Pick<Roster, 'people' | 'guests'> | undefined, departmentId: number | undefined) {
  if (!roster || departmentId === undefined) return roster?.people ?? []
  const planned = new Set(roster.guests.flatMap((guest) => (guest.departmentId === departmentId ? guest.userId : [])))
  return roster.people.filter((person) => person.departmentId === departmentId || planned.has(person.id))
}
