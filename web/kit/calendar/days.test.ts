import { describe, expect, it } from 'vitest'
import {
  addDays,
  addMonths,
  clockText,
  daysFrom,
  daysOf,
  dayText,
  monthEnd,
  rangeText,
  readDay,
  today,
  weekdayOf,
  weekNumber,
  weekOf,
  weeksOf,
} from './days.ts'

describe('a calendar day', () => {
  it('continues over months, leap days and clock changes', () => {
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
    expect(addDays('2026-03-29', 1)).toBe('2026-03-30')
    expect(addDays('2026-10-25', -1)).toBe('2026-10-24')
    expect(daysFrom('2026-03-01', '2026-04-01')).toBe(31)
  })
  it('has Monday first, before 1970 too', () => {
    expect(['2026-11-16', '2026-11-21', '2026-11-22', '1969-12-29'].map(weekdayOf)).toEqual([1, 6, 7, 1])
    expect(weekOf('2026-11-22')).toBe('2026-11-16')
  })
  it('in the month after the 31st is the last of that month', () => {
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
    expect(addMonths('2026-01-15', -1)).toBe('2025-12-15')
    expect(monthEnd('2028-02-10')).toBe('2028-02-29')
  })
  it('belongs to an ISO week', () => {
    expect(['2026-01-01', '2027-01-03', '2024-12-30'].map(weekNumber)).toEqual([1, 53, 1])
  })
  it('a month is shown in whole weeks', () => {
    expect(weeksOf('2026-11-21').map((week) => week[0])).toEqual([
      '2026-10-26',
      '2026-11-02',
      '2026-11-09',
      '2026-11-16',
      '2026-11-23',
      '2026-11-30',
    ])
    expect(weeksOf('2027-02-01')).toHaveLength(4)
  })
  it('is written as people say it', () => {
    expect(dayText('2026-11-02', 'long')).toBe('Monday 2 November')
    expect(rangeText('2026-11-02', '2026-11-08')).toBe('2–8 Nov 2026')
    expect(rangeText('2026-12-28', '2027-01-03')).toBe('28 Dec 2026 – 3 Jan 2027')
    expect([540, 1590, -30].map(clockText)).toEqual(['09:00', '02:30', '23:30'])
  })
  it('in a URL must exist', () => {
    expect(readDay('2026-02-29')).toBeUndefined()
    expect(readDay('2026-11-21x')).toBeUndefined()
    expect(readDay('2028-02-29')).toBe('2028-02-29')
  })
  it('differs between zones', () => {
    const now = new Date('2026-11-21T23:30:00Z')
    expect([today('Europe/Oslo', now), today('UTC', now)]).toEqual(['2026-11-22', '2026-11-21'])
  })
  it('a reversed range has no days', () => {
    expect(daysOf('2026-11-02', '2026-11-01')).toEqual([])
  })
})
