import { addDays } from '../calendar/days.ts'
import type { Db } from '../kit/db/db.ts'
import { type Absence, awayBetween } from '../leaves/absences.ts'

/** Half a day ends, or begins, at noon. */
const NOON = 720

/** Who is away by an approved leave, and when of the day. */
export interface Away {
  /** Does a leave take any of these minutes of a person's day? */
  at(userId: number, date: string, startMinute: number, endMinute: number): boolean
  /** Whole and half days of leave of a person, each with how much of the day it takes: 1 or 0.5. */
  days(userId: number): Map<string, number>
  all: readonly Absence[]
}

/** The approved leaves of these people in a range of days. */
export async function readAway(db: Db, userIds: readonly number[], from: string, to: string): Promise<Away> {
  const all = await awayBetween(db, { from, to, userIds })
  const byPerson = new Map<number, Map<string, { from: number; to: number }>>()
  for (const leave of all) {
    const days = byPerson.get(leave.userId) ?? new Map()
    byPerson.set(leave.userId, days)
    const last = leave.to < to ? leave.to : to
    for (let day = leave.from > from ? leave.from : from; day <= last; day = addDays(day, 1)) {
      const part = partOf(leave, day)
      const known = days.get(day)
      // two halves of one day are the whole of it
      days.set(day, known ? { from: Math.min(known.from, part.from), to: Math.max(known.to, part.to) } : part)
    }
  }
  return {
    all,
    at: (userId, date, startMinute, endMinute) => {
      const part = byPerson.get(userId)?.get(date)
      return part !== undefined && startMinute < part.to && endMinute > part.from
    },
    days: (userId) =>
      new Map([...(byPerson.get(userId) ?? [])].map(([day, part]) => [day, (part.to - part.from) / 1440])),
  }
}

function partOf({ from, to, startPart, endPart }: Absence, day: string): { from: number; to: number } {
  const morning = (day === to && endPart === 'morning') || (from === to && startPart === 'morning')
  const afternoon = (day === from && startPart === 'afternoon') || (from === to && endPart === 'afternoon')
  return { from: afternoon ? NOON : 0, to: morning ? NOON : 1440 }
}
