import type { ChangedLeaves } from '@innkeeper/contract/planning/leaves/changedLeaves'
import type { Conflict, Outcome } from '@innkeeper/contract/planning/shifts/calls'
import { type SQL, sql } from 'drizzle-orm'
import type { Staff } from '../../../kit/access/sessions.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { foresee } from '../../../kit/db/foresee.ts'
import type { Context } from '../../../kit/http/api.ts'
import { addDays } from '../../calendar/days.ts'
import { daysInWords } from '../../calendar/words.ts'
import { lockAllBalances } from '../../leaves/entitlements/ledger.ts'
import type { Added, AsIf, LeaveSpan } from '../../leaves/followers.ts'
import { mustBeSeen, recharge, shownChanges } from '../../leaves/recharge/recharge.ts'
import type { Recharged } from '../../leaves/recharge/recharged.ts'
import { days } from '../../leaves/requests/problems.ts'
import type { By } from '../notify.ts'
import { plans } from '../roster/people.ts'
import type { Built } from './build.ts'

/** The people and days whose roster a change touches. */
export interface Touched {
  userIds: readonly number[]
  dates: readonly string[]
}

/** People and days of the shifts that match a condition on `s`, deleted ones included. */
export async function touchedBy(db: Db, where: SQL): Promise<Touched> {
  const [found] = await rows<{ userIds: number[] | null; first: string | null; last: string | null }>(
    db,
    sql`select array_agg(distinct s.user_id) filter (where s.user_id is not null) as "userIds", min(s.date)::text as first,
        max(s.date)::text as last from shifts s where ${where}`,
  )
  return { userIds: found?.userIds ?? [], dates: [found?.first, found?.last].flatMap((day) => day ?? []) }
}

/** The roster that an approval frees, or a cancellation restores. */
export const touchedByLeave = ({ userId, startDate, endDate }: LeaveSpan): Touched => ({
  userIds: [userId],
  dates: [addDays(startDate, -1), endDate],
})

/** Leaves in the weeks of these days: a week with a shift is charged by shifts, another one by working days. */
export function nearbyLeaves({ userIds, dates }: Touched) {
  const sorted = dates.toSorted()
  return {
    userIds,
    from: addDays(sorted[0] ?? '2100-01-01', -7),
    to: addDays(sorted.at(-1) ?? '2000-01-01', 7),
    byRoster: true,
  }
}

/** The reason in the ledger. */
export const inLedger = (why: string): string => `Roster changed: ${why}`

/**
 * Every change of the roster runs in here, so that leaves that are charged by shifts or hours are charged anew. Locks balances
 * before rosters, in the order of the approval of a leave, which charges the balance and then frees the shifts.
 */
export async function chargeAnew<T>(
  { db, by, now, isPart }: { db: Db; by: By; now: Date; isPart?: boolean | undefined },
  touched: Touched,
  why: string,
  change: () => Promise<T>,
): Promise<Charged<T>> {
  if (!touched.userIds.length || !touched.dates.length) return { value: await change(), leaves: [] }
  await lockAllBalances(db, touched.userIds)
  let made: { value: T } | undefined
  const leaves = await recharge(
    db,
    { concerned: nearbyLeaves(touched), changes: 'roster', why: inLedger(why), by, now, isPart },
    async () => {
      made = { value: await change() }
    },
  )
  return { value: made!.value, leaves } // recharge has run the change
}

/** The leaves that a change of many shifts charges anew, which a preview only assumes. */
export const assumeCharges = (
  { db, by, now }: { db: Db; by: By; now: Date },
  touched: Touched | undefined,
  asIf: AsIf,
): Promise<Recharged[]> => {
  const concerned = touched ? nearbyLeaves(touched) : { byRoster: true }
  return recharge(db, { concerned, changes: 'roster', why: '', by, now, asIf }, async () => {})
}

/** What a preview assumes of a change that removes some shifts and adds published ones. */
export const replacing = (gone: SQL, made: readonly AddedShift[]): AsIf => ({
  which: gone,
  after: () => undefined,
  adds: made.flatMap(({ userId, date, startMinute, endMinute, breakMinutes }): Added[] =>
    userId === null
      ? []
      : [{ userId, date, startMinute, endMinute, workMinutes: endMinute - startMinute - breakMinutes }],
  ),
})
type AddedShift = Pick<Built, 'userId' | 'date' | 'startMinute' | 'endMinute' | 'breakMinutes'>

/** A change of the roster with the leaves that it charged anew. */
export interface Charged<T> {
  value: T
  leaves: Recharged[]
}

/** Carries out a change of the roster; 409 unless the caller saw the leaves that the change charges anew. */
export async function seeing<T>(
  { staff }: Pick<Context, 'staff'>,
  seen: readonly number[] | undefined,
  change: () => Promise<Charged<T>>,
): Promise<T> {
  const { value, leaves } = await change()
  mustBeSeen(staff, leaves, seen)
  return value
}

/** The leaves that a change of the roster would charge anew. */
export const foreseeCharges = (
  context: Context,
  change: (inner: Context) => Promise<Charged<unknown>>,
): Promise<ChangedLeaves> =>
  foresee(context.db, async (db) => shownChanges(context.staff, (await change({ ...context, db })).leaves))

/** The leaves of several changes, each once: what it cost before the first and costs after the last. */
export function together(all: readonly Recharged[]): Recharged[] {
  const found = new Map<number, Recharged>()
  for (const leave of all) {
    const { before, yearsBefore } = found.get(leave.id) ?? leave
    found.set(leave.id, { ...leave, before, yearsBefore })
  }
  return [...found.values()]
}

export const shownLeaves = (found: readonly Recharged[]): Outcome['leaves'] =>
  found.slice(0, 200).map(({ id, userName, startDate, endDate, before, halves }) => ({
    ...{ id, userName, startDate, endDate, daysBefore: before / 2, days: halves / 2 },
  }))

/** Leaves that are charged anew, as warnings. Who does not plan learns only of their own. */
export const chargesAsWarnings = (found: readonly Recharged[], reader: Staff): Conflict[] =>
  found
    .filter(({ userId }) => plans(reader) || userId === reader.id)
    .map(({ userId, userName, startDate, endDate, before, halves }) => ({
      ...{ userId, name: userName, date: startDate, kind: 'charge', refuses: false, shiftId: null, version: null },
      text: `has a leave of ${daysInWords(startDate, endDate)} that takes ${days(halves)} instead of ${days(before)} then`,
    }))
