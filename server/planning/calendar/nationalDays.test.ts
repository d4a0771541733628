import { describe, expect, it } from 'vitest'
import { addDays, dayOf, isWeekend, weekdayOf } from './days.ts'
import { nationalDays, type OwnRule } from './nationalDays.ts'
import { withSubstitutes } from './substitutes.ts'

const weekend = [6, 7]
const at = (country: string | null, region: string | null = null) => ({ country, region, weekend })
const bulgaria = at('BG')
const inYear = (year: number) => ({ from: `${year}-01-01`, to: `${year}-12-31` })
const rule = (more: Partial<OwnRule>): OwnRule => ({
  ...{ id: 1, name: 'Ours', description: null, country: null, kind: 'fixed', month: null, day: null },
  ...{ movableMethod: null, weekday: null, week: null, offsetDays: 0, substitution: 'none', isDayOff: true },
  ...{ replaces: null, validFrom: 1900, validTo: null },
  ...more,
})
const freeDays = async (place: ReturnType<typeof at>, year: number, own: OwnRule[] = []) =>
  (await nationalDays(place, own, inYear(year))).filter(({ free }) => free).map(({ date }) => date)

/** Full moons of the old calendar by golden number, independent of the library and of Innkeeper. */
const moons = '4-5 3-25 4-13 4-2 3-22 4-10 3-30 4-18 4-7 3-27 4-15 4-4 3-24 4-12 4-1 3-21 4-9 3-29 4-17'.split(' ')
function easterOf(year: number): string {
  const [month = 0, day = 0] = (moons[year % 19] ?? '').split('-').map(Number)
  let date = addDays(dayOf(year, month, day), 14)
  while (weekdayOf(date) !== 7) date = addDays(date, 1)
  return date
}

/** The rule of the Labour Code, day by day: a fixed holiday on a weekend is replaced by the next working day. */
function bulgarianDays(year: number): string[] {
  const fixed = new Set(['01-01', '03-03', '05-01', '05-06', '05-24', '09-06', '09-22', '12-24', '12-25', '12-26'])
  const easter = easterOf(year)
  const ofEaster = new Set([-2, -1, 0, 1].map((n) => addDays(easter, n)))
  const free: string[] = []
  let owed = 0
  // starts at the Christmas before, whose substitute may fall in January
  for (let day = `${year - 1}-12-24`; day <= `${year}-12-31`; day = addDays(day, 1)) {
    const isFixed = fixed.has(day.slice(5))
    if (isFixed && isWeekend(day, weekend)) owed++
    const isPaid = !isFixed && !ofEaster.has(day) && !isWeekend(day, weekend) && owed > 0
    if (isPaid) owed--
    if ((isFixed || ofEaster.has(day) || isPaid) && day >= `${year}-01-01`) free.push(day)
  }
  return free
}

describe('the holidays of a country', () => {
  it('are those of the Bulgarian Labour Code with their substitutes, 2024 to 2050', async () => {
    for (let year = 2024; year <= 2050; year++)
      expect([...new Set(await freeDays(bulgaria, year))]).toEqual(bulgarianDays(year))
  })
  it('replace 1 May 2027, a Holy Saturday, by 4 May', async () => {
    const days = await nationalDays(bulgaria, [], { from: '2027-04-28', to: '2027-05-05' })
    expect([...new Set(days.filter(({ free }) => free).map(({ date }) => date))]).toEqual([
      '2027-04-30',
      '2027-05-01',
      '2027-05-02',
      '2027-05-03',
      '2027-05-04',
    ])
    expect(days.find(({ date }) => date === '2027-05-04')).toMatchObject({ substitute: true })
  })
  it('replace Christmas on a weekend by the two following working days', async () => {
    expect(await freeDays(at('GB', 'ENG'), 2027)).toEqual(
      expect.arrayContaining(['2027-12-25', '2027-12-26', '2027-12-27', '2027-12-28']),
    )
  })
  it('are not replaced on weekends in countries without substitutes', async () => {
    const norway = await nationalDays(at('NO'), [], inYear(2027))
    expect(norway.some(({ substitute }) => substitute)).toBe(false)
    expect(norway.map(({ date }) => date)).toEqual(
      expect.arrayContaining(['2027-01-01', '2027-03-25', '2027-03-26', '2027-05-01', '2027-05-17', '2027-12-26']),
    )
  })
  it('include those of the region', async () => {
    expect(await freeDays(at('DE', 'BY'), 2026)).toContain('2026-01-06')
    expect(await freeDays(at('DE', 'BE'), 2026)).not.toContain('2026-01-06')
  })
  it('are none without a country', async () => {
    expect(await freeDays(at(null), 2026)).toEqual([])
  })
})

