import { describe, expect, it } from 'vitest'
import { newRepeat, repeatOf, repeatText, ruleOf } from './repeat.ts'

const MONDAY = '2026-11-23'

describe('a rule in a form', () => {
  it('is read back unchanged', () => {
    for (const repeat of [
      { ...newRepeat, weekdays: ['MO' as const, 'FR' as const], interval: '2' },
      { ...newRepeat, freq: 'MONTHLY' as const, monthly: 'nth' as const },
      { ...newRepeat, freq: 'MONTHLY' as const, monthly: 'last' as const, ends: 'count' as const, count: '4' },
      { ...newRepeat, freq: 'DAILY' as const, ends: 'until' as const, until: '2026-12-24' },
    ])
      expect(repeatOf(ruleOf(repeat, MONDAY), MONDAY)).toEqual(repeat)
  })
  it('that exceeds the form is left unchanged', () => {
    for (const rule of [
      'FREQ=MONTHLY;BYMONTHDAY=1,15',
      'FREQ=MONTHLY;BYDAY=2TU', // not the weekday of its first day
      'FREQ=WEEKLY;BYDAY=MO;WKST=SU',
      'FREQ=YEARLY;BYMONTH=3',
    ])
      expect(repeatOf(rule, MONDAY)).toBeUndefined()
  })
})

describe('a rule in words', () => {
  it('states interval, days and end', () => {
    expect(repeatText('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;UNTIL=20261224')).toBe(
      'Every 2 weeks on Monday and Friday, until 24 Dec 2026',
    )
    expect(repeatText('FREQ=MONTHLY;BYDAY=-1FR;COUNT=3')).toBe('Every month on the last Friday, 3 times')
    expect(repeatText('FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1')).toBe(
      'Every month on the last weekday, Monday to Friday',
    )
    expect(repeatText('FREQ=DAILY')).toBe('Every day')
  })
  it('is shown as its RRULE if no words describe it', () => {
    expect(repeatText('FREQ=MONTHLY;BYMONTHDAY=1')).toBe('FREQ=MONTHLY;BYMONTHDAY=1')
  })
})
