import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { type Day, isWeekend, type Weekend, weekdayOf } from './days.ts'

/** Working days and hours of a person from a day on. */
interface WorkingWeek {
  from: Day
  /** Minutes from Monday to Sunday, 0 for a day off; null: as the workplace. */
  minutes: readonly number[] | null
}

/** When and on which days a person works, as far as these differ from the workplace in the days that were asked for. */
export interface Employment {
  /** Sorted; the last that has begun holds. */
  weeks?: readonly WorkingWeek[]
  /** First and last day at work, if they lie within the days. */
  firstDay?: Day | undefined
  lastDay?: Day | undefined
}

interface DaysOff extends Employment {
  weekend: Weekend
}

/** Employments of those of these people that have something of their own in the span. Two queries. */
export async function readEmployments(
  db: Db,
  userIds: readonly number[],
  { from, to }: { from: Day; to: Day },
): Promise<Map<number, Employment>> {
  const ids = sql.param([...userIds])
  const weeks = await rows<WorkingWeek & { userId: number }>(
    db,
    sql`select user_id as "userId", valid_from::text as "from", minutes from working_weeks
      where user_id = any(${ids}::int[]) and valid_from <= ${to}::date order by user_id, valid_from`,
  )
  const limits = await rows<{ userId: number; firstDay: Day | null; lastDay: Day | null }>(
    db,
    sql`select user_id as "userId", case when hired_at > ${from}::date then hired_at::text end as "firstDay",
        case when last_day < ${to}::date then last_day::text end as "lastDay"
      from profiles where user_id = any(${ids}::int[]) and (hired_at > ${from}::date or last_day < ${to}::date)`,
  )
  const found = new Map<number, Employment>()
  for (const [userId, theirs] of Map.groupBy(weeks, (week) => week.userId))
    found.set(userId, { weeks: theirs.map(({ from: first, minutes }) => ({ from: first, minutes })) })
  for (const { userId, firstDay, lastDay } of limits)
    found.set(userId, {
      ...found.get(userId),
      ...{ firstDay: firstDay ?? undefined, lastDay: lastDay ?? undefined },
    })
  return found
}

const weekOn = ({ weeks }: Employment, day: Day) => weeks?.findLast(({ from }) => from <= day)?.minutes ?? null

/** True before the first and after the last day at work. */
export const isOutside = ({ firstDay, lastDay }: Employment, day: Day): boolean =>
  (firstDay !== undefined && day < firstDay) || (lastDay !== undefined && day > lastDay)

/** True on a weekly day off: by the working days of the person, else by the weekend of the workplace. */
export function isDayOff(days: DaysOff, day: Day): boolean {
  const minutes = weekOn(days, day)
  return minutes ? minutes[weekdayOf(day) - 1] === 0 : isWeekend(day, days.weekend)
}

/** True on a day that the workplace works and the person, by working days of their own, does not. */
export const isOwnDayOff = (days: DaysOff, day: Day): boolean => isDayOff(days, day) && !isWeekend(day, days.weekend)

/** True if working days of the person's own hold on a day. */
export const hasOwnDays = (employment: Employment, day: Day): boolean => weekOn(employment, day) !== null

/** True on a day of the year on which work ends at noon. */
export const isHalfHoliday = ({ halfHolidays = [] }: { halfHolidays?: readonly string[] }, day: Day): boolean =>
  halfHolidays.includes(day.slice(5))

/** Minutes of a whole working day of a person: of the weekday, or on days off the average of the week. */
export function normOn(employment: Employment, day: Day, norm: number): number {
  const minutes = weekOn(employment, day)
  if (!minutes) return norm
  const worked = minutes.filter((one) => one > 0)
  return (
    minutes[weekdayOf(day) - 1] || (worked.length ? worked.reduce((sum, one) => sum + one, 0) / worked.length : norm)
  )
}
