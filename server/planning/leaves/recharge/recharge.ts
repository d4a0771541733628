import { holds } from '@innkeeper/contract/kit/access'
import type { ChangedLeaves } from '@innkeeper/contract/planning/leaves/changedLeaves'
import { sql } from 'drizzle-orm'
import type { Staff } from '../../../kit/access/sessions.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { isForeseen } from '../../../kit/db/foresee.ts'
import { conflict } from '../../../kit/http/errors.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { yearOf } from '../../calendar/days.ts'
import { todayIn } from '../../calendar/places.ts'
import { enter, lockAllBalances } from '../entitlements/ledger.ts'
import { days } from '../requests/problems.ts'
import { leaves } from '../tables.ts'
import { type Concerned, chargesOf } from './charges.ts'
import { notifyOfRecharge, notifyOthersOfRecharge } from './notify.ts'
import type { Charge, Recharged } from './recharged.ts'

export interface Recharge {
  concerned: Omit<Concerned, 'from'> & { from?: string }
  /** Begins each line of the ledger and each notice: `24 December ends at noon`. */
  why: string
  /** Id 0: Innkeeper itself or an automation. */
  by: { id: number; name: string }
  now: Date
  /** A part of a change: the caller notifies approvers and planners after the last part. */
  isPart?: boolean | undefined
}

/**
 * Makes a change of the days that people work, and charges the open leaves that it changes anew: each difference is an entry
 * of the ledger with its reason. People, approvers and planners are notified. Leaves of past years stay as they were, and so do
 * the days in the past year of a leave over New Year.
 */
export async function recharge(
  db: Db,
  { concerned, why, by, now, isPart }: Recharge,
  change: () => Promise<unknown>,
): Promise<Recharged[]> {
  const thisYear = yearOf(await todayIn(db, now))
  const newYear = `${thisYear}-01-01`
  const which = { ...concerned, from: concerned.from && concerned.from > newYear ? concerned.from : newYear }
  const before = new Map((await chargesOf(db, which)).map((leave) => [leave.id, leave]))
  // before the change, which locks rosters: an approval locks in this order
  await lockAllBalances(
    db,
    [...before.values()].map(({ userId }) => userId),
  )
  await change()
  const after = await chargesOf(db, which)
  const found = after.flatMap((leave): Recharged[] => {
    const known = before.get(leave.id)
    if (!known) return []
    const next = withoutPast(leave, known, thisYear)
    return isSame(known.years, next.years) ? [] : [{ ...next, before: known.halves, yearsBefore: known.years }]
  })
  const still = await stillOpen(db, found)
  await charge(db, still, why, by.id)
  if (!still.length || isForeseen()) return still
  await notifyOfRecharge(db, still, why, by)
  if (!isPart) await notifyOthersOfRecharge(db, still, why, by)
  await changed(db, 'leaves')
  return still
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

/** Leaves out leaves that were decided meanwhile. */
async function stillOpen(db: Db, found: readonly Recharged[]): Promise<Recharged[]> {
  if (!found.length) return []
  const open = await rows<{ id: number; status: string }>(
    db,
    sql`select leave_id as id, status from leaves where leave_id = any(${sql.param(found.map(({ id }) => id))}::int[]) for update`,
  )
  const statusOf = new Map(open.map(({ id, status }) => [id, status]))
  return found.filter(({ id, status }) => statusOf.get(id) === status)
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
