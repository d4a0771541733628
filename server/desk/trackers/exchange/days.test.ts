import { expect, test } from 'vitest'
import { dayOf, instantOf } from './days.ts'

test.each([
  ['2026-12-01', '2026-12-01'],
  ['2026-12-01T23:30:00+02:00', '2026-12-01'],
  ['2026/12/01 10:00', '2026-12-01'],
  ['1.12.2026', '2026-12-01'],
  ['01/Dec/26 3:04 PM', '2026-12-01'],
  ['1 December 2026', '2026-12-01'],
  ['Dec 1, 2026, 3:04 PM', '2026-12-01'],
  ['Tue Dec 1 2026', '2026-12-01'],
  ['2026-02-30', undefined],
  ['2026-13-01', undefined],
  ['03/04/2026', undefined],
  ['Sprint 12', undefined],
  ['5', undefined],
  ['', undefined],
])('%j is the day %s', (text, day) => expect(dayOf(text)).toBe(day))

test.each([
  ['2026-12-01', '2026-12-01T00:00:00.000Z'],
  ['2026-12-01T23:30:00+02:00', '2026-12-01T21:30:00.000Z'],
  ['2026-12-01 10:00 UTC', '2026-12-01T10:00:00.000Z'],
  ['01/Dec/26 12:04 AM', '2026-12-01T00:04:00.000Z'],
  ['1.12.2026 some time', '2026-12-01T00:00:00.000Z'],
  ['yesterday', undefined],
])('%j is the instant %s', (text, instant) => expect(instantOf(text)).toBe(instant))

test.each([
  ['12/31/2026', 'month-first', '2026-12-31'],
  ['03/04/2026', 'day-first', '2026-04-03'],
  ['3/4/26 9:05 AM', 'month-first', '2026-03-04'],
  ['31/12/2026', 'month-first', undefined],
] as const)('%j is, %s, the day %s', (text, order, day) => expect(dayOf(text, order)).toBe(day))
