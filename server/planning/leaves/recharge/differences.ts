import type { PersonalCalendar } from '../../calendar/holidays.ts'
import type { AsIf, Rostered } from '../followers.ts'
import { type Calendars, chargeOf, type OpenLeave, type Rosters } from './charges.ts'
import type { Charge } from './recharged.ts'

/** What decides the charges of leaves at one moment. */
interface Rules {
  calendars: Calendars
  rosters: Rosters
}

/** What leaves cost by former and by present rules. Only those are counted whose rules differ: counting takes longest. */
export const chargesBy = (leaves: readonly OpenLeave[], before: Rules, after: Rules): [Charge, Charge][] =>
  leaves.flatMap((leave): [Charge, Charge][] => {
    const [former, present] = [before.rosters.get(leave.id) ?? [], after.rosters.get(leave.id) ?? []]
    if (!rostersDiffer(former, present) && !calendarsDiffer(before.calendars, after.calendars, leave)) return []
    return [
      [
        chargeOf(leave, calendarOf(before.calendars, leave), former),
        chargeOf(leave, calendarOf(after.calendars, leave), present),
      ],
    ]
  })

const calendarOf = (calendars: Calendars, { userId }: OpenLeave) => calendars.get(userId)! // they have all people of the leaves

/** Whether two calendars may charge a leave differently. */
export function calendarsDiffer(before: Calendars, after: Calendars, leave: OpenLeave): boolean {
  const [a, b] = [calendarOf(before, leave), calendarOf(after, leave)]
  if (a === b) return false
  if (isOther(a.weekend, b.weekend) || isOther(a.halfHolidays, b.halfHolidays)) return true
  if (a.firstDay !== b.firstDay || a.lastDay !== b.lastDay || isOther(a.weeks, b.weeks)) return true
  const isHalf = leave.startPart !== 'full' || leave.endPart !== 'full'
  if (isHalf && a.halfDayMinute !== b.halfDayMinute) return true
  return changedDays(a.holidays, b.holidays).some((day) => leave.startDate <= day && day <= leave.endDate)
}

const isOther = (a: unknown, b: unknown) => a !== b && JSON.stringify(a) !== JSON.stringify(b)

type Holidays = PersonalCalendar['holidays']
/** People of one workplace share their holidays, so a pair is compared once. */
const compared = new WeakMap<Holidays, WeakMap<Holidays, string[]>>()

/** The days that are a holiday in one of two calendars. */
function changedDays(a: Holidays, b: Holidays): string[] {
  const known = compared.get(a)?.get(b)
  if (known) return known
  const days = [...new Set(a.map(({ date }) => date)).symmetricDifference(new Set(b.map(({ date }) => date)))]
  const others = compared.get(a) ?? new WeakMap<Holidays, string[]>()
  compared.set(a, others.set(b, days))
  return days
}

const fields = ['date', 'startMinute', 'endMinute', 'workMinutes', 'normMinutes', 'isFreed', 'isRest'] as const

const rostersDiffer = (a: readonly Rostered[], b: readonly Rostered[]): boolean =>
  a !== b &&
  (a.length !== b.length ||
    a.some((shift, n) => shift !== b[n] && fields.some((field) => shift[field] !== b[n]?.[field])))

const concerns = ({ isMarked, isAdded }: Rostered) => isMarked || isAdded

/** The rosters before and after a change that is only assumed. */
export function assume(rosters: Rosters, { areDrafts, after }: AsIf): { before: Rosters; after: Rosters } {
  const changed = (of: (roster: readonly Rostered[]) => readonly Rostered[]): Rosters =>
    new Map([...rosters].map(([id, roster]) => [id, roster.some(concerns) ? of(roster) : roster]))
  return {
    before: changed((roster) => roster.filter(({ isMarked, isAdded }) => !isAdded && !(areDrafts && isMarked))),
    after: changed((roster) => roster.flatMap((shift) => (shift.isMarked ? (after(shift) ?? []) : shift))),
  }
}
