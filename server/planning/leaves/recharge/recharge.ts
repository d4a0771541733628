import { holds } from '@innkeeper/contract/kit/access'
import type { ChangedLeaves } from '@innkeeper/contract/planning/leaves/changedLeaves'
import { sql } from 'drizzle-orm'
import type { Staff } from '../../../kit/access/sessions.ts'
import { speakIn } from '../../../kit/app/language.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { isForeseen } from '../../../kit/db/foresee.ts'
import { conflict } from '../../../kit/http/errors.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { yearOf } from '../../calendar/days.ts'
import { todayIn } from '../../calendar/places.ts'
import { enter, lockAllBalances } from '../entitlements/ledger.ts'
import type { AsIf } from '../followers.ts'
import { days } from '../requests/problems.ts'
import { leaves } from '../tables.ts'
import { type Concerned, calendarsFor, type OpenLeave, openLeaves, rostersFor } from './charges.ts'
import { assume, calendarsDiffer, chargesBy } from './differences.ts'
import { notifyOfRecharge, notifyOthersOfRecharge } from './notify.ts'
import { type Charge, type Recharged, type Why, whyText } from './recharged.ts'

export interface Recharge {
  concerned: Omit<Concerned, 'from'> & { from?: string }
  /** What the change touches: days without work, or shifts. Absent: both. What stays is read once. */
  changes?: 'calendar' | 'roster'
  /** A preview assumes this instead of making the change. */
  asIf?: AsIf | undefined
  /** Begins each line of the ledger and each notice: `24 December ends at noon`. */
  why: Why
  /** Id 0: Innkeeper itself or an automation. */
  by: { id: number; name: string }
  now: Date
  /** A part of a change: the caller notifies approvers and planners after the last part. */
  isPart?: boolean | undefined
}

/**
 * Makes a change of the days that people work, and charges the open leaves that it changes anew: each difference is an entry
 * of the ledger with its reason. People, approvers and planners are notified. Leaves of past years stay as they were, and so do
 * the days in the past year of a leave over New Year. A preview stores no charge.
 */
export async function recharge(db: Db, how: Recharge, change: () => Promise<unknown>): Promise<Recharged[]> {
  const { concerned, why, by, now, isPart } = how
  const thisYear = yearOf(await todayIn(db, now))
  const newYear = `${thisYear}-01-01`
  const which = { ...concerned, from: concerned.from && concerned.from > newYear ? concerned.from : newYear }
  const found = (await compare(db, await openLeaves(db, which), how, change)).flatMap(([known, after]): Recharged[] => {
    const next = withoutPast(after, known, thisYear)
    return isSame(known.years, next.years) ? [] : [{ ...next, before: known.halves, yearsBefore: known.years }]
  })
  if (isForeseen()) return found
  const still = await stillOpen(db, found)
  await charge(
    db,
    still,
    speakIn('en', () => whyText(why)),
    by.id,
  )
  if (!still.length) return still
  await notifyOfRecharge(db, still, why, by)
  if (!isPart) await notifyOthersOfRecharge(db, still, why, by)
  await changed(db, 'leaves')
  return still
}

/** Makes the change. What leaves cost before and after it, of those that it may charge differently. */
async function compare(
  db: Db,
  open: readonly OpenLeave[],
  { changes, asIf }: Recharge,
  change: () => Promise<unknown>,
): Promise<[Charge, Charge][]> {
  const assumed = isForeseen() ? asIf : undefined
  const calendars = await calendarsFor(db, open)
  const rosters = changes === 'calendar' ? undefined : await rostersFor(db, open, assumed)
  // before the change, which locks rosters: an approval locks in this order
  await lockAllBalances(
    db,
    open.map(({ userId }) => userId),
  )
  if (rosters && assumed) {
    const { before, after } = assume(rosters, assumed)
    return chargesBy(open, { calendars, rosters: before }, { calendars, rosters: after })
  }
  await change()
  const next = changes === 'roster' ? calendars : await calendarsFor(db, open)
  const others = rosters ? open : open.filter((leave) => calendarsDiffer(calendars, next, leave))
  const nextRosters = await rostersFor(db, others)
  return chargesBy(others, { calendars, rosters: rosters ?? nextRosters }, { calendars: next, rosters: nextRosters })
}

