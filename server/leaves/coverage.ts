import type { LeaveCoverage, LeaveRequest } from '@innkeeper/contract/leaves'
import { sql } from 'drizzle-orm'
import { isWeekend } from '../calendar/days.ts'
import { holidaysOfPeople } from '../calendar/holidays.ts'
import { type Db, rows } from '../kit/db.ts'
import { awayBetween, isAwayOn } from './away.ts'
import { daysOf } from './count.ts'

/** Who else of the department is away on the days of a leave, and what of the person's plan falls free. */
export async function coverageOf(
  db: Db,
  { id, userId, departmentId, startDate, endDate }: LeaveRequest,
): Promise<LeaveCoverage> {
  const range = { from: startDate, to: endDate }
  const [team] = await rows<{ n: number }>(
    db,
    sql`select count(*)::int as n from users where department_id is not distinct from ${departmentId}::int and deleted_at is null`,
  )
  const absences = await awayBetween(db, { ...range, departmentId, pending: true })
  const others = absences.filter(({ leaveId }) => leaveId !== id)
  const holidays = (await holidaysOfPeople(db, { ...range, userIds: [userId] })).get(userId) ?? []
  const names = new Map(holidays.map(({ date, name }) => [date, name]))
  return {
    team: team?.n ?? 0,
    days: daysOf({ startDate, endDate }).map((date) => ({
      date,
      off: names.get(date) ?? (isWeekend(date) ? 'Weekend' : null),
      away: others
        .filter((absence) => isAwayOn(absence, date))
        .map(({ userId, name, status }) => ({ userId, name, status })),
    })),
    shifts: [],
  }
}
