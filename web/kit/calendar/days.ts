import { dateFormat } from '../look/dateFormat.ts'
import { firstDay, languageNow } from '../look/locale.ts'
import { calendarTexts } from './texts.ts'

/** A calendar day, `2026-11-21`, without time and zone. */
export type Day = string

const MS = 86_400_000
const ordinal = (day: Day): number => Date.parse(`${day}T00:00:00Z`) / MS
const dayAt = (n: number): Day => new Date(n * MS).toISOString().slice(0, 10)

export const addDays = (day: Day, n: number): Day => dayAt(ordinal(day) + n)
/** How many days from one to the other; negative backwards. */
export const daysFrom = (from: Day, to: Day): number => ordinal(to) - ordinal(from)
/** 1 Monday … 7 Sunday. */
export const weekdayOf = (day: Day): number => ((((ordinal(day) + 3) % 7) + 7) % 7) + 1
/** Whether a day is on the weekend of a place; Saturday and Sunday by default. */
export const isWeekend = (day: Day, weekend: readonly number[] = [6, 7]): boolean => weekend.includes(weekdayOf(day))
/** The Monday of its week. */
export const weekOf = (day: Day): Day => addDays(day, 1 - weekdayOf(day))
/** The day with which its week begins, as the person counts. */
export const weekStart = (day: Day): Day => addDays(day, -((weekdayOf(day) - firstDay() + 7) % 7))
export const monthOf = (day: Day): Day => `${day.slice(0, 7)}-01`
/** All days of a range, both ends included. */
export const daysOf = (from: Day, to: Day): Day[] =>
  Array.from({ length: Math.max(0, daysFrom(from, to) + 1) }, (_, n) => addDays(from, n))

/** The same day of another month, or its last one: a month after 31 January is 28 February. */
export function addMonths(day: Day, n: number): Day {
  const months = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + n
  const first = `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}-01`
  return addDays(first, Math.min(Number(day.slice(8)), lengthOf(first)) - 1)
}
export const monthEnd = (day: Day): Day => addDays(monthOf(day), lengthOf(day) - 1)
const lengthOf = (day: Day): number =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).getUTCDate()

/** The whole weeks that a month touches, from the person's first day: four to six of seven days. */
export function weeksOf(month: Day): Day[][] {
  const start = weekStart(monthOf(month))
  const weeks = Math.ceil((daysFrom(start, monthEnd(month)) + 1) / 7)
  return Array.from({ length: weeks }, (_, n) => daysOf(addDays(start, n * 7), addDays(start, n * 7 + 6)))
}

/** ISO 8601: the week that has the year's first Thursday is its first. */
export function weekNumber(day: Day): number {
  const thursday = addDays(weekOf(day), 3)
  return Math.floor(daysFrom(`${thursday.slice(0, 4)}-01-01`, thursday) / 7) + 1
}

/** Today in a zone; without one, where the browser is. */
export const today = (timeZone?: string, now = new Date()): Day =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(now)

/** Parses a day from an address; undefined for any other text. */
export function readDay(text: unknown): Day | undefined {
  if (typeof text !== 'string' || !/^(19|20)\d\d-\d\d-\d\d$/.test(text)) return undefined
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && dayAt(time / MS) === text ? text : undefined
}

const forms = {
  letter: { weekday: 'narrow' },
  weekday: { weekday: 'short' },
  short: { day: 'numeric', month: 'short' },
  long: { weekday: 'long', day: 'numeric', month: 'long' },
  month: { month: 'long', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>
const made = new Map<string, ReturnType<typeof dateFormat>>()

/** `letter` M · `weekday` Mon · `short` 2 Nov · `long` Monday 2 November · `month` November 2026 */
export function dayText(day: Day, form: keyof typeof forms): string {
  const format = made.get(form) ?? dateFormat(forms[form])
  made.set(form, format)
  const text = format.one(ordinal(day) * MS)
  return languageNow() === 'en' ? text.replace(',', '') : text
}

/** "2–8 Nov 2026", "28 Dec 2026 – 3 Jan 2027". */
export function rangeText(from: Day, to: Day): string {
  if (from === to) return `${dayText(from, 'short')} ${from.slice(0, 4)}`
  if (from.slice(0, 7) === to.slice(0, 7))
    return `${calendarTexts().ordinal(Number(from.slice(8)))}–${dayText(to, 'short')} ${to.slice(0, 4)}`
  const year = from.slice(0, 4) === to.slice(0, 4) ? '' : ` ${from.slice(0, 4)}`
  return `${dayText(from, 'short')}${year} – ${dayText(to, 'short')} ${to.slice(0, 4)}`
}

/** Minutes after midnight as a clock time, modulo one day: 1590 → 02:30. */
export const clockText = (minutes: number): string => {
  const m = ((minutes % 1440) + 1440) % 1440
  return `${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`
}
