import type { LeavePart } from '@innkeeper/contract/leaves/values'
import { addDays, daysFromTo, isWeekend, type Weekend, yearOf } from '../calendar/days.ts'

/** From one day to another, both included; the first may begin at noon and the last may end there. */
export interface Span {
  startDate: string
  endDate: string
  startPart: LeavePart
  endPart: LeavePart
}

export interface Counted {
  halves: number
  /** Half days by year. */
  years: Map<number, number>
  holidays: { date: string; name: string }[]
  /** Days of weekends that are not charged. */
  weekend: number
}

/** Every day between two, both included. */
export const daysOf = ({ startDate, endDate }: Pick<Span, 'startDate' | 'endDate'>): string[] =>
  Array.from({ length: Math.max(0, daysFromTo(startDate, endDate)) }, (_, n) => addDays(startDate, n))

/** How much of one of its days a span takes: one half or two. */
export function halvesOn(span: Span, date: string): 1 | 2 {
  const first = date === span.startDate && span.startPart !== 'full'
  const last = date === span.endDate && span.endPart !== 'full'
  return first || last ? 1 : 2
}

/** Its first and its last half day, as text that sorts: two spans meet where neither ends before the other begins. */
const firstOf = ({ startDate, startPart }: Span) => `${startDate}${startPart === 'afternoon' ? 'p' : 'a'}`
const lastOf = ({ endDate, endPart }: Span) => `${endDate}${endPart === 'morning' ? 'a' : 'p'}`
export const meet = (a: Span, b: Span): boolean => firstOf(a) <= lastOf(b) && firstOf(b) <= lastOf(a)

/** What is free at a place: public holidays, and days of the week. */
interface Calendar {
  holidays: readonly { date: string; name: string }[]
  weekend: Weekend
}

/** What a span takes: days off by rule are free unless every day counts. */
export function count(
  span: Span,
  { countsEveryDay }: { countsEveryDay: boolean },
  { holidays, weekend }: Calendar,
): Counted {
  const off = new Map(holidays.map(({ date, name }) => [date, name]))
  const counted: Counted = { halves: 0, years: new Map(), holidays: [], weekend: 0 }
  for (const date of daysOf(span)) {
    const holiday = off.get(date)
    if (!countsEveryDay && isWeekend(date, weekend)) counted.weekend += 1
    else if (!countsEveryDay && holiday !== undefined) counted.holidays.push({ date, name: holiday })
    else {
      const halves = halvesOn(span, date)
      counted.halves += halves
      counted.years.set(yearOf(date), (counted.years.get(yearOf(date)) ?? 0) + halves)
    }
  }
  return counted
}
