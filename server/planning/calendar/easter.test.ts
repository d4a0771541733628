import { describe, expect, it } from 'vitest'
import { addDays, dayOf, weekdayOf } from './days.ts'
import { orthodoxEaster, westernEaster } from './easter.ts'

/** Paschal full moons by golden number: the tables of the Book of Common Prayer for 1900–2199, and of the old calendar. */
const western = '4-14 4-3 3-23 4-11 3-31 4-18 4-8 3-28 4-16 4-5 3-25 4-13 4-2 3-22 4-10 3-30 4-17 4-7 3-27'.split(' ')
const julian = '4-5 3-25 4-13 4-2 3-22 4-10 3-30 4-18 4-7 3-27 4-15 4-4 3-24 4-12 4-1 3-21 4-9 3-29 4-17'.split(' ')

/** The Sunday after the full moon; the old calendar is 13 days behind the Gregorian one. */
function sundayAfterMoon(table: string[], year: number, behind: number): string {
  const [month = 0, day = 0] = (table[year % 19] ?? '').split('-').map(Number)
  let date = addDays(dayOf(year, month, day), behind + 1)
  while (weekdayOf(date) !== 7) date = addDays(date, 1)
  return date
}
const years = Array.from({ length: 76 }, (_, i) => 2024 + i)

describe('Easter', () => {
  it('is the Sunday after the full moon of the western tables, 2024 to 2099', () => {
    for (const year of years) expect(westernEaster(year)).toBe(sundayAfterMoon(western, year, 0))
  })
  it('is the Sunday after the full moon of the old calendar for the orthodox, 2024 to 2099', () => {
    for (const year of years) expect(orthodoxEaster(year)).toBe(sundayAfterMoon(julian, year, 13))
  })
  it('falls on the days that the churches published', () => {
    expect([2024, 2025, 2026, 2027, 2028, 2029, 2038].map(westernEaster)).toEqual([
      '2024-03-31',
      '2025-04-20',
      '2026-04-05',
      '2027-03-28',
      '2028-04-16',
      '2029-04-01',
      '2038-04-25',
    ])
    expect([2024, 2025, 2026, 2027, 2028, 2029].map(orthodoxEaster)).toEqual([
      '2024-05-05',
      '2025-04-20',
      '2026-04-12',
      '2027-05-02',
      '2028-04-16',
      '2029-04-08',
    ])
  })
  it('falls a day later in the old calendar from 2100 on', () => {
    expect(orthodoxEaster(2100)).toBe(sundayAfterMoon(julian, 2100, 14))
    expect(orthodoxEaster(1899)).toBe(sundayAfterMoon(julian, 1899, 12))
  })
})
