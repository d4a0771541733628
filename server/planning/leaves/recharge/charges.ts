import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { personName } from '../../../kit/db/people.ts'
import { addDays } from '../../calendar/days.ts'
import { calendarsOfPeople, type PersonalCalendar } from '../../calendar/holidays.ts'
import { count } from '../days/leaveDays.ts'
import { countByRoster, weeksOf } from '../days/rosterDays.ts'
import { type AsIf, type Rostered, rosteredBetween } from '../followers.ts'
import type { Charge } from './recharged.ts'

export interface Concerned {
  /** Absent: everybody. */
  userIds?: readonly number[] | undefined
  /** Leaves that end on this day or later, and begin on the last day or earlier. */
  from: string
  to?: string | undefined
  /** Only leaves that begin on this day or later. */
  begins?: string | undefined
  /** Only leaves that are charged by the roster. */
  byRoster?: boolean
}

/** A pending or approved leave with the rules of its type. */
export interface OpenLeave extends Omit<Charge, 'halves' | 'years'> {
  charge: 'days' | 'shifts' | 'hours'
  countsEveryDay: boolean
}

/** Conditions on `leaves r` and `leave_types t`. Leaves that touch a closed month are left out: their figures are final. */
function conditionsOf({ userIds, from, to, begins, byRoster }: Concerned): SQL {
  const where: SQL[] = [
    sql`r.status in ('pending', 'approved') and r.end_date >= ${from}::date`,
    sql`not exists (select from shift_months m
      where m.month between date_trunc('month', r.start_date)::date and r.end_date)`,
  ]
  if (to) where.push(sql`r.start_date <= ${to}::date`)
  if (begins) where.push(sql`r.start_date >= ${begins}::date`)
  if (userIds) where.push(sql`r.user_id = any(${sql.param([...userIds])}::int[])`)
  if (byRoster) where.push(sql`t.charge <> 'days'`)
  return sql.join(where, sql` and `)
}

/** The open leaves that a change may concern, by day. */
export const openLeaves = (db: Db, concerned: Concerned): Promise<OpenLeave[]> =>
  rows<OpenLeave>(
    db,
    sql`select r.leave_id as id, r.user_id as "userId", ${personName('u')} as "userName",
        u.department_id as "departmentId", r.leave_type_id as "typeId", r.start_date::text as "startDate",
        r.end_date::text as "endDate", r.start_part as "startPart", r.end_part as "endPart", r.status,
        r.reviewed_by as "reviewedBy", t.charge, t.counts_every_day as "countsEveryDay"
      from leaves r join users u on u.user_id = r.user_id and u.deleted_at is null
      join leave_types t on t.leave_type_id = r.leave_type_id
      where ${conditionsOf(concerned)} order by r.start_date, r.leave_id`,
  )

/** True if a change may concern a leave. */
export async function concernsLeaves(db: Db, concerned: Concerned): Promise<boolean> {
  const found = await rows(
    db,
    sql`select from leaves r join users u on u.user_id = r.user_id and u.deleted_at is null
      join leave_types t on t.leave_type_id = r.leave_type_id where ${conditionsOf(concerned)} limit 1`,
  )
  return found.length > 0
}

export type Calendars = ReadonlyMap<number, PersonalCalendar>
export type Rosters = ReadonlyMap<number, readonly Rostered[]>

/** The days without work of the people of these leaves, by person. */
export async function calendarsFor(db: Db, leaves: readonly OpenLeave[]): Promise<Calendars> {
  if (!leaves.length) return new Map()
  return calendarsOfPeople(db, {
    userIds: [...new Set(leaves.map(({ userId }) => userId))],
    from: leaves.map(({ startDate }) => startDate).reduce((a, b) => (a < b ? a : b)),
    to: leaves.map(({ endDate }) => endDate).reduce((a, b) => (a > b ? a : b)),
  })
}

/** The shifts that decide what these leaves cost, by leave. With `asIf`, those that the change concerns are marked. */
export const rostersFor = (db: Db, leaves: readonly OpenLeave[], asIf?: AsIf): Promise<Rosters> =>
  rosteredBetween(
    db,
    leaves
      .filter(({ charge }) => charge !== 'days')
      .map((leave) => {
        const weeks = weeksOf(leave)
        return { id: leave.id, userId: leave.userId, from: addDays(weeks.from, -1), to: weeks.to }
      }),
    asIf,
  )

/** What a leave costs by a calendar and a roster. */
export function chargeOf(
  { charge, countsEveryDay, ...leave }: OpenLeave,
  calendar: PersonalCalendar,
  roster: readonly Rostered[] = [],
): Charge {
  const { halves, years } =
    charge === 'days' ? count(leave, { countsEveryDay }, calendar) : countByRoster(leave, charge, roster, calendar)
  return { ...leave, halves, years }
}
