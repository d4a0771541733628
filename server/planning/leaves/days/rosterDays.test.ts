import { describe, expect, it } from 'vitest'
import type { Span } from './leaveDays.ts'
import { countByRoster } from './rosterDays.ts'

const whole = (startDate: string, endDate = startDate): Span => ({
  ...{ startDate, endDate, startPart: 'full', endPart: 'full' },
})
const shift = (date: string, from: number, to: number, pause = 0) => ({
  ...{ date, startMinute: from * 60, endMinute: to * 60, workMinutes: (to - from) * 60 - pause, normMinutes: 480 },
})
const calendar = { holidays: [{ date: '2026-12-25', name: 'Christmas Day' }], weekend: [6, 7], halfDayMinute: 720 }
const inShifts = (span: Span, ...shifts: ReturnType<typeof shift>[]) => countByRoster(span, 'shifts', shifts, calendar)

describe('a leave by roster', () => {
  it('charges a rostered weekend, but not the free days of that week', () => {
    const week = [shift('2026-12-05', 6, 14), shift('2026-12-06', 6, 14)]
    expect(inShifts(whole('2026-12-05', '2026-12-06'), ...week)).toMatchObject({ halves: 4, shifts: 2, weekend: 0 })
    expect(inShifts(whole('2026-12-01', '2026-12-03'), ...week).halves).toBe(0)
  })
  it('charges a rostered holiday, and a night shift that ends on the first day', () => {
    expect(inShifts(whole('2026-12-25'), shift('2026-12-25', 8, 16)).halves).toBe(2)
    expect(inShifts(whole('2026-12-02'), shift('2026-12-01', 22, 30)).halves).toBe(2)
  })
  it('divides hours without breaks by the daily norm, rounded to half days', () => {
    const by = (...shifts: ReturnType<typeof shift>[]) =>
      countByRoster(whole('2026-12-01', '2026-12-04'), 'hours', shifts, calendar).halves
    expect(by(shift('2026-12-01', 7, 19))).toBe(3)
    expect(by(shift('2026-12-01', 7, 19, 60), shift('2026-12-02', 7, 19, 60))).toBe(6)
    expect(by(shift('2026-12-01', 8, 9))).toBe(1)
  })
  it('charges a half day if a shift overlaps it', () => {
    const morning: Span = { startDate: '2026-12-01', endDate: '2026-12-01', startPart: 'morning', endPart: 'morning' }
    expect(inShifts(morning, shift('2026-12-01', 14, 22)).halves).toBe(0)
    expect(inShifts(morning, shift('2026-12-01', 6, 14)).halves).toBe(1)
    expect(inShifts(morning, shift('2026-12-01', 5, 12)).halves).toBe(2)
  })
  it('counts weeks without a roster by working days, by year', () => {
    const { halves, years, weekend } = inShifts(whole('2026-12-28', '2027-01-10'), shift('2026-12-28', 6, 14))
    expect([halves, [...years], weekend]).toEqual([
      12,
      [
        [2026, 2],
        [2027, 10],
      ],
      2,
    ])
  })
})
