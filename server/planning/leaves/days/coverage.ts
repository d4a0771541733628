import type { LeaveCoverage, LeaveRequest } from '@innkeeper/contract/planning/leaves/calls'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { personName } from '../../../kit/db/people.ts'
import { isWeekend } from '../../calendar/days.ts'
import { calendarsOfPeople } from '../../calendar/holidays.ts'
import { isDayOff, isOwnDayOff } from '../../calendar/workingDays.ts'
import { shiftsDuring } from '../followers.ts'
import { awayBetween, isAwayOn } from './absences.ts'
import { daysOf } from './leaveDays.ts'

/** Absences and own days off of the rest of the department on the days of a leave, and shifts of the person that become uncovered. */
export async function coverageOf(db: Db, leave: LeaveRequest): Promise<LeaveCoverage> {
  const { id, userId, departmentId, startDate, endDate } = leave
  const range = { from: startDate, to: endDate }
  const team = await rows<{ id: number; name: string }>(
    db,
    sql`select user_id as id, ${personName()} as name from users
      where department_id is not distinct from ${departmentId}::int and deleted_at is null order by lower(${personName()}), user_id`,
  )
  const absences = await awayBetween(db, { ...range, departmentId, pending: true })
  const others = absences.filter(({ leaveId }) => leaveId !== id)
  const ids = [userId, ...team.map((one) => one.id)]
  const calendars = await calendarsOfPeople(db, { ...range, userIds: ids })
  const calendar = calendars.get(userId)! // the map has all requested people
  const isOff = (who: number, date: string) => isOwnDayOff(calendars.get(who)!, date)
  const offOn = (date: string) =>
    isWeekend(date, calendar.weekend) ? 'Weekend' : isDayOff(calendar, date) ? 'Day off' : null
  const names = new Map(calendar.holidays.map(({ date, name }) => [date, name]))
  return {
    team: team.length,
    days: daysOf({ startDate, endDate }).map((date) => {
      const onLeave = others.filter((absence) => isAwayOn(absence, date))
      const isAway = new Set([userId, ...onLeave.map((one) => one.userId)])
      const atHome = team.filter((one) => !isAway.has(one.id) && isOff(one.id, date))
      return {
        date,
        off: names.get(date) ?? offOn(date),
        away: [
          ...onLeave.map((one) => ({ userId: one.userId, name: one.name, status: one.status })),
          ...atHome.map((one) => ({ userId: one.id, name: one.name, status: 'dayOff' as const })),
        ],
      }
    }),
    shifts: await shiftsDuring(db, leave),
  }
}
