import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { addDays } from '../../calendar/days.ts'
import { readPlaces } from '../../calendar/places.ts'
import { windowOf } from '../../leaves/days/halfDays.ts'
import type { LeaveSpan, Rostered } from '../../leaves/followers.ts'
import { readStored, type Stored } from '../roster/view.ts'
import { readSettings } from '../settings.ts'

/**
 * Condition on `shifts s` for the shifts that a leave frees: they touch its days, including a night shift of the day
 * before. Shifts of an automation that continues during leaves stay, and so do those of closed months.
 */
const isDuring = (leave: LeaveSpan, halfDayMinute: number): SQL => {
  const { userId, startDate, endDate } = leave
  const [from, to] = [windowOf(leave, startDate, halfDayMinute).from, windowOf(leave, endDate, halfDayMinute).to]
  return sql`s.user_id = ${userId} and s.status in ('draft', 'published')
    and s.date between ${addDays(startDate, -1)}::date and ${endDate}::date
    and (s.date - ${startDate}::date) * 1440 + s.end_minute > ${from}::int
    and (s.date - ${endDate}::date) * 1440 + s.start_minute < ${to}::int
    and not exists (select from shift_months m where m.month = date_trunc('month', s.date)::date)
    and (s.edited or not exists (select from shift_automations a
      where a.shift_automation_id = s.automation_id and a.on_leave = 'work'))`
}

/** Published shifts of a person, from which the days that a leave costs are counted. */
export async function rosteredShifts(db: Db, userId: number, from: string, to: string): Promise<Rostered[]> {
  const { dayNormMinutes } = await readSettings(db)
  const found = await readStored(db, [
    sql`s.user_id = ${userId} and s.status = 'published' and s.date between ${from}::date and ${to}::date`,
  ])
  return found.map(({ date, startMinute, endMinute, breakMinutes }) => ({
    ...{ date, startMinute, endMinute, workMinutes: endMinute - startMinute - breakMinutes },
    normMinutes: dayNormMinutes,
  }))
}

/** Minutes after midnight that halve the days of a person, by the workplace. */
export async function halfDayMinuteOf(db: Db, userId: number): Promise<number> {
  const [person] = await rows<{ departmentId: number | null }>(
    db,
    sql`select department_id as "departmentId" from users where user_id = ${userId}`,
  )
  return (await readPlaces(db))(person?.departmentId ?? null).halfDayMinute
}

/** Shifts that a leave frees, or cuts, by start. */
export const shiftsDuring = async (db: Db, leave: LeaveSpan, lock = false): Promise<Stored[]> =>
  readStored(db, [isDuring(leave, await halfDayMinuteOf(db, leave.userId))], lock)
