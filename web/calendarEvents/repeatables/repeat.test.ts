import { describe, expect, it } from 'vitest'
import { newRepeat, repeatOf, repeatText, ruleOf } from './repeat.ts'

const MONDAY = '2026-11-23'

describe('a rule in a form', () => {
  it('comes back as it was said', () => {
    for (const repeat of [
      { ...newRepeat, weekdays: ['MO' as const, 'FR' as const], interval: '2' },
      { ...newRepeat, freq: 'MONTHLY' as const, monthly: 'nth' as const },
      { ...newRepeat, freq: 'MONTHLY' as const, monthly: 'last' as const, ends: 'count' as const, count: '4' },
      { ...newRepeat, freq: 'DAILY' as const, ends: 'until' as const, until: '2026-12-24' },
    ])
      expect(repeatOf(ruleOf(repeat, MONDAY), MONDAY)).toEqual(repeat)
  })
  it('is left alone where it says more than the form can', () => {
    for (const rule of [
      'FREQ=MONTHLY;BYMONTHDAY=1,15',
      'FREQ=MONTHLY;BYDAY=2TU', // not the weekday that it begins on
      'FREQ=WEEKLY;BYDAY=MO;WKST=SU',
      'FREQ=YEARLY;BYMONTH=3',
    ])
      expect(repeatOf(rule, MONDAY)).toBeUndefined()
  })
})

describe('a rule in words', () => {
  it('says how often, on which days and until when', () => {
    expect(repeatText('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;UNTIL=20261224')).toBe(
      'Every 2 weeks on Monday and Friday, until 24 Dec 2026',
    )
    expect(repeatText('FREQ=MONTHLY;BYDAY=-1FR;COUNT=3')).toBe('Every month on the last Friday, 3 times')
    expect(repeatText('FREQ=DAILY')).toBe('Every day')
  })
  it('stands as it is where there are no words for it', () => {
    expect(repeatText('FREQ=MONTHLY;BYMONTHDAY=1')).toBe('FREQ=MONTHLY;BYMONTHDAY=1')
  })
})
