import type { LedgerKind } from '@innkeeper/contract/planning/leaves/values'
import { type SQL, sql } from 'drizzle-orm'
import { chunks } from '../../../kit/db/chunks.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { type Day, yearOf } from '../../calendar/days.ts'
import { leaveLedger } from '../tables.ts'

/** First key of the advisory lock on a person's balances; the second key is the user id. */
const BALANCES = 4_400_031

/**
 * Locks the balances of a person until the transaction ends, so that nobody else changes a balance between reading and
 * charging it. Take the lock before the first read.
 */
export async function lockBalances(db: Db, userId: number): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(${BALANCES}::int, ${userId}::int)`)
}

/** Locks the balances of these people in the order of ids. */
export async function lockAllBalances(db: Db, userIds: readonly number[]): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(${BALANCES}::int, id)
    from (select distinct unnest(${sql.param([...userIds])}::int[]) as id order by 1) as held`)
}

const joined = sql`coalesce(p.hired_at, u.created_at::date)`

/**
 * Number of years before and after the current year for which leave can be requested. Other years need a stored grant.
 */
export const isOpenYear = (year: number, today: Day): boolean => Math.abs(year - yearOf(today)) <= 1

/** SQL: the first and the last month of a year in which a person is employed; 13 and 0 if there is none. */
const firstMonth = (year: SQL) => sql`(case when extract(year from ${joined}) < ${year} then 1
  when extract(year from ${joined}) > ${year} then 13 else extract(month from ${joined}) end)::int`
const lastMonth = (year: SQL) => sql`(case when p.last_day is null or extract(year from p.last_day) > ${year} then 12
  when extract(year from p.last_day) < ${year} then 0 else extract(month from p.last_day) end)::int`
const monthsIn = (year: SQL) => sql`greatest(0, ${lastMonth(year)} - ${firstMonth(year)} + 1)`

/** SQL: months of employment in a year, each by the share of a whole week that the person works at its beginning. */
const sharesIn = (year: SQL) => sql`(select coalesce(sum(coalesce(w.share, 1)), 0)
  from generate_series(${firstMonth(year)}, ${lastMonth(year)}) as m(n) left join lateral (
    select case when k.minutes is not null then k.days::numeric / k.full_days end as share from working_weeks k
    where k.user_id = u.user_id and k.valid_from <= greatest(make_date((${year})::int, m.n, 1), ${joined})
    order by k.valid_from desc limit 1) as w on true)`

/**
 * SQL: half days that a person gets of a type in a year. The person's entitlement has precedence over that of the type,
 * which is for people who work all days of the week: others get their share. In the years of the first day at work, or
 * without that date of the account, and of the last one, only the months of employment count, rounded up to half a day.
 * The query has users as `u`, leave_types as `t`, and leave_entitlements as `e` and profiles as `p`, both left joined.
 */
export const entitled = (year: SQL): SQL => sql`(case
  when not t.deducts_balance then 0
  when e.halves is not null then ceil(e.halves * ${monthsIn(year)} / 12.0)
  when exists (select from working_weeks k where k.user_id = u.user_id)
    then ceil(round(t.yearly_halves * ${sharesIn(year)} / 12, 6))
  else ceil(t.yearly_halves * ${monthsIn(year)} / 12.0)
  end)::int`

export const entitlementJoins = sql`left join leave_entitlements e on e.user_id = u.user_id and e.leave_type_id = t.leave_type_id
  left join profiles p on p.user_id = u.user_id`

/** Stores the grants of these years, once per year and type. The caller holds the lock. */
export const grantYears = (db: Db, userId: number, years: readonly number[]): Promise<void> =>
  grant(db, years, sql`t.deducts_balance and u.user_id = ${userId}`)

/** Stores the grants of these years for everybody who worked in them, or for one person, or of one type. */
export const grantWorked = (
  db: Db,
  years: readonly number[],
  { userId, typeId }: { userId?: number; typeId?: number } = {},
): Promise<void> =>
  grant(
    db,
    years,
    sql.join(
      [
        sql`u.deleted_at is null and extract(year from ${joined}) <= y.year`,
        typeId === undefined ? sql`t.deducts_balance` : sql`t.leave_type_id = ${typeId}`,
        ...(userId === undefined ? [] : [sql`u.user_id = ${userId}`]),
      ],
      sql` and `,
    ),
  )

/** A change of the type that runs meanwhile ends first, so that no grant follows the former rule. */
async function grant(db: Db, years: readonly number[], which: SQL): Promise<void> {
  await db.execute(sql`insert into leave_ledger (user_id, leave_type_id, year, halves, kind)
    select u.user_id, t.leave_type_id, y.year, ${entitled(sql`y.year`)}, 'grant'
    from users u cross join leave_types t cross join unnest(${sql.param([...years])}::int[]) as y (year) ${entitlementJoins}
    where ${which} and not exists (select from leave_ledger l where l.kind = 'grant' and l.user_id = u.user_id
      and l.leave_type_id = t.leave_type_id and l.year = y.year)
    for share of t
    on conflict (user_id, leave_type_id, year) where kind = 'grant' do nothing`)
}

/** Years in which a person has a stored grant of a type. */
export async function grantedYears(db: Db, userId: number, typeId: number): Promise<number[]> {
  const found = await rows<{ year: number }>(
    db,
    sql`select year from leave_ledger where user_id = ${userId} and leave_type_id = ${typeId} and kind = 'grant'`,
  )
  return found.map(({ year }) => year)
}

/** Balance of a type in each of these years. The caller holds the lock and has called `grantYears`. */
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
  // a holiday changes the leaves of everybody, and a statement has at most 65,535 values
  for (const some of chunks(real, 2000)) await db.insert(leaveLedger).values(some)
}

/** Returns all half days of a leave, reserved or used, to the years that they came from. */
export const release = (db: Db, leaveId: number, by: number) => turn(db, leaveId, by, [sql`('release', -1)`])

/** Changes reserved half days into used ones; the balance stays the same. */
export const use = (db: Db, leaveId: number, by: number) =>
  turn(db, leaveId, by, [sql`('release', -1)`, sql`('use', 1)`])

async function turn(db: Db, leaveId: number, by: number, kinds: SQL[]): Promise<void> {
  await db.execute(sql`insert into leave_ledger (user_id, leave_type_id, year, halves, kind, leave_id, created_by)
    select held.user_id, held.leave_type_id, held.year, held.halves * into_kind.sign, into_kind.kind, ${leaveId}, ${by}
    from (select user_id, leave_type_id, year, sum(halves)::int as halves from leave_ledger
      where leave_id = ${leaveId} group by user_id, leave_type_id, year having sum(halves) <> 0) as held
    cross join (values ${sql.join(kinds, sql`, `)}) as into_kind (kind, sign)`)
}
