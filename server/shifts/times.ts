import { Temporal } from 'temporal-polyfill'

/**
 * The instant of a time of day. Where clocks are put forward, a time that does not exist is as much later; where they are
 * put back, of two the first is meant (RFC 5545, Temporal's `compatible`). Minutes past 1440 are on the next day.
 */
export function instantOf(date: string, minute: number, timeZone: string): string {
  const days = Math.floor(minute / 1440)
  const rest = minute - days * 1440
  const local = Temporal.PlainDate.from(date)
    .add({ days })
    .toPlainDateTime({ hour: Math.floor(rest / 60), minute: rest % 60 })
  return new Date(local.toZonedDateTime(timeZone).epochMilliseconds).toISOString()
}

const known = new Map<string, { startsAt: string; endsAt: string }>()

/** Start and end of a shift as instants. People of one zone work the same hours: each pair is reckoned once. */
export function spanOf(
  date: string,
  start: number,
  end: number,
  timeZone: string,
): { startsAt: string; endsAt: string } {
  const key = `${date} ${start} ${end} ${timeZone}`
  const found = known.get(key) ?? {
    startsAt: instantOf(date, start, timeZone),
    endsAt: instantOf(date, end, timeZone),
  }
  if (known.size >= 20_000) known.clear()
  known.set(key, found)
  return found
}

/** Which day it is at an instant. */
export const dayAt = (now: Date, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone).toPlainDate().toString()

/** Minutes after midnight as a clock has them: 1800 is 06:00. */
export const clockOf = (minute: number): string => {
  const m = minute % 1440
  return `${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`
}

/** By how many minutes a shift lasts longer than its clock times say; less than zero: shorter. */
export const clockChangeOf = (startsAt: string, endsAt: string, start: number, end: number): number =>
  Math.round((Date.parse(endsAt) - Date.parse(startsAt)) / 60_000) - (end - start)
