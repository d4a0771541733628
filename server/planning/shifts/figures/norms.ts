import type { Db } from '../../../kit/db/db.ts'
import { monthOf } from '../../calendar/closedMonths.ts'
import { addDays, isWeekend } from '../../calendar/days.ts'
import { type Calendar, calendarsOfPeople } from '../../calendar/holidays.ts'
import { readAway } from '../roster/absences.ts'
import { readSettings } from '../settings.ts'

/** Hours due in a month: working days without weekends, holidays and leaves. */
export async function normsOf(
  db: Db,
  ids: readonly number[],
  from: string,
  to: string,
): Promise<(userId: number, month: string) => number> {
  const { dayNormMinutes } = await readSettings(db)
  const calendars = await calendarsOfPeople(db, { userIds: ids, from, to })
  const away = await readAway(db, ids, from, to)
  const known = new Map<Calendar, Working>()
  /** People with the same calendar share one count of working days. */
  const workingOf = (calendar: Calendar): Working => {
    const working = known.get(calendar) ?? workingDays(calendar, from, to)
    known.set(calendar, working)
    return working
  }
  return (userId, month) => {
    const { days, perMonth } = workingOf(calendars.get(userId)!) // the map has all requested people
    let absent = 0
    for (const [day, share] of away.days(userId)) if (monthOf(day) === month && days.has(day)) absent += share
    return (((perMonth.get(month) ?? 0) - absent) * dayNormMinutes) / 60
  }
}

interface Working {
  days: ReadonlySet<string>
  /** Number of working days per month. */
  perMonth: ReadonlyMap<string, number>
}

function workingDays({ holidays, weekend }: Calendar, from: string, to: string): Working {
  const free = new Set(holidays.map(({ date }) => date))
  const days = new Set<string>()
  const perMonth = new Map<string, number>()
  for (let day = from; day <= to; day = addDays(day, 1)) {
    if (isWeekend(day, weekend) || free.has(day)) continue
    days.add(day)
    perMonth.set(monthOf(day), (perMonth.get(monthOf(day)) ?? 0) + 1)
  }
  return { days, perMonth }
}
