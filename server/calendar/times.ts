import { Temporal } from 'temporal-polyfill'
import { addDays, type Day } from './days.ts'

/** A time of the wall clock, `YYYY-MM-DDThh:mm`, in a zone that is named beside it. */
export type Local = string

const iso = (instant: Temporal.Instant) => instant.toString({ fractionalSecondDigits: 3 })
const isLocal = (text: string) => text.length === 16

/**
 * The instant of a wall clock, or of an instant itself. A time that the clocks skip is as much later as they jump; of one
 * that they show twice it is the first (RFC 5545, Temporal's `compatible`).
 */
export function instantOf(text: Local | string, zone: string): string {
  if (!isLocal(text)) return iso(Temporal.Instant.from(text))
  return iso(Temporal.PlainDateTime.from(text).toZonedDateTime(zone).toInstant())
}

/** What the clock on the wall shows. */
export const localOf = (instant: string, zone: string): Local =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'minute' })

/** The day of a wall clock, or of an instant in a zone. */
export const dayIn = (text: Local | string, zone: string): Day =>
  isLocal(text) ? text.slice(0, 10) : localOf(text, zone).slice(0, 10)

/** Where a day begins: not everywhere at midnight. */
export const startOfDay = (day: Day, zone: string): string =>
  iso(Temporal.PlainDate.from(day).toZonedDateTime(zone).toInstant())
export const endOfDay = (day: Day, zone: string): string => startOfDay(addDays(day, 1), zone)

export const addMinutes = (instant: string, minutes: number): string =>
  new Date(Date.parse(instant) + minutes * 60_000).toISOString()

/** The last day of what ends where the next begins. */
export const lastDayIn = (endsAt: string, zone: string): Day =>
  localOf(addMinutes(endsAt, -1 / 60_000), zone).slice(0, 10)
