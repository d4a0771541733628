import { Temporal } from 'temporal-polyfill'
import { remember } from '../../kit/app/remember.ts'
import { addDays, type Day } from './days.ts'

/** Local time without offset, `YYYY-MM-DDThh:mm`. The zone is stored separately. */
export type Local = string

const iso = (instant: Temporal.Instant) => instant.toString({ fractionalSecondDigits: 3 })
const isLocal = (text: string) => text.length === 16

const DAY_MS = 86_400_000
const aheadAt = (ms: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).offsetNanoseconds / 1_000_000
const steady = remember<number | 'changes'>(50_000)

/**
 * UTC offset of a zone in milliseconds around a day; undefined if the offset changes from the day before to the day
 * after, or if the time is invalid. Cached, because Temporal takes 3 ms for a list of 50 events.
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

/** Limits of years with four digits. */
const FIRST = Date.parse('0001-01-01T00:00:00Z')
const LAST = Date.parse('9999-01-01T00:00:00Z')
const isoAt = (ms: number) => new Date(ms).toISOString()

/**
 * Instant of a local time or an instant. A local time that a clock change skips moves forward by the gap; a repeated
 * local time is its first occurrence (RFC 5545, `compatible` in Temporal).
 */
export function instantOf(text: Local | string, zone: string): string {
  if (!isLocal(text)) return iso(Temporal.Instant.from(text))
  const shown = Date.parse(`${text}Z`)
  const ahead = aheadAround(shown, zone)
  if (ahead !== undefined) return isoAt(shown - ahead)
  return iso(Temporal.PlainDateTime.from(text).toZonedDateTime(zone).toInstant())
}

/** Local time of an instant in a zone. */
export function localOf(instant: string, zone: string): Local {
  const ms = Date.parse(instant)
  const ahead = aheadAround(ms, zone)
  if (ahead !== undefined) return isoAt(ms + ahead).slice(0, 16)
  return Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'minute' })
}

/** Day of a local time, or of an instant in a zone. */
export const dayIn = (text: Local | string, zone: string): Day =>
  isLocal(text) ? text.slice(0, 10) : localOf(text, zone).slice(0, 10)

/** First instant of a day, which is not midnight in all zones. */
export function startOfDay(day: Day, zone: string): string {
  const midnight = Date.parse(`${day}T00:00Z`)
  const ahead = aheadAround(midnight, zone)
  if (ahead !== undefined) return isoAt(midnight - ahead)
  return iso(Temporal.PlainDate.from(day).toZonedDateTime(zone).toInstant())
}
export const endOfDay = (day: Day, zone: string): string => startOfDay(addDays(day, 1), zone)

export const addMinutes = (instant: string, minutes: number): string =>
  new Date(Date.parse(instant) + minutes * 60_000).toISOString()

/** Last day of a period with an exclusive end. */
export const lastDayIn = (endsAt: string, zone: string): Day =>
  localOf(addMinutes(endsAt, -1 / 60_000), zone).slice(0, 10)
