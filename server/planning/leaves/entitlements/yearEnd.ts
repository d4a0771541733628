import { sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import { eachOf } from '../../../kit/work/round.ts'
import { yearOf } from '../../calendar/days.ts'
import { todayIn } from '../../calendar/places.ts'
import { enter, grantWorked, grantYears, lockBalances } from './ledger.ts'

interface Account {
  userId: number
  typeId: number
}

/**
 * Stores the grants of the previous and of the running year for everybody, and closes the previous year: carries each balance over up to the limit of its type and lets the rest expire. Carried
 * half days expire after the date that the type sets. Both work on the current balances, so that a repeated run changes
 * nothing, and half days that a late rejection returns to an old year are handled too.
 */
export async function turnYears(app: Pick<App, 'db' | 'log'>, now = new Date()): Promise<void> {
  const { db } = app
  const today = await todayIn(db, now)
  const year = yearOf(today)
  await grantWorked(db, [year - 1, year])
  await eachOf(app, 'a year of a leave balance could not be closed', await leftOver(db, year - 1), (account) =>
    db.transaction((tx) => carryOver(tx, account, year - 1)),
  )
  await eachOf(app, 'a carried leave balance could not expire', await overdue(db, today), (account) =>
    db.transaction((tx) => expireCarried(tx, account, today)),
  )
}

/** People with a positive balance in a year. */
const leftOver = (db: Db, year: number) =>
  rows<Account>(
    db,
    sql`select l.user_id as "userId", l.leave_type_id as "typeId" from leave_ledger l
      join users u on u.user_id = l.user_id and u.deleted_at is null
      where l.year = ${year} group by l.user_id, l.leave_type_id having sum(l.halves) > 0 order by 1, 2`,
  )

async function carryOver(db: Db, { userId, typeId }: Account, year: number): Promise<void> {
  await lockBalances(db, userId)
  const [found] = await rows<{ left: number; most: number; carried: number }>(
    db,
    sql`select coalesce(sum(l.halves) filter (where l.year = ${year}), 0)::int as left,
        max(t.carry_halves_max) as most,
        coalesce(sum(l.halves) filter (where l.year = ${year + 1} and l.kind = 'carry'), 0)::int as carried
      from leave_types t left join leave_ledger l on l.leave_type_id = t.leave_type_id and l.user_id = ${userId}
      where t.leave_type_id = ${typeId}`,
  )
  if (!found || found.left <= 0) return
  const over = Math.min(found.left, Math.max(0, found.most - found.carried))
  await grantYears(db, userId, [year + 1])
  await enter(db, [
    { userId, typeId, year, halves: -over, kind: 'carry', note: `Into ${year + 1}` },
    { userId, typeId, year: year + 1, halves: over, kind: 'carry', note: `From ${year}` },
    { userId, typeId, year, halves: over - found.left, kind: 'expire', note: `Not carried into ${year + 1}` },
  ])
  await changed(db, 'leaves')
}

/**
 * Half days that were carried into this year, not used by their date and not expired. Carried half days are used first.
 */
const lapsed = (today: string) => sql`select l.user_id as "userId", l.leave_type_id as "typeId",
    least(sum(l.halves), coalesce(sum(l.halves) filter (where l.kind in ('carry', 'expire')), 0)
      + coalesce(sum(l.halves) filter (where r.start_date <= (l.year || '-' || t.carry_until)::date), 0))::int as halves
  from leave_ledger l join leave_types t on t.leave_type_id = l.leave_type_id
  left join leaves r on r.leave_id = l.leave_id
  where l.year = ${yearOf(today)} and t.carry_until is not null and ${today}::date > (l.year || '-' || t.carry_until)::date
  group by l.user_id, l.leave_type_id, t.leave_type_id`

const overdue = (db: Db, today: string) =>
  rows<Account>(db, sql`select "userId", "typeId" from (${lapsed(today)}) as found where halves > 0`)

async function expireCarried(db: Db, { userId, typeId }: Account, today: string): Promise<void> {
  await lockBalances(db, userId)
  const [found] = await rows<{ halves: number }>(
    db,
    sql`select halves from (${lapsed(today)}) as found where "userId" = ${userId} and "typeId" = ${typeId} and halves > 0`,
  )
  if (!found) return
  const year = yearOf(today)
  await enter(db, [
    { userId, typeId, year, halves: -found.halves, kind: 'expire', note: `Carried over from ${year - 1}` },
  ])
  await changed(db, 'leaves')
}
