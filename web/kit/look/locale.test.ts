import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { addDays, dayText, weeksOf } from '../calendar/days.ts'
import { guessDay, readTypedDay, writeDay } from '../form/dates.ts'
import { bytes, count, day, longDay } from './format.ts'
import { setLocale } from './locale.ts'

beforeAll(() => vi.stubGlobal('document', { documentElement: {} }))
afterEach(() => setLocale({ language: null, region: null, firstDay: null }))
const at = '2026-11-21T12:00:00Z'

test('dates and numbers are written as in Great Britain until a person chooses', () => {
  expect([longDay(at), day(at), count(12345), bytes(1_288_490_189)]).toEqual([
    '21 Nov 2026',
    '21/11/2026',
    '12,345',
    '1.2 GB',
  ])
})

test('a region changes order and signs, the language changes the words', () => {
  setLocale({ language: 'en', region: 'DE', firstDay: null })
  expect([longDay(at), count(12345), bytes(1_288_490_189)]).toEqual(['21 Nov 2026', '12.345', '1,2 GB'])
  setLocale({ language: 'de', region: 'DE', firstDay: null })
  expect([longDay(at), dayText('2026-11-21', 'month')]).toEqual(['21. Nov. 2026', 'November 2026'])
})

test('weeks of a month begin on the chosen day', () => {
  expect(weeksOf('2026-11-01')[0]?.[0]).toBe('2026-10-26')
  setLocale({ language: null, region: null, firstDay: 7 })
  expect(weeksOf('2026-11-01')[0]?.[0]).toBe('2026-11-01')
  setLocale({ language: null, region: null, firstDay: 6 })
  expect(weeksOf('2026-11-01')[0]?.[0]).toBe('2026-10-31')
})

test.each(['en', 'de'] as const)('a day that a field wrote in %s is read again', (language) => {
  for (const region of ['GB', 'NO', 'SE', 'DE', 'CH', 'FI', 'BG'] as const) {
    setLocale({ language, region, firstDay: null })
    for (let month = 0; month < 12; month++) {
      const written = addDays('2026-01-15', month * 30)
      expect(readTypedDay(writeDay(written)), `${region}: ${writeDay(written)}`).toBe(written)
    }
    expect(guessDay('21 march', '2026-11-21')).toBe('2026-03-21')
  }
})
