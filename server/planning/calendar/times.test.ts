import { Temporal } from 'temporal-polyfill'
import { expect, it } from 'vitest'
import { instantOf, localOf, startOfDay } from './times.ts'

const HOUR = 3_600_000
/** Zones with half an hour, Ramadan rules, a skipped day, and changes at midnight. */
const odd: [zone: string, year: number][] = [
  ['Europe/Oslo', 2026],
  ['Australia/Lord_Howe', 2026],
  ['Africa/Casablanca', 2026],
  ['Pacific/Apia', 2011],
  ['America/Havana', 2026],
]

it.each(odd)('the clock of %s in %d agrees with Temporal for every time', (zone, year) => {
  for (let n = 0; n < 366 * 24; n += 5) {
    const instant = Temporal.Instant.fromEpochMilliseconds(Date.UTC(year, 0, 1) + n * HOUR + HOUR / 2)
    const text = instant.toString({ fractionalSecondDigits: 3 })
    const shown = instant.toZonedDateTimeISO(zone).toPlainDateTime()
    expect(localOf(text, zone)).toBe(shown.toString({ smallestUnit: 'minute' }))
    const local = text.slice(0, 16) // a local time, which may be skipped or repeated
    const meant = Temporal.PlainDateTime.from(local).toZonedDateTime(zone)
    expect(instantOf(local, zone)).toBe(meant.toInstant().toString({ fractionalSecondDigits: 3 }))
    const begins = shown.toPlainDate().toZonedDateTime(zone)
    expect(startOfDay(shown.toPlainDate().toString(), zone)).toBe(
      begins.toInstant().toString({ fractionalSecondDigits: 3 }),
    )
  }
})
