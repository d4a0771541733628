import { Temporal } from 'temporal-polyfill'
import { remember } from '../kit/app/remember.ts'
import { addDays, type Day } from './days.ts'

/** A time of the wall clock, `YYYY-MM-DDThh:mm`, in a zone that is named beside it. */
export type Local = string

const iso = (instant: Temporal.Instant) => instant.toString({ fractionalSecondDigits: 3 })
const isLocal = (text: string) => text.length === 16

const DAY_MS = 86_400_000
const aheadAt = (ms: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).offsetNanoseconds / 1_000_000
const steady = remember<number | 'changes'>(50_000)

/**
 * By how many milliseconds a zone is ahead of UTC on the day of this time, the day before and the day after; undefined where
 * its clocks change meanwhile, and for what is no time. Reckoned by Temporal each time, a list of 50 events took 3 ms.
 */
function aheadAround(ms: number, zone: string): number | undefined {
  if (!(ms > FIRST && ms < LAST)) return undefined
  const day = Math.floor(ms / DAY_MS)
  const found = steady(`${day} ${zone}`, () => {
    const ahead = aheadAt((day - 1) * DAY_MS, zone)
    return ahead === aheadAt((day + 2) * DAY_MS, zone) ? ahead : 'changes'
  })
  return found === 'changes' ? undefined : found
}

/** Of the years that are written with four digits. */
const FIRST = Date.parse('0001-01-01T00:00:00Z')
const LAST = Date.parse('9999-01-01T00:00:00Z')
const isoAt = (ms: number) => new Date(ms).toISOString()

/**
 * The instant of a wall clock, or of an instant itself. A time that the clocks skip is as much later as they jump; of one
 * that they show twice it is the first (RFC 5545, Temporal's `compatible`).
 */
export function instantOf(text: Local | string, zone: string): string {
  if (!isLocal(text)) return iso(Temporal.Instant.from(text))
  const shown = Date.parse(`${text}Z`)
  const ahead = aheadAround(shown, zone)
  if (ahead !== undefined) return isoAt(shown - ahead)
  return iso(Temporal.PlainDateTime.from(text).toZonedDateTime(zone).toInstant())
}

/** What the clock on the wall shows. */
export function localOf(instant: string, zone: string): Local {
  const ms = Date.parse(instant)
  const ahead = aheadAround(ms, zone)
  if (ahead !== undefined) return isoAt(ms + ahead).slice(0, 16)
  return Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'minute' })
}

/** The day of a wall clock, or of an instant in a zone. */
export const dayIn = (text: Local | string, zone: string): Day =>
  isLocal(text) ? text.slice(0, 10) : localOf(text, zone).slice(0, 10)

/** Where a day begins: not everywhere at midnight. */
export function startOfDay(day: Day, zone: string): string {
  const midnight = Date.parse(`${day}T00:00Z`)
  const ahead = aheadAround(midnight, zone)
  if (ahead !== undefined) return isoAt(midnight - ahead)
  return iso(Temporal.PlainDate.from(day).toZonedDateTime(zone).toInstant())
}
export const endOfDay = (day: Day, zone: string): string => startOfDay(addDays(day, 1), zone)

export const addMinutes = (instant: string, minutes: number): string =>
  new Date(Date.parse(instant) + minutes * 60_000).toISOString()

/** The last day of what ends where the next begins. */
export const lastDayIn = (endsAt: string, zone: string): Day =>
  localOf(addMinutes(endsAt, -1 / 60_000), zone).slice(0, 10)