/** What a leave costs now, with the past years as they were. */
function withoutPast(leave: Charge, known: Charge, thisYear: number): Charge {
  const years = new Map([...leave.years].map(([year, n]) => [year, year < thisYear ? (known.years.get(year) ?? 0) : n]))
  for (const [year, n] of known.years) if (year < thisYear) years.set(year, n)
  const sum = (of: ReadonlyMap<number, number>) => [...of.values()].reduce((a, b) => a + b, 0)
  return { ...leave, years, halves: known.halves + sum(years) - sum(known.years) }
}

const isSame = (a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>) =>
  a.size === b.size && [...a].every(([year, halves]) => b.get(year) === halves)

/** Leaves out leaves that were decided meanwhile. People may be in another department now. */
async function stillOpen(db: Db, found: readonly Recharged[]): Promise<Recharged[]> {
  if (!found.length) return []
  const open = await rows<Pick<Recharged, 'id' | 'status' | 'departmentId'>>(
    db,
    sql`select r.leave_id as id, r.status, u.department_id as "departmentId" from leaves r join users u on u.user_id = r.user_id
      where r.leave_id = any(${sql.param(found.map(({ id }) => id))}::int[]) for update of r`,
  )
  const now = new Map(open.map((leave) => [leave.id, leave]))
  return found.flatMap((leave) => {
    const { status, departmentId = null } = now.get(leave.id) ?? {}
    return status === leave.status ? [{ ...leave, departmentId }] : []
  })
}

async function charge(db: Db, found: readonly Recharged[], why: string, by: number): Promise<void> {
  const movements = found.flatMap(({ id, userId, typeId, status, years, yearsBefore, halves, before }) =>
    [...new Set([...years.keys(), ...yearsBefore.keys()])].map((year) => {
      const more = (years.get(year) ?? 0) - (yearsBefore.get(year) ?? 0)
      const kind = more < 0 ? ('release' as const) : status === 'approved' ? ('use' as const) : ('reserve' as const)
      const note = `${why}: the leave takes ${days(halves)} instead of ${days(before)}`
      return { userId, typeId, year, halves: -more, kind, leaveId: id, note, ...(by && { createdBy: by }) }
    }),
  )
  await enter(db, movements)
  for (const [moved, same] of Map.groupBy(found, ({ halves, before }) => halves - before))
    await db
      .update(leaves)
      .set({ halves: sql`greatest(0, ${leaves.halves} + ${moved}::int)`, ...nextVersion })
      .where(sql`${leaves.id} = any(${sql.param(same.map(({ id }) => id))}::int[])`)
}

/** What a change does to leaves, for the person who makes the change; names only for readers of leaves and planners. */
export function shownChanges(staff: Staff, found: readonly Recharged[]): ChangedLeaves {
  const isShown = holds(staff, 'calendar:leave:read') || holds(staff, 'calendar:shift:create')
  const some = found.slice(0, 200)
  return {
    items: some.map(({ id, userId, userName, startDate, endDate, status, before, halves }) => ({
      ...{ id, status, startDate, endDate, daysBefore: before / 2, days: halves / 2 },
      ...(isShown ? { userId, userName } : { userId: null, userName: null }),
    })),
    total: found.length,
    ids: found.map(({ id }) => id),
  }
}

/** 409 if the person who confirmed the changed leaves saw other ones. */
export function mustBeSeen(staff: Staff, found: readonly Recharged[], seen: readonly number[] | undefined): void {
  if (!seen) return
  const known = new Set(seen)
  if (known.size === found.length && found.every(({ id }) => known.has(id))) return
  const gone = seen.find((id) => !found.some((leave) => leave.id === id))
  const which =
    gone === undefined ? 'More leaves are changed than a moment ago' : `Leave ${gone} is not changed by this`
  throw conflict(`${which}: look at the list again`, {
    current: shownChanges(staff, found),
  })
}
