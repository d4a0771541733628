import type { LedgerKind } from '@innkeeper/contract/leaves/values'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../kit/db/db.ts'
import { leaveLedger } from './tables.ts'

/** First half of the advisory lock of a person's balances; the second is the person. */
const BALANCES = 4_400_031

/**
 * Until the transaction ends nobody else moves this person's balances: who reads one under the lock may take from it.
 * Taken before the first read, so that what is read is what the one before left.
 */
export async function lockBalances(db: Db, userId: number): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(${BALANCES}::int, ${userId}::int)`)
}

/**
 * Half days that a person gets of a type in a year: an entitlement of their own, else the type's, and of the year in
 * which they began the months from then on, rounded up to half a day. For a query with `u`, `t`, `e` (left joined) and
 * `p` (left joined) as users, leave_types, leave_entitlements and profiles.
 */
export const entitled = (year: SQL): SQL => sql`(case
  when not t.deducts_balance then 0
  when p.hired_at is null or extract(year from p.hired_at) < ${year} then coalesce(e.halves, t.yearly_halves)
  when extract(year from p.hired_at) > ${year} then 0
  else ceil(coalesce(e.halves, t.yearly_halves) * (13 - extract(month from p.hired_at)) / 12.0)
  end)::int`

export const entitlementJoins = sql`left join leave_entitlements e on e.user_id = u.user_id and e.leave_type_id = t.leave_type_id
  left join profiles p on p.user_id = u.user_id`

/** Writes down what these years bring, once for each year and type. Under the lock. */
export async function grantYears(db: Db, userId: number, years: readonly number[]): Promise<void> {
  await db.execute(sql`insert into leave_ledger (user_id, leave_type_id, year, halves, kind)
    select u.user_id, t.leave_type_id, y.year, ${entitled(sql`y.year`)}, 'grant'
    from users u cross join leave_types t cross join unnest(${sql.param([...years])}::int[]) as y (year) ${entitlementJoins}
    where u.user_id = ${userId} and t.deducts_balance
    on conflict (user_id, leave_type_id, year) where kind = 'grant' do nothing`)
}

/** What is left of a type in each of these years. Under the lock, after `grantYears`. */
export async function leftIn(
  db: Db,
  userId: number,
  typeId: number,
  years: readonly number[],
): Promise<Map<number, number>> {
  const found = await rows<{ year: number; halves: number }>(
    db,
    sql`select year, sum(halves)::int as halves from leave_ledger
      where user_id = ${userId} and leave_type_id = ${typeId} and year = any(${sql.param([...years])}::int[]) group by year`,
  )
  const left = new Map(found.map(({ year, halves }) => [year, halves]))
  return new Map(years.map((year) => [year, left.get(year) ?? 0]))
}

interface Movement {
  userId: number
  typeId: number
  year: number
  halves: number
  kind: LedgerKind
  leaveId?: number
  note?: string
  createdBy?: number
}

export async function enter(db: Db, movements: readonly Movement[]): Promise<void> {
  const real = movements.filter(({ halves }) => halves !== 0)
  if (real.length) await db.insert(leaveLedger).values(real)
}

/** Gives back all that a leave holds, reserved or used, each in the year that it came from. */
export const release = (db: Db, leaveId: number, by: number) => turn(db, leaveId, by, [sql`('release', -1)`])

/** What was reserved is used from now on; the balance stays. */
export const use = (db: Db, leaveId: number, by: number) =>
  turn(db, leaveId, by, [sql`('release', -1)`, sql`('use', 1)`])

async function turn(db: Db, leaveId: number, by: number, kinds: SQL[]): Promise<void> {
  await db.execute(sql`insert into leave_ledger (user_id, leave_type_id, year, halves, kind, leave_id, created_by)
    select held.user_id, held.leave_type_id, held.year, held.halves * into_kind.sign, into_kind.kind, ${leaveId}, ${by}
    from (select user_id, leave_type_id, year, sum(halves)::int as halves from leave_ledger
      where leave_id = ${leaveId} group by user_id, leave_type_id, year having sum(halves) <> 0) as held
    cross join (values ${sql.join(kinds, sql`, `)}) as into_kind (kind, sign)`)
}
