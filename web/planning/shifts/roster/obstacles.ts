import type { Roster, Shift } from '@innkeeper/contract/planning/shifts/calls'
import { daysFrom } from '../../../kit/calendar/days.ts'
import type { Obstacle, Place } from '../../../kit/calendar/items.ts'
import { lasting } from '../../../kit/look/format.ts'
import { metBy, swappable } from '../swaps/swappable.ts'
import { isMet, minutesIn } from './times.ts'

/**
 * What stands against a shift for a person at a place, as far as the roster shows it: shown while the shift is dragged. The
 * server judges the drop.
 */
export function obstacleTo(
  roster: Roster,
  shift: Shift,
  userId: number | undefined,
  place: Place,
  now: Date,
): Obstacle | undefined {
  if (roster.closedMonths.includes(`${place.from.slice(0, 7)}-01`)) return { text: 'Closed month', refuses: true }
  if (userId === undefined) return undefined
  const [start, end] = place.minutes ?? minutesIn(shift)
  const leaves = roster.leaves.filter((one) => one.userId === userId && isMet(one, place.from, [start, end]))
  if (leaves.some(({ pending }) => !pending)) return { text: 'On leave', refuses: true }

  const met =
    userId === shift.userId || !swappable(shift, now) ? undefined : metBy(roster.shifts, shift, userId, place.from, now)
  let short: { rest: number; name: string } | undefined
  for (const other of roster.shifts) {
    if (other.userId !== userId || other.id === shift.id || other === met) continue
    const [from, to] = minutesIn(other).map((at) => at + daysFrom(place.from, other.date) * 1440) as [number, number] // two in, two out
    const rest = Math.max(start - to, from - end)
    if (rest < 0) return { text: `Has ${other.name} ${other.startTime}–${other.endTime}`, refuses: true }
    if (rest < (short?.rest ?? roster.restMinutes)) short = { rest, name: other.name }
  }
  if (met) return { text: `Exchange with ${met.name}`, refuses: false }
  if (short) {
    const rest = short.rest ? `Rests ${lasting(short.rest * 60_000)}` : 'No rest'
    return { text: `${rest} beside ${short.name}`, refuses: false }
  }
  if (leaves.length) return { text: 'Asked for leave', refuses: false }
  const isOff = roster.daysOff.some((one) => one.userId === userId && one.date === place.from)
  return isOff ? { text: 'Day off', refuses: false } : undefined
}
