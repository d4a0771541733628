import { describe, expect, it } from 'vitest'
import { durationOf, lengthOf, toHours } from './duration.ts'

/** Every row of the table in people §9, then further cases. */
const examples: [start: string, end: string, pause: number, day: number, night: number, hours: number][] = [
  ['09:00', '17:00', 0, 8, 0, 8],
  ['09:00', '18:00', 60, 9, 0, 8],
  ['09:00', '17:30', 30, 9, 0, 8],
  ['09:30', '18:00', 0, 9, 0, 8.5],
  ['09:30', '17:30', 0, 8, 0, 8],
  ['07:00', '15:00', 0, 8, 0, 8],
  ['15:00', '23:00', 0, 8, 0, 8],
  ['23:00', '07:00', 0, 0, 8, 64 / 7],
  ['23:00', '07:00', 30, 0, 8, 64 / 7 - 0.5],
  ['22:00', '06:00', 0, 1, 7, 9],
  ['16:00', '00:00', 0, 7, 1, 57 / 7],
  ['06:00', '14:00', 0, 7, 1, 57 / 7],
  ['22:30', '07:00', 0, 1, 8, 1 + 64 / 7 - 0.5],
  ['23:00', '06:30', 0, 0, 8, 64 / 7 - 0.5],
  ['15:00', '23:30', 0, 8, 1, 8 + 8 / 7 - 0.5],
  ['06:30', '14:30', 0, 7, 1, 57 / 7],
  ['20:00', '08:00', 60, 4, 8, 4 + 64 / 7 - 1],
  ['08:00', '08:00', 0, 16, 8, 16 + 64 / 7],
  ['16:00', '24:00', 0, 7, 1, 57 / 7],
  ['00:00', '07:00', 0, 0, 7, 8],
  ['22:45', '06:15', 20, 1, 7, 9 - 0.5 - 1 / 3],
  ['09:00', '09:20', 0, 1, 0, 1 / 3],
]

describe('a shift', () => {
  it.each(examples)('%s–%s with a break of %i min is %i + %i steps', (start, end, pause, day, night, hours) => {
    const found = durationOf(start, end, pause)
    expect([found.day, found.night]).toEqual([day, night])
    expect(toHours(found.weighted420)).toBeCloseTo(hours, 9)
    expect(found.weighted420).toBe(Math.round(hours * 420))
  })
  it('lasts from start to end by wall clock, without the break', () => {
    expect(durationOf('22:00', '06:00', 30)).toMatchObject({ start: 1320, end: 1800, workedMinutes: 450 })
    expect(lengthOf('08:00', '08:00')).toBe(1440)
    expect(lengthOf('23:30', '00:15')).toBe(45)
  })
  it('uses the night hours and the weight of the settings', () => {
    const rule = { nightFrom: 22, nightTo: 6, nightNumerator: 3, nightDenominator: 2 }
    expect(durationOf('22:00', '06:00', 0, rule)).toMatchObject({ day: 0, night: 8, weighted420: 12 * 420 })
    expect(durationOf('01:00', '03:00', 0, { ...rule, nightFrom: 0, nightTo: 2 })).toMatchObject({ day: 1, night: 1 })
  })
})
