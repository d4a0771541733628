import type { LeaveCoverage, LeaveRequest } from '@innkeeper/contract/planning/leaves/calls'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { isWeekend } from '../../calendar/days.ts'
import { calendarsOfPeople } from '../../calendar/holidays.ts'
import { isDayOff } from '../../calendar/workingDays.ts'
import { shiftsDuring } from '../followers.ts'
import { awayBetween, isAwayOn } from './absences.ts'
import { daysOf } from './leaveDays.ts'

/** Absences of the rest of the department on the days of a leave, and shifts of the person that become uncovered. */
export async function coverageOf(db: Db, leave: LeaveRequest): Promise<LeaveCoverage> {
  const { id, userId, departmentId, startDate, endDate } = leave
  const range = { from: startDate, to: endDate }
  const [team] = await rows<{ n: number }>(
    db,
    sql`select count(*)::int as n from users where department_id is not distinct from ${departmentId}::int and deleted_at is null`,
  )
  const absences = await awayBetween(db, { ...range, departmentId, pending: true })
  const others = absences.filter(({ leaveId }) => leaveId !== id)
  // the map has all requested people
  const calendar = (await calendarsOfPeople(db, { ...range, userIds: [userId] })).get(userId)!
  const offOn = (date: string) =>
    isWeekend(date, calendar.weekend) ? 'Weekend' : isDayOff(calendar, date) ? 'Day off' : null
  const names = new Map(calendar.holidays.map(({ date, name }) => [date, name]))
  return {
    team: team?.n ?? 0,
    days: daysOf({ startDate, endDate }).map((date) => ({
      date,
      off: names.get(date) ?? offOn(date),
      away: others
        .filter((absence) => isAwayOn(absence, date))
        .map(({ userId, name, status }) => ({ userId, name, status })),
    })),
    shifts: await shiftsDuring(db, leave),
  }
}
