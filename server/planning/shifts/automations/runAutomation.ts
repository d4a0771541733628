import { holds } from '@innkeeper/contract/kit/access'
import type { Run } from '@innkeeper/contract/planning/shifts/calls'
import { sql } from 'drizzle-orm'
import type { Staff } from '../../../kit/access/sessions.ts'
import { isForeseen } from '../../../kit/db/foresee.ts'
import type { Context } from '../../../kit/http/api.ts'
import { closedMonths, monthOf } from '../../calendar/closedMonths.ts'
import { addDays, daysFromTo } from '../../calendar/days.ts'
import { calendarsOfPeople } from '../../calendar/holidays.ts'
import { isOutside, isOwnDayOff } from '../../calendar/workingDays.ts'
import { breakOf, type Minutes } from '../../leaves/days/halfDays.ts'
import type { Recharged } from '../../leaves/recharge/recharged.ts'
import { type Built, buildShift, exists, type OwnTimes } from '../planning/build.ts'
import { readTypes } from '../planning/cells.ts'
import { assumeCharges, chargeAnew, replacing, shownLeaves, together } from '../planning/chargeAnew.ts'
import { readAway } from '../roster/absences.ts'
import { holdPeople, plans } from '../roster/people.ts'
import { clockOf } from '../roster/times.ts'
import { readSettings } from '../settings.ts'
import { type Part, partsOf } from './members.ts'
import {
  type Automation,
  automatic,
  notifyOfDropped,
  plannedOf,
  readOwn,
  type Wanted,
  withoutOverlaps,
  write,
} from './ownShifts.ts'

/**
 * Plans by the pattern; of a shift that half a day of leave cuts, the rest. Keeps its own shifts that somebody edited or removed, and updates its others. Skips days with
 * another shift. Idempotent. `only`: the people of a part, after the last of which the caller notifies approvers and planners.
 */
export async function runAutomation(
  context: Pick<Context, 'db' | 'now'>,
  automation: Automation,
  { from, to }: { from: string; to: string },
  mode: 'preview' | 'write',
  only?: ReadonlySet<number>,
): Promise<Ran> {
  const { db, now } = context
  const parts = await partsOf(db, automation, from, to)
  const userIds = only ? [...only] : parts.flatMap(({ people }) => people.map(({ id }) => id))
  const runAll = async (how: 'preview' | 'write') => {
    const runs: PlannedPart[] = []
    for (const part of parts) runs.push(await runPart(context, automation, part, how, only))
    return runs
  }
  if (mode === 'preview') return sumOf({ from, to }, await runAll('preview'))
  const by = automatic(automation.name)
  const touched = { userIds, dates: [from, to] }
  if (isForeseen()) {
    const runs = await runAll('preview')
    const gone = sql`s.shift_id = any(${sql.param(runs.flatMap(({ drop }) => drop))}::int[])`
    // what a leave takes counts for its charge
    const counted = ({ shift, off }: Wanted) => off?.whole ?? shift
    const made = automation.status === 'published' ? runs.flatMap(({ make }) => make).map(counted) : []
    const leaves = await assumeCharges({ db, by, now }, touched, replacing(gone, made))
    return { ...sumOf({ from, to }, runs), leaves }
  }
  const { value, leaves } = await chargeAnew(
    { db, by, now, isPart: only !== undefined },
    touched,
    `by ${by.name}`,
    async () => {
      // locked together in the order of ids: locking part by part could deadlock two runs
      await holdPeople(db, userIds)
      return sumOf({ from, to }, await runAll('write'))
    },
  )
  return { ...value, leaves }
}

/** A run with all leaves that it charged anew. */
export type Ran = Omit<Run, 'leaves'> & { leaves: Recharged[] }
/** What a part of a run plans. */
type Planned = Omit<Ran, 'from' | 'to' | 'leaves'> & Partial<Pick<Ran, 'leaves'>>
/** The same with the shifts that it makes, and the ids of those that it drops. */
type PlannedPart = Planned & { make: Wanted[]; drop: number[] }

/** A run, with its leaves for planners and readers of leaves; others see only their own. */
export function shownRun({ leaves, ...run }: Ran, reader: Staff): Run {
  const readsAll = plans(reader) || holds(reader, 'calendar:leave:read')
  return { ...run, leaves: shownLeaves(leaves.filter(({ userId }) => readsAll || userId === reader.id)) }
}

/** The parts of a run together. */
export function sumOf({ from, to }: { from: string; to: string }, runs: readonly Planned[]): Ran {
  const sum: Ran = { ...{ from, to, made: 0, changed: 0, removed: 0 }, kept: nothingKept(), leaves: [] }
  for (const { made, changed, removed, kept, leaves = [] } of runs) {
    sum.leaves = together([...sum.leaves, ...leaves])
    sum.made += made
    sum.changed += changed
    sum.removed += removed
    for (const why of reasons) sum.kept[why] += kept[why]
  }
  return sum
}

