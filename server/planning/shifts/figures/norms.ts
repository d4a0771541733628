import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { monthOf } from '../../calendar/closedMonths.ts'
import { addDays } from '../../calendar/days.ts'
import { calendarsOfPeople, type PersonalCalendar } from '../../calendar/holidays.ts'
import { hasOwnDays, isDayOff, isHalfHoliday, isOutside, normOn } from '../../calendar/workingDays.ts'
import { readAway } from '../roster/absences.ts'
import { readSettings } from '../settings.ts'

/**
 * Hours due in a month: working days without weekends, holidays and leaves, by the working days of the workplace or of the
 * person. Nothing is due from people whom no roster plans: they have no working days of their own, and no shift in the
 * month, the one before and the one after.
 */
export async function normsOf(
  db: Db,
  ids: readonly number[],
  from: string,
  to: string,
): Promise<(userId: number, month: string) => number> {
  const { dayNormMinutes } = await readSettings(db)
  const calendars = await calendarsOfPeople(db, { userIds: ids, from, to })
  const away = await readAway(db, ids, from, to)
  const planned = await plannedMonths(db, ids, from, to)
  const known = new Map<PersonalCalendar, Due>()
  /** People with the same calendar share one count. */
  const dueOf = (calendar: PersonalCalendar): Due => {
    const due = known.get(calendar) ?? dueDays(calendar, from, to, dayNormMinutes)
    known.set(calendar, due)
    return due
  }
  return (userId, month) => {
    const { days, perMonth, ownMonths } = dueOf(calendars.get(userId)!) // the map has all requested people
    if (!ownMonths.has(month) && !planned.has(`${userId} ${month}`)) return 0
    let absent = 0
    for (const [day, part] of away.days(userId)) {
      const due = monthOf(day) === month ? days.get(day) : undefined
      if (due) absent += due.isMorning ? (part.from === 0 ? due.minutes : 0) : due.minutes * part.share
    }
    return ((perMonth.get(month) ?? 0) - absent) / 60
  }
}

/** People and months near their published shifts, as `7 2026-11-01`. */
async function plannedMonths(db: Db, ids: readonly number[], from: string, to: string): Promise<Set<string>> {
  const found = await rows<{ userId: number; month: string }>(
    db,
    sql`select distinct p."userId", (p.month + make_interval(months => n.n))::date::text as month
      from (select distinct user_id as "userId", date_trunc('month', date)::date as month from shifts
        where deleted_at is null and status = 'published' and user_id = any(${sql.param([...ids])}::int[])
          and date >= ${monthOf(from)}::date - interval '1 month' and date < ${monthOf(to)}::date + interval '2 months') as p
      cross join generate_series(-1, 1) as n(n)`,
  )
  return new Set(found.map(({ userId, month }) => `${userId} ${month}`))
}

interface Due {
  days: ReadonlyMap<string, { minutes: number; isMorning: boolean }>
  perMonth: ReadonlyMap<string, number>
  /** Months with working days of a person's own. */
  ownMonths: ReadonlySet<string>
}

function dueDays(calendar: PersonalCalendar, from: string, to: string, norm: number): Due {
  const free = new Set(calendar.holidays.map(({ date }) => date))
  const days = new Map<string, { minutes: number; isMorning: boolean }>()
  const perMonth = new Map<string, number>()
  const ownMonths = new Set<string>()
  for (let day = from; day <= to; day = addDays(day, 1)) {
    if (hasOwnDays(calendar, day)) ownMonths.add(monthOf(day))
    if (isOutside(calendar, day) || isDayOff(calendar, day) || free.has(day)) continue
    const isMorning = isHalfHoliday(calendar, day)
    const minutes = normOn(calendar, day, norm) / (isMorning ? 2 : 1)
    days.set(day, { minutes, isMorning })
    perMonth.set(monthOf(day), (perMonth.get(monthOf(day)) ?? 0) + minutes)
  }
  return { days, perMonth, ownMonths }
}
