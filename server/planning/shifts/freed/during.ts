import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { addDays } from '../../calendar/days.ts'
import type { LeaveSpan, Rostered } from '../../leaves/followers.ts'
import { readStored, type Stored } from '../roster/view.ts'
import { readSettings } from '../settings.ts'

/** Noon in minutes: the boundary of half days. */
const NOON = 720

/**
 * Condition on `shifts s` for the shifts that a leave frees: they touch its days, including a night shift of the day
 * before. Shifts of an automation that continues during leaves stay, and so do those of closed months.
 */
const isDuring = ({ userId, startDate, endDate, startPart, endPart }: LeaveSpan): SQL => {
  const [from, to] = [startPart === 'afternoon' ? NOON : 0, endPart === 'morning' ? NOON : 1440]
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

/** Shifts that a leave frees, by start. */
export const shiftsDuring = (db: Db, leave: LeaveSpan, lock = false): Promise<Stored[]> =>
  readStored(db, [isDuring(leave)], lock)
