import type { Db } from '../../../kit/db/db.ts'
import { addDays } from '../../calendar/days.ts'
import { type Absence, awayBetween } from '../../leaves/days/absences.ts'

/** Noon in minutes: the boundary of half days. */
const NOON = 720

/** Approved leaves of some people, by time of day. */
export interface Away {
  /** True if a leave overlaps these minutes after midnight of a person's day; 1440 and more is on the next day. */
  at(userId: number, date: string, startMinute: number, endMinute: number): boolean
  /** Days of leave of a person, each with the share of the day: 1 or 0.5. */
  days(userId: number): Map<string, number>
  all: readonly Absence[]
}

/** Reads the approved leaves of these people in a range of days. */
export async function readAway(db: Db, userIds: readonly number[], from: string, to: string): Promise<Away> {
  const end = addDays(to, 1) // night shifts of the last day reach into the next
  const all = await awayBetween(db, { from, to: end, userIds })
  const byPerson = new Map<number, Map<string, { from: number; to: number }>>()
  for (const leave of all) {
    const days = byPerson.get(leave.userId) ?? new Map()
    byPerson.set(leave.userId, days)
    const last = leave.to < end ? leave.to : end
    for (let day = leave.from > from ? leave.from : from; day <= last; day = addDays(day, 1)) {
      const part = partOf(leave, day)
      const known = days.get(day)
      // two half days make a whole day
      days.set(day, known ? { from: Math.min(known.from, part.from), to: Math.max(known.to, part.to) } : part)
    }
  }
  const touches = (userId: number, date: string, startMinute: number, endMinute: number) => {
    const part = byPerson.get(userId)?.get(date)
    return part !== undefined && startMinute < part.to && endMinute > part.from
  }
  return {
    all: all.filter((leave) => leave.from <= to),
    at: (userId, date, startMinute, endMinute) =>
      touches(userId, date, startMinute, endMinute) ||
      (endMinute > 1440 && touches(userId, addDays(date, 1), 0, endMinute - 1440)),
    days: (userId) =>
      new Map(
        [...(byPerson.get(userId) ?? [])]
          .filter(([day]) => day <= to)
          .map(([day, part]) => [day, (part.to - part.from) / 1440]),
      ),
  }
}

function partOf({ from, to, startPart, endPart }: Absence, day: string): { from: number; to: number } {
  const morning = (day === to && endPart === 'morning') || (from === to && startPart === 'morning')
  const afternoon = (day === from && startPart === 'afternoon') || (from === to && endPart === 'afternoon')
  return { from: afternoon ? NOON : 0, to: morning ? NOON : 1440 }
}
