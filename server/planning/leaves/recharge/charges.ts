import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { personName } from '../../../kit/db/people.ts'
import { addDays } from '../../calendar/days.ts'
import { calendarsOfPeople } from '../../calendar/holidays.ts'
import { count } from '../days/leaveDays.ts'
import { countByRoster, weeksOf } from '../days/rosterDays.ts'
import { readTypes } from '../entitlements/types.ts'
import { rosteredBetween } from '../followers.ts'
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

/** What each open leave costs by the present rules. Leaves that touch a closed month are left out: their figures are final. */
export async function chargesOf(db: Db, { userIds, from, to, begins, byRoster }: Concerned): Promise<Charge[]> {
  const where: SQL[] = [
    sql`r.status in ('pending', 'approved') and r.end_date >= ${from}::date`,
    sql`not exists (select from shift_months m
      where m.month between date_trunc('month', r.start_date)::date and r.end_date)`,
  ]
  if (to) where.push(sql`r.start_date <= ${to}::date`)
  if (begins) where.push(sql`r.start_date >= ${begins}::date`)
  if (userIds) where.push(sql`r.user_id = any(${sql.param([...userIds])}::int[])`)
  if (byRoster) where.push(sql`t.charge <> 'days'`)
  const found = await rows<Omit<Charge, 'halves' | 'years'>>(
    db,
    sql`select r.leave_id as id, r.user_id as "userId", ${personName('u')} as "userName",
        u.department_id as "departmentId", r.leave_type_id as "typeId", r.start_date::text as "startDate",
        r.end_date::text as "endDate", r.start_part as "startPart", r.end_part as "endPart", r.status,
        r.reviewed_by as "reviewedBy"
      from leaves r join users u on u.user_id = r.user_id and u.deleted_at is null
      join leave_types t on t.leave_type_id = r.leave_type_id
      where ${sql.join(where, sql` and `)} order by r.start_date, r.leave_id`,
  )
  if (!found.length) return []
  const span = {
    from: found.map(({ startDate }) => startDate).reduce((a, b) => (a < b ? a : b)),
    to: found.map(({ endDate }) => endDate).reduce((a, b) => (a > b ? a : b)),
  }
  const calendars = await calendarsOfPeople(db, { userIds: [...new Set(found.map(({ userId }) => userId))], ...span })
  const types = new Map((await readTypes(db)).map((type) => [type.id, type]))
  const chargeOf = ({ typeId }: { typeId: number }) => types.get(typeId)?.charge ?? 'days'
  const rosters = await rosteredBetween(
    db,
    found
      .filter((leave) => chargeOf(leave) !== 'days')
      .map((leave) => {
        const weeks = weeksOf(leave)
        return { id: leave.id, userId: leave.userId, from: addDays(weeks.from, -1), to: weeks.to }
      }),
  )
  return found.map((leave) => {
    const calendar = calendars.get(leave.userId)! // the map has all requested people
    const charge = chargeOf(leave)
    const { halves, years } =
      charge === 'days'
        ? count(leave, { countsEveryDay: types.get(leave.typeId)?.countsEveryDay ?? false }, calendar)
        : countByRoster(leave, charge, rosters.get(leave.id) ?? [], calendar)
    return { ...leave, halves, years }
  })
}
