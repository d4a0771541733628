import { type EntryKind, entryKinds } from '@innkeeper/contract/planning/calendarEvents/entry'
import { type EventType, eventTypes } from '@innkeeper/contract/planning/calendarEvents/event'
import { addDays, addMonths, type Day, dayText, monthOf, rangeText, readDay } from '../../../kit/calendar/days.ts'

export const views = ['month', 'quarter', 'year', 'range'] as const
type View = (typeof views)[number]

/** State of the calendar in the address: `?view=year&date=2026-11-21&kinds=event,national`. */
export interface Period {
  view: View
  /** Any day of the visible period; the first day of a range. */
  date: Day
  /** Last day of a range. */
  to: Day
  /** An empty list shows all kinds. */
  kinds: EntryKind[]
  types: EventType[]
}

const RANGE_DAYS = 29
/** Maximum length of a range, equal to the server's limit for one answer. */
const MOST_DAYS = 379
const list = <K extends string>(known: Record<K, string>, text: string | undefined): K[] =>
  (Object.keys(known) as K[]).filter((key) => text?.split(',').includes(key)) // the keys of `known` are literals

export function readPeriod(search: Readonly<Record<string, string | undefined>>, today: Day): Period {
  const date = readDay(search.date) ?? today
  const to = readDay(search.to)
  return {
    view: views.find((one) => one === search.view) ?? 'month',
    date,
    to: to && to >= date && to <= addDays(date, MOST_DAYS) ? to : addDays(date, RANGE_DAYS),
    kinds: list(entryKinds, search.kinds),
    types: list(eventTypes, search.type),
  }
}

/** Writes the state to the address, without default values. */
export function writePeriod({ view, date, to, kinds, types }: Period, today: Day): Record<string, string> {
  return {
    ...(view !== 'month' && { view }),
    ...(date !== today && { date }),
    ...(view === 'range' && to !== addDays(date, RANGE_DAYS) && { to }),
    ...(kinds.length > 0 && { kinds: kinds.join(',') }),
    ...(types.length > 0 && { type: types.join(',') }),
  }
}

const months = { month: 1, quarter: 3, year: 12 } as const

/** First day of the month, quarter or year. */
export function startOf({ view, date }: Pick<Period, 'view' | 'date'>): Day {
  if (view === 'range') return date
  if (view === 'month') return monthOf(date)
  const month = Number(date.slice(5, 7))
  return addMonths(monthOf(date), -((month - 1) % months[view]))
}

/** The next or previous period; a range moves by its own length. */
export function turned(period: Period, by: 1 | -1): Pick<Period, 'date' | 'to'> {
  const { view, date, to } = period
  if (view !== 'range') return { date: addMonths(startOf(period), by * months[view]), to }
  const days = (Date.parse(to) - Date.parse(date)) / 86_400_000 + 1
  return { date: addDays(date, by * days), to: addDays(to, by * days) }
}

/** "November 2026", "October – December 2026", "2026". */
export function periodText(period: Period): string {
  const first = startOf(period)
  if (period.view === 'range') return rangeText(period.date, period.to)
  if (period.view === 'year') return first.slice(0, 4)
  if (period.view === 'month') return dayText(first, 'month')
  const last = addMonths(first, 2)
  return `${dayText(first, 'month').split(' ')[0]} – ${dayText(last, 'month')}`
}

export const isNow = (period: Period, today: Day): boolean =>
  period.view === 'range' ? period.date === today : startOf(period) === startOf({ view: period.view, date: today })