const reasons = ['edited', 'overlap', 'closed', 'leave', 'holiday', 'clocks', 'off'] as const
const nothingKept = (): Run['kept'] => ({ edited: 0, overlap: 0, closed: 0, leave: 0, holiday: 0, clocks: 0, off: 0 })

async function runPart(
  { db, now }: Pick<Context, 'db' | 'now'>,
  automation: Automation,
  { from, to, people }: Part,
  mode: 'preview' | 'write',
  only?: ReadonlySet<number>,
): Promise<PlannedPart> {
  const isWanted = (id: number) => only === undefined || only.has(id)
  const ids = people.map(({ id }) => id).filter(isWanted)
  const own = await readOwn(db, automation.id, { from, to }, now, only)
  const kept = nothingKept()
  const closed = await closedMonths(db, from, to)
  const away = automation.onLeave === 'skip' ? await readAway(db, ids, from, to) : undefined
  const calendars = await calendarsOfPeople(db, { userIds: ids, from, to })
  const types = await readTypes(
    db,
    automation.pattern.flatMap((type) => type ?? []),
  )
  const settings = await readSettings(db)
  const stored = new Map(own.map((row) => [`${row.userId} ${row.date}`, row]))

  const make: Wanted[] = []
  const stay = new Set<number>()
  const start = automation.startDate > from ? automation.startDate : from
  const end = automation.endDate && automation.endDate < to ? automation.endDate : to
  const days = start > end ? [] : Array.from({ length: daysFromTo(start, end) }, (_, n) => addDays(start, n))
  for (const [n, person] of people.entries()) {
    if (!isWanted(person.id)) continue
    const calendar = calendars.get(person.id)! // the map has all requested people
    const free = new Set(automation.onHoliday === 'skip' ? calendar.holidays.map(({ date }) => date) : [])
    // the pattern of one person is the person's own, whatever the working days say
    const isOff = (date: string) =>
      isOutside(calendar, date) || (automation.userId === null && isOwnDayOff(calendar, date))
    for (const date of days) {
      const known = stored.get(`${person.id} ${date}`)
      if (known && (known.edited || (known.isGone && !known.isAway) || known.hasBegun)) {
        stay.add(known.id)
        if (known.isFreed) kept.leave += known.isCut ? 0 : 1
        else if (known.edited || known.isGone) kept.edited += 1
        continue
      }
      const type = types.get(turnOf(automation, date, n) ?? 0)
      if (!type) continue
      if (closed.has(monthOf(date))) kept.closed += 1
      else if (isOff(date)) kept.off += 1
      else if (free.has(date)) kept.holiday += 1
      else if (!exists(type, date, person.timeZone)) kept.clocks += 1
      else {
        const whole = buildShift(type, date, person, settings)
        const leaveId = away?.leaveOf(person.id, whole)
        const rest = leaveId === undefined ? undefined : away?.rest(person.id, whole)
        const shift = rest ? buildShift(type, date, person, settings, ownTimesOf(rest, whole)) : whole
        const isTaken = leaveId !== undefined && !rest
        if (isTaken) kept.leave += 1
        if (known?.shiftTypeId === type.id && known.ownTimes === shift.ownTimes && known.isAway === isTaken)
          stay.add(known.id)
        else make.push({ shift, ...(leaveId !== undefined && { off: { leaveId, whole, isCut: rest !== undefined } }) })
      }
    }
  }
  const drop = own.filter(
    ({ id, edited, isGone, isAway, hasBegun, date }) =>
      !stay.has(id) && !edited && (!isGone || isAway) && !hasBegun && !closed.has(monthOf(date)),
  )
  const onPlan = drop.filter(({ isGone }) => !isGone)
  const replaced = new Set(onPlan.map(({ userId, date }) => `${userId} ${date}`))
  const gone = drop.map(({ id }) => id)
  const free = await withoutOverlaps(db, make, gone)
  const planned = plannedOf(free)
  kept.overlap = make.length - free.length
  if (mode === 'write') await notifyOfDropped(db, automation, planned, gone)
  const changed = planned.filter(({ userId, date }) => replaced.has(`${userId} ${date}`)).length
  if (mode === 'write') await write(db, automation, free, gone, to)
  const figures = { made: planned.length - changed, changed, removed: onPlan.length - changed, kept }
  return { ...figures, make: free, drop: gone }
}

const ownTimesOf = (rest: Minutes, whole: Built): OwnTimes => ({
  startTime: clockOf(rest.startMinute),
  endTime: clockOf(rest.endMinute),
  breakMinutes: breakOf(rest, whole),
})

/** Shift type of a day for the nth person; null is a free day. */
export function turnOf(
  { pattern, startDate, stagger }: Pick<Automation, 'pattern' | 'startDate' | 'stagger'>,
  date: string,
  nth: number,
): number | null {
  const days = Math.round((Date.parse(date) - Date.parse(startDate)) / 86_400_000) - nth * stagger
  return pattern[((days % pattern.length) + pattern.length) % pattern.length] ?? null
}
