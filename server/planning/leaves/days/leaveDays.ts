import type { LeavePart } from '@innkeeper/contract/planning/leaves/values'
import { addDays, daysFromTo, type Weekend, yearOf } from '../../calendar/days.ts'
import { type Employment, isDayOff, isHalfHoliday, isOutside } from '../../calendar/workingDays.ts'

/** A range of days, both inclusive. The first may begin at noon, the last may end at noon. */
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
  /** Weekend days and own days off that are not charged. */
  weekend: number
}

/** All days of the range, both ends inclusive. */
export const daysOf = ({ startDate, endDate }: Pick<Span, 'startDate' | 'endDate'>): string[] =>
  Array.from({ length: Math.max(0, daysFromTo(startDate, endDate)) }, (_, n) => addDays(startDate, n))

/** Number of half days of a day that a span takes: 1 or 2. */
export function halvesOn(span: Span, date: string): 1 | 2 {
  const first = date === span.startDate && span.startPart !== 'full'
  const last = date === span.endDate && span.endPart !== 'full'
  return first || last ? 1 : 2
}

/** First and last half day of a span as sortable text: two spans overlap unless one ends before the other begins. */
const firstOf = ({ startDate, startPart }: Span) => `${startDate}${startPart === 'afternoon' ? 'p' : 'a'}`
const lastOf = ({ endDate, endPart }: Span) => `${endDate}${endPart === 'morning' ? 'a' : 'p'}`
export const meet = (a: Span, b: Span): boolean => firstOf(a) <= lastOf(b) && firstOf(b) <= lastOf(a)

/** Days without work of a person. */
interface Calendar extends Employment {
  holidays: readonly { date: string; name: string }[]
  weekend: Weekend
  halfHolidays?: readonly string[]
}

type Holidays = Calendar['holidays']
const known = new WeakMap<Holidays, ReadonlyMap<string, string>>()

/** Names of holidays by day. Thousands of leaves of one workplace share them. */
function namesOf(holidays: Holidays): ReadonlyMap<string, string> {
  const names = known.get(holidays) ?? new Map(holidays.map(({ date, name }) => [date, name]))
  known.set(holidays, names)
  return names
}

const isMorningFree = (span: Span, date: string) =>
  (date === span.startDate && span.startPart === 'afternoon') || (date === span.endDate && span.endPart === 'afternoon')

/**
 * Counts the half days that a span takes. Holidays, weekends and own days off are free, unless the type charges every
 * day; of a half holiday only the morning is charged. Days outside of the employment cost nothing.
 */
export function count(span: Span, { countsEveryDay }: { countsEveryDay: boolean }, calendar: Calendar): Counted {
  const off = namesOf(calendar.holidays)
  const counted: Counted = { halves: 0, years: new Map(), holidays: [], weekend: 0 }
  const add = (date: string, halves: number) => {
    if (!halves) return
    counted.halves += halves
    counted.years.set(yearOf(date), (counted.years.get(yearOf(date)) ?? 0) + halves)
  }
  for (const date of daysOf(span)) {
    const holiday = off.get(date)
    if (isOutside(calendar, date)) continue
    if (countsEveryDay) add(date, halvesOn(span, date))
    else if (isDayOff(calendar, date)) counted.weekend += 1
    else if (holiday !== undefined) counted.holidays.push({ date, name: holiday })
    else if (isHalfHoliday(calendar, date)) {
      counted.holidays.push({ date, name: 'Free from noon' })
      add(date, isMorningFree(span, date) ? 0 : 1)
    } else add(date, halvesOn(span, date))
  }
  return counted
}
