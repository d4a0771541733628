import { sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { addDays } from '../../calendar/days.ts'
import { NOWHERE, readPlaces } from '../../calendar/places.ts'
import { type Absence, awayBetween } from '../../leaves/days/absences.ts'
import { type Minutes, restOf } from '../../leaves/days/halfDays.ts'

/** The absent part of a day in minutes after midnight, and its share of the day: 1 or 0.5. */
interface Part {
  from: number
  to: number
  share: number
}

/** Approved leaves of some people, by time of day. */
export interface Away {
  /** True if a leave overlaps these minutes after midnight of a person's day; 1440 and more is on the next day. */
  at(userId: number, date: string, startMinute: number, endMinute: number): boolean
  /** The leave that takes a shift, or half of it. */
  leaveOf(userId: number, shift: Minutes & { date: string }): number | undefined
  /** What half a day of leave leaves of a shift; undefined if the person is away for the whole of it. */
  rest(userId: number, shift: Minutes & { date: string }): Minutes | undefined
  /** Days of leave of a person, each with the absent part of the day. */
  days(userId: number): Map<string, Part>
  all: readonly Absence[]
}

/** Minutes after midnight that halve the days of the person `u`, as `readPlaces` finds them. */
const halfDayMinute = sql.raw(`coalesce((select p.half_day_minute from workplaces p
  where p.department_id = u.department_id or p.department_id is null order by p.department_id is null limit 1),
  ${NOWHERE.halfDayMinute})`)

/**
 * Condition that the leave `r` of the person `u` is approved and overlaps the shift `s`: a night reaches into the next day, and half
 * a day leaves the other half free. `Away.at` decides the same for shifts that are not stored.
 */
export const isMetByLeave = sql`(r.status = 'approved' and s.date between r.start_date - 1 and r.end_date
  and (s.date - r.start_date) * 1440 + s.end_minute > case when r.start_part = 'afternoon' then ${halfDayMinute} else 0 end
  and (s.date - r.end_date) * 1440 + s.start_minute < case when r.end_part = 'morning' then ${halfDayMinute} else 1440 end)`

/** Reads the approved leaves of these people in a range of days. */
export async function readAway(db: Db, userIds: readonly number[], from: string, to: string): Promise<Away> {
  const end = addDays(to, 1) // night shifts of the last day reach into the next
  const all = await awayBetween(db, { from, to: end, userIds })
  const placeOf = await readPlaces(db)
  const byPerson = new Map<number, Map<string, Part & { leave: Absence }>>()
  for (const leave of all) {
    const days = byPerson.get(leave.userId) ?? new Map()
    byPerson.set(leave.userId, days)
    const last = leave.to < end ? leave.to : end
    for (let day = leave.from > from ? leave.from : from; day <= last; day = addDays(day, 1)) {
      const part = { ...partOf(leave, day, placeOf(leave.departmentId).halfDayMinute), leave }
      const known = days.get(day)
      // two half days make a whole day
      days.set(
        day,
        known ? { from: Math.min(known.from, part.from), to: Math.max(known.to, part.to), share: 1, leave } : part,
      )
    }
  }
  const touching = (userId: number, date: string, startMinute: number, endMinute: number) => {
    const part = byPerson.get(userId)?.get(date)
    return part !== undefined && startMinute < part.to && endMinute > part.from ? part.leave.leaveId : undefined
  }
  const taking = (userId: number, date: string, startMinute: number, endMinute: number) =>
    touching(userId, date, startMinute, endMinute) ??
    (endMinute > 1440 ? touching(userId, addDays(date, 1), 0, endMinute - 1440) : undefined)
  const at = (...asked: Parameters<typeof taking>) => taking(...asked) !== undefined
  return {
    all: all.filter((leave) => leave.from <= to),
    at,
    leaveOf: (userId, { date, startMinute, endMinute }) => taking(userId, date, startMinute, endMinute),
    rest(userId, shift) {
      const part = byPerson.get(userId)?.get(shift.date)
      if (!part || part.share === 1) return undefined
      const { departmentId, from: startDate, to: endDate, startPart, endPart } = part.leave
      const rest = restOf(shift, { startDate, endDate, startPart, endPart }, placeOf(departmentId).halfDayMinute)
      return rest && !at(userId, shift.date, rest.startMinute, rest.endMinute) ? rest : undefined
    },
    days: (userId) => new Map([...(byPerson.get(userId) ?? [])].filter(([day]) => day <= to)),
  }
}

function partOf({ from, to, startPart, endPart }: Absence, day: string, halfDayMinute: number): Part {
  const morning = (day === to && endPart === 'morning') || (from === to && startPart === 'morning')
  const afternoon = (day === from && startPart === 'afternoon') || (from === to && endPart === 'afternoon')
  return {
    from: afternoon ? halfDayMinute : 0,
    to: morning ? halfDayMinute : 1440,
    share: morning || afternoon ? 0.5 : 1,
  }
}
