import type { LeaveCoverage, LeaveRequest } from '@innkeeper/contract/leaves'
import { sql } from 'drizzle-orm'
import { addDays, isWeekend } from '../../calendar/days.ts'
import { calendarsOfPeople } from '../../calendar/holidays.ts'
import { isoOf } from '../../kit/db/columns.ts'
import { type Db, rows } from '../../kit/db/db.ts'
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
  // has all requested people
  const { holidays, weekend } = (await calendarsOfPeople(db, { ...range, userIds: [userId] })).get(userId)!
  const names = new Map(holidays.map(({ date, name }) => [date, name]))
  return {
    team: team?.n ?? 0,
    days: daysOf({ startDate, endDate }).map((date) => ({
      date,
      off: names.get(date) ?? (isWeekend(date, weekend) ? 'Weekend' : null),
      away: others
        .filter((absence) => isAwayOn(absence, date))
        .map(({ userId, name, status }) => ({ userId, name, status })),
    })),
    shifts: await fallingFree(db, leave),
  }
}

/** Noon in minutes: the boundary of half days. */
const NOON = 720

/** Shifts of the person during the leave, including a night shift of the day before. */
async function fallingFree(
  db: Db,
  { userId, startDate, endDate, startPart, endPart }: LeaveRequest,
): Promise<LeaveCoverage['shifts']> {
  const [from, to] = [startPart === 'afternoon' ? NOON : 0, endPart === 'morning' ? NOON : 1440]
  const found = await rows<{ date: string; name: string; startsAt: string | Date; endsAt: string | Date }>(
    db,
    sql`select date::text as date, name, starts_at as "startsAt", ends_at as "endsAt" from shifts
      where user_id = ${userId} and deleted_at is null and status in ('draft', 'published')
        and date between ${addDays(startDate, -1)}::date and ${endDate}::date
        and (date - ${startDate}::date) * 1440 + end_minute > ${from}::int
        and (date - ${endDate}::date) * 1440 + start_minute < ${to}::int
      order by starts_at`,
  )
  return found.map((shift) => ({ ...shift, startsAt: isoOf(shift.startsAt), endsAt: isoOf(shift.endsAt) }))
}
