import { readRule, rrule } from '@innkeeper/contract/planning/calendarEvents/rrule'
import { describe, expect, it } from 'vitest'
import { instantOf, localOf } from '../../calendar/times.ts'
import { byDays, everHeld, heldDays, nextDays, ruleDays, splitRule } from './occurrences.ts'

const from = (rule: string, startLocal = '2026-01-05T09:00', exDates: string[] = []) => ({
  rrule: rule,
  startLocal,
  exDates,
})

describe('the days of a rule', () => {
  it('are the weekdays that it names', () => {
    expect(ruleDays(from('FREQ=WEEKLY;BYDAY=MO,WE'), '2026-01-01', '2026-01-14')).toEqual([
      '2026-01-05',
      '2026-01-07',
      '2026-01-12',
      '2026-01-14',
    ])
  })
  it('skip the 31st where a month has none, and 29 February', () => {
    expect(ruleDays(from('FREQ=MONTHLY', '2026-01-31T09:00'), '2026-01-01', '2026-06-30')).toEqual([
      '2026-01-31',
      '2026-03-31',
      '2026-05-31',
    ])
    expect(ruleDays(from('FREQ=YEARLY', '2024-02-29T09:00'), '2024-01-01', '2033-01-01')).toEqual([
      '2024-02-29',
      '2028-02-29',
      '2032-02-29',
    ])
  })
  it('are the last Friday, and the last working day, of a month', () => {
    expect(ruleDays(from('FREQ=MONTHLY;BYDAY=-1FR'), '2026-02-01', '2026-03-31')).toEqual(['2026-02-27', '2026-03-27'])
    const lastWorkingDay = from('FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1')
    expect(ruleDays(lastWorkingDay, '2026-02-01', '2026-05-31')).toEqual([
      '2026-02-27',
      '2026-03-31',
      '2026-04-30',
      '2026-05-29',
    ])
  })
  it('end with the last day, included, or after a number of occurrences', () => {
    expect(ruleDays(from('FREQ=DAILY;UNTIL=20260107'), '2026-01-01', '2026-12-31')).toHaveLength(3)
    expect(ruleDays(from('FREQ=DAILY;COUNT=2'), '2026-01-01', '2026-12-31')).toEqual(['2026-01-05', '2026-01-06'])
    expect(ruleDays(from('FREQ=DAILY;COUNT=2'), '2026-01-06', '2026-12-31')).toEqual(['2026-01-06'])
  })
  it('end with an instant in UTC on its day in the time zone of the event', () => {
    const until = (instant: string, zone: string, startLocal = '2027-03-29T09:00') =>
      byDays(rrule.parse(`FREQ=DAILY;UNTIL=${instant}`), startLocal, zone)
    expect(until('20270401T035959Z', 'America/New_York')).toBe('FREQ=DAILY;UNTIL=20270331')
    expect(until('20270401T035959Z', 'Europe/Oslo')).toBe('FREQ=DAILY;UNTIL=20270331') // 05:59, before the event begins
    expect(until('20270401T100000Z', 'Europe/Oslo')).toBe('FREQ=DAILY;UNTIL=20270401')
    expect(until('20270401T035959Z', 'Europe/Oslo', '2027-03-29T00:00')).toBe('FREQ=DAILY;UNTIL=20270401')
    expect(until('20270401', 'America/New_York')).toBe('FREQ=DAILY;UNTIL=20270401')
    expect(rrule.safeParse('FREQ=DAILY;UNTIL=20270401T259999Z').success).toBe(true) // a time that is none is dropped
  })
  it('keep every second week in step for any range', () => {
    const days = ruleDays(from('FREQ=WEEKLY;INTERVAL=2', '2000-01-03T09:00'), '2098-01-01', '2098-12-31')
    const weeks = days.map((day) => (Date.parse(day) - Date.parse('2000-01-03')) / 86_400_000 / 7)
    expect(weeks.length).toBeGreaterThan(25)
    expect(weeks.every((week) => week % 2 === 0)).toBe(true)
  })
  it('omit cancelled days', () => {
    expect(heldDays(from('FREQ=DAILY', '2026-01-05T09:00', ['2026-01-06']), '2026-01-05', '2026-01-07')).toEqual([
      '2026-01-05',
      '2026-01-07',
    ])
  })
  it('are none for a rule that matches no day', () => {
    expect(everHeld(from('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'))).toBe(false)
    expect(everHeld(from('FREQ=DAILY;UNTIL=20250101'))).toBe(false)
    expect(everHeld(from('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', '2097-01-01T09:00'))).toBe(false) // 2100 has none
  })
  it('are found years ahead for rare rules', () => {
    expect(nextDays(from('FREQ=YEARLY;INTERVAL=10', '2020-05-01T09:00'), '2031-01-01', 1)).toEqual(['2040-05-01'])
  })
})

describe('a split rule', () => {
  it('yields the same days as before', () => {
    for (const rule of ['FREQ=WEEKLY;BYDAY=MO,WE', 'FREQ=DAILY;COUNT=30', 'FREQ=WEEKLY;UNTIL=20260301']) {
      const whole = ruleDays(from(rule), '2026-01-01', '2026-12-31')
      const { before, after } = splitRule(from(rule), '2026-01-19')
      const halves = [
        ...ruleDays(from(before), '2026-01-01', '2026-12-31'),
        ...ruleDays(from(after, '2026-01-19T09:00'), '2026-01-01', '2026-12-31'),
      ]
      expect(halves).toEqual(whole)
    }
  })
})

describe('the syntax of a rule', () => {
  it('is case-insensitive', () => {
    expect(rrule.parse('RRULE:freq=weekly;byday=mo;until=20260301T120000;')).toBe('FREQ=WEEKLY;BYDAY=MO;UNTIL=20260301')
  })
  it('rejects hours, repeated parts, two ends and anything that is no rule', () => {
    for (const text of [
      'FREQ=HOURLY',
      'FREQ=DAILY;BYHOUR=9,10',
      'FREQ=DAILY;FREQ=WEEKLY',
      'FREQ=DAILY;COUNT=2;UNTIL=20260101',
      'FREQ=DAILY;COUNT=0',
      'FREQ=DAILY;INTERVAL=0',
      'FREQ=WEEKLY;BYDAY=2MO',
      'FREQ=WEEKLY;BYMONTHDAY=3',
      'FREQ=DAILY;UNTIL=20260230',
      'FREQ=MONTHLY;BYSETPOS=1',
      'BYDAY=MO',
      'FREQ=DAILY\nDTSTART:20200101T000000Z',
      'constructor=1;FREQ=DAILY',
      '',
    ])
      expect(readRule(text), text).toBeUndefined()
  })
})

describe('local time', () => {
  it('stays the same over a clock change', () => {
    expect(['2026-03-27', '2026-03-30'].map((day) => instantOf(`${day}T09:00`, 'Europe/Oslo'))).toEqual([
      '2026-03-27T08:00:00.000Z',
      '2026-03-30T07:00:00.000Z',
    ])
  })
  it('moves an hour later if a clock change skips it, and is the first if it occurs twice', () => {
    expect(localOf(instantOf('2026-03-29T02:30', 'Europe/Oslo'), 'Europe/Oslo')).toBe('2026-03-29T03:30')
    expect(instantOf('2026-10-25T02:30', 'Europe/Oslo')).toBe('2026-10-25T00:30:00.000Z')
  })
})