describe('a national event of Innkeeper', () => {
  it('overrides the library’s rule that it replaces, in its own years only', async () => {
    const own = rule({ country: 'BG', replaces: '03-03', month: 3, day: 4, validFrom: 2026, validTo: 2026 })
    expect(await freeDays(bulgaria, 2026, [own])).toContain('2026-03-04')
    expect(await freeDays(bulgaria, 2026, [own])).not.toContain('2026-03-03')
    expect(await freeDays(bulgaria, 2025, [own])).toContain('2025-03-03')
  })
  it('can cancel a holiday', async () => {
    const own = rule({ country: 'BG', replaces: '03-03', month: 3, day: 3, isDayOff: false })
    expect(await freeDays(bulgaria, 2026, [own])).not.toContain('2026-03-03')
    expect((await nationalDays(bulgaria, [own], inYear(2026))).map(({ name }) => name)).toContain('Ours')
  })
  it('applies in its own country only', async () => {
    const own = rule({ country: 'NO', month: 7, day: 14 })
    expect(await freeDays(bulgaria, 2026, [own])).not.toContain('2026-07-14')
    expect(await freeDays(at('NO'), 2026, [own])).toContain('2026-07-14')
  })
  it('is found by weekday or by Easter, and not in a year without it', async () => {
    const days = (own: OwnRule, year: number) => freeDays(at(null), year, [own])
    const weekday = { kind: 'movable', month: 11 } as const
    expect(await days(rule({ ...weekday, movableMethod: 'nth-weekday', weekday: 4, week: 4 }), 2026)).toEqual([
      '2026-11-26',
    ])
    expect(await days(rule({ ...weekday, movableMethod: 'last-weekday', weekday: 1 }), 2026)).toEqual(['2026-11-30'])
    expect(await days(rule({ ...weekday, movableMethod: 'nth-weekday', weekday: 1, week: 5 }), 2026)).toEqual([
      '2026-11-30',
    ])
    expect(await days(rule({ ...weekday, movableMethod: 'nth-weekday', weekday: 2, week: 5 }), 2026)).toEqual([])
    expect(await days(rule({ kind: 'movable', movableMethod: 'western-easter', offsetDays: 60 }), 2026)).toEqual([
      '2026-06-04',
    ])
    expect(await days(rule({ month: 2, day: 29 }), 2027)).toEqual([])
    expect(await days(rule({ month: 2, day: 29 }), 2028)).toEqual(['2028-02-29'])
  })
  it('is replaced by the next working day', async () => {
    const own = rule({ month: 11, day: 27, substitution: 'next-working-day' }) // a Friday in 2026
    expect(await freeDays(at(null), 2026, [own])).toEqual(['2026-11-27'])
    expect(await freeDays({ ...at(null), weekend: [5, 6] }, 2026, [own])).toEqual(['2026-11-27', '2026-11-29'])
  })
  it('is replaced in the following year if its own year has ended', async () => {
    const own = rule({ month: 12, day: 31, substitution: 'next-working-day' })
    const newYear = rule({ id: 2, month: 1, day: 1, substitution: 'next-working-day' })
    // 31 December 2033 is a Saturday, 1 January a Sunday
    expect(await freeDays(at(null), 2034, [own, newYear])).toEqual(
      expect.arrayContaining(['2034-01-01', '2034-01-02', '2034-01-03']),
    )
  })
})

it('moves an imported substitute that falls on a free day', () => {
  const day = (date: string, substitute = false) => ({ date, name: date, substitute, moves: false })
  expect(withSubstitutes([day('2027-05-03'), day('2027-05-03', true)], weekend).map(({ date }) => date)).toEqual([
    '2027-05-03',
    '2027-05-04',
  ])
})
