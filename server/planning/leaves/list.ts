import { holds } from '@innkeeper/contract/kit/access'
import type { LeaveRequest, LeaveStatus } from '@innkeeper/contract/planning/leaves/calls'
import { type SQL, sql } from 'drizzle-orm'
import { nameOf } from '../../access/users/read.ts'
import { users } from '../../access/users/tables.ts'
import type { Staff } from '../../kit/access/sessions.ts'
import type { Db } from '../../kit/db/db.ts'
import { contains, type Listing, pageKeys } from '../../kit/db/page.ts'
import { todayIn } from '../calendar/places.ts'
import { readLists } from './requests/deciders.ts'
import { leaves } from './tables.ts'
import { managesBalances, readLeaves } from './view.ts'

export interface Filters {
  search?: string | undefined
  departmentId?: number[] | undefined
  typeId?: number[] | undefined
  usersIds?: readonly number[] | undefined
  status?: readonly LeaveStatus[] | undefined
  /** Only leaves that overlap these days. */
  from?: string | undefined
  to?: string | undefined
  /** Only leaves that overlap this day or month. */
  date?: string | undefined
}

const sorts = {
  startDate: { column: sql`${leaves.startDate}`, type: 'day', direction: 'DESC' },
  createdAt: { column: leaves.createdAt, type: 'instant', direction: 'DESC' },
  days: { column: leaves.halves, type: 'int', direction: 'DESC' },
} as const
type Sort = keyof typeof sorts

export function filtered({ search, departmentId, typeId, usersIds, status, date, ...range }: Filters): SQL[] {
  const where: SQL[] = []
  const { from = date && firstDay(date), to = date && lastDay(date) } = range
  const ids = (list: readonly number[]) => sql`any(${sql.param([...list])}::int[])`
  if (typeId) where.push(sql`${leaves.typeId} = ${ids(typeId)}`)
  if (usersIds) where.push(sql`${leaves.userId} = ${ids(usersIds)}`)
  if (status) where.push(sql`${leaves.status} = any(${sql.param([...status])}::text[])`)
  if (from) where.push(sql`${leaves.endDate} >= ${from}::date`)
  if (to) where.push(sql`${leaves.startDate} <= ${to}::date`)
  if (departmentId) where.push(byPeople(sql`${users.departmentId} = ${ids(departmentId)}`))
  if (search) where.push(byPeople(contains(nameOf, search)))
  return where
}

const byPeople = (condition: SQL) => sql`${leaves.userId} in (select ${users.id} from ${users} where ${condition})`

const firstDay = (date: string) => (date.length === 7 ? `${date}-01` : date)
const lastDay = (date: string) =>
  date.length === 7
    ? new Date(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5)), 0)).toISOString().slice(0, 10)
    : date

/**
 * Orders by the days that a leave takes, or by those that the caller sees: the order would tell the type as a filter
 * does.
 */
const sortOf = (sort: Sort, known: readonly SQL[]) =>
  sort === 'days' && known.length > 0 ? { ...sorts.days, column: seenDays } : sorts[sort]
const seenDays = sql`((${leaves.endDate} - ${leaves.startDate}) * 2)`

/** A page of leaves that the caller may see. `first`: the default order. */
export async function pageOfLeaves(
  db: Db,
  staff: Staff,
  input: Listing & { sort?: Sort | undefined; typeId?: number[] | undefined },
  where: readonly SQL[],
  first: { sort: Sort; direction: 'ASC' | 'DESC' } = { sort: 'startDate', direction: 'DESC' },
) {
  const known = await kindShown(db, staff)
  const shown = input.typeId ? [...where, ...known] : where
  const order = input.sort ? sortOf(input.sort, known) : { ...sorts[first.sort], direction: first.direction }
  const { ids, ...page } = await pageKeys(db, input, { from: sql`${leaves}`, where: [...shown], key: leaves.id, order })
  return { items: await readLeaves(db, staff, ids), ...page }
}

/**
 * Condition: leaves whose type the caller may see. Filters by type need this condition, or they would reveal the type.
 */
async function kindShown(db: Db, staff: Staff, now = new Date()): Promise<SQL[]> {
  if (staff.isAdmin || managesBalances(staff)) return []
  const own = sql`${leaves.userId} = ${staff.id}`
  if (!holds(staff, 'calendar:leave:review') && !holds(staff, 'calendar:leave:review-cancellation')) return [own]
  const lists = await readLists(db, await todayIn(db, now))
  return [sql`(${own} or ${byPeople(lists.decidedBy(staff.id))})`]
}

/** All matching leaves, at most 1000, by day. */
export async function allLeaves(db: Db, staff: Staff, where: SQL[]): Promise<LeaveRequest[]> {
  const found = await db
    .select({ id: leaves.id })
    .from(leaves)
    .where(sql.join(where, sql` and `))
    .orderBy(leaves.startDate, leaves.id)
    .limit(1000)
  return readLeaves(
    db,
    staff,
    found.map(({ id }) => id),
  )
}

const asked = sql`${leaves.status} = 'pending'`
const asksToCancel = sql`${leaves.id} in (select leave_id from leave_cancellations where status = 'pending')`

/**
 * Conditions for leaves that wait for a decision: those of all active people, or only those that the caller may decide.
 */
export async function waiting(
  db: Db,
  staff: Staff,
  now: Date,
  { kind, mine }: { kind?: 'request' | 'cancellation' | undefined; mine: boolean },
): Promise<SQL[]> {
  const where = [
    kind === 'request' ? asked : kind === 'cancellation' ? asksToCancel : sql`(${asked} or ${asksToCancel})`,
  ]
  if (!mine) return [...where, byPeople(sql`${users.deletedAt} is null`)]
  if (!holds(staff, 'calendar:leave:review')) where.push(sql`not ${asked}`)
  if (!holds(staff, 'calendar:leave:review-cancellation')) where.push(asked)
  const isDecided = staff.isAdmin ? sql`true` : (await readLists(db, await todayIn(db, now))).decidedBy(staff.id)
  return [...where, byPeople(sql`${users.deletedAt} is null and ${users.id} <> ${staff.id} and ${isDecided}`)]
}

/** Condition: rejected, cancelled, or approved and in the past. */
export const isOver = (today: string): SQL =>
  sql`(${leaves.status} in ('rejected', 'cancelled') or (${leaves.status} = 'approved' and ${leaves.endDate} < ${today}::date))`
