import { expect, test } from 'vitest'
import { type Preset, periodOf, periodText, presetOf, presets } from './periods.ts'

const days = (preset: Preset, today: string) => {
  const { from, to } = periodOf(preset, today)
  return `${from} ${to}`
}

test('weeks start on Monday, also at the end of a year', () => {
  expect(days('thisWeek', '2026-11-22')).toBe('2026-11-16 2026-11-22')
  expect(days('lastWeek', '2027-01-03')).toBe('2026-12-21 2026-12-27')
})
test('months and quarters are complete', () => {
  expect(days('lastMonth', '2026-03-31')).toBe('2026-02-01 2026-02-28')
  expect(days('thisQuarter', '2026-11-30')).toBe('2026-10-01 2026-12-31')
  expect(days('lastQuarter', '2026-02-28')).toBe('2025-10-01 2025-12-31')
  expect(days('lastQuarter', '2026-05-31')).toBe('2026-01-01 2026-03-31')
})
test('periods that end now include today', () => {
  expect(days('last7Days', '2026-11-23')).toBe('2026-11-17 2026-11-23')
  expect(days('last30Days', '2026-11-23')).toBe('2026-10-25 2026-11-23')
})
test('a period is recognised as its preset', () => {
  // no two presets are the same days
  const today = '2026-11-23'
  const names = Object.keys(presets) as Preset[]
  expect(names.map((preset) => presetOf(periodOf(preset, today), today))).toEqual(names)
  expect(presetOf({ from: '2026-11-02', to: '2026-11-23' }, today)).toBeUndefined()
  expect(periodText(periodOf('lastMonth', today), today)).toBe('Last month, 1–31 Oct 2026')
  expect(periodText({ from: '2026-11-02', to: '2026-11-20' }, today)).toBe('2–20 Nov 2026')
})
