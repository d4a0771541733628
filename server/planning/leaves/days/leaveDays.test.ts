import { describe, expect, it } from 'vitest'
import { count, halvesOn, meet, type Span } from './leaveDays.ts'

const span = (
  startDate: string,
  endDate = startDate,
  startPart: Span['startPart'] = 'full',
  endPart = startPart,
): Span => ({
  startDate,
  endDate,
  startPart,
  endPart: startDate === endDate ? startPart : endPart,
})
const whole = (from: string, to: string) => span(from, to, 'full', 'full')
const working = { countsEveryDay: false }
const weekend = [6, 7]

describe('the charge of a leave', () => {
  it.each([
    ['a working day', span('2026-12-01'), 2],
    ['half a day', span('2026-12-01', '2026-12-01', 'morning'), 1],
    ['a week with its weekend', whole('2026-11-30', '2026-12-06'), 10],
    ['from noon until noon', span('2026-11-30', '2026-12-02', 'afternoon', 'morning'), 4],
    ['a Saturday', span('2026-12-05'), 0],
    ['29 February', span('2028-02-29'), 2],
    ['a leap year', whole('2028-01-01', '2028-12-31'), 520],
  ])('%s', (_, asked, halves) => {
    expect(count(asked, working, { holidays: [], weekend }).halves).toBe(halves)
  })
  it('excludes holidays and names them; a holiday on a weekend counts once', () => {
    const holidays = [
      { date: '2026-12-25', name: 'Christmas Day' },
      { date: '2026-12-26', name: 'Boxing Day' },
    ]
    expect(count(whole('2026-12-24', '2026-12-28'), working, { holidays, weekend })).toMatchObject({
      halves: 4,
      weekend: 2,
      holidays: [{ date: '2026-12-25', name: 'Christmas Day' }],
    })
  })
  it('excludes the days of the week that are free at the workplace', () => {
    const week = whole('2026-11-30', '2026-12-06')
    expect(count(week, working, { holidays: [], weekend: [5, 6] })).toMatchObject({ halves: 10, weekend: 2 })
    expect(count(span('2026-12-06'), working, { holidays: [], weekend: [5, 6] }).halves).toBe(2)
    expect(count(week, working, { holidays: [], weekend: [] }).halves).toBe(14)
  })
  it('includes every day if the type says so', () => {
    const holidays = [{ date: '2026-12-25', name: 'Christmas Day' }]
    expect(count(whole('2026-12-24', '2026-12-27'), { countsEveryDay: true }, { holidays, weekend })).toMatchObject({
      halves: 8,
      weekend: 0,
      holidays: [],
    })
  })
  it('is split between years', () => {
    const { years } = count(whole('2026-12-30', '2027-01-05'), working, {
      holidays: [{ date: '2027-01-01', name: 'New Year’s Day' }],
      weekend,
    })
    expect([...years]).toEqual([
      [2026, 4],
      [2027, 4],
    ])
  })
})

describe('two leaves', () => {
  it.each([
    ['that enclose one another overlap', whole('2026-12-01', '2026-12-31'), whole('2026-12-10', '2026-12-11'), true],
    ['of one day overlap', span('2026-12-01'), span('2026-12-01', '2026-12-01', 'morning'), true],
    [
      'of a morning and its afternoon do not overlap',
      span('2026-12-01', '2026-12-01', 'morning'),
      span('2026-12-01', '2026-12-01', 'afternoon'),
      false,
    ],
    [
      'that end and begin at noon do not overlap',
      span('2026-11-30', '2026-12-01', 'full', 'morning'),
      span('2026-12-01', '2026-12-02', 'afternoon', 'full'),
      false,
    ],
    [
      'that end in the evening and begin at noon overlap',
      whole('2026-11-30', '2026-12-01'),
      span('2026-12-01', '2026-12-02', 'afternoon', 'full'),
      true,
    ],
    [
      'of neighbouring days do not overlap',
      whole('2026-11-30', '2026-12-01'),
      whole('2026-12-02', '2026-12-03'),
      false,
    ],
  ])('%s', (_, a, b, expected) => {
    expect([meet(a, b), meet(b, a)]).toEqual([expected, expected])
  })
})

it('a day of a span is whole or half', () => {
  const long = span('2026-11-30', '2026-12-02', 'afternoon', 'morning')
  expect(['2026-11-30', '2026-12-01', '2026-12-02'].map((day) => halvesOn(long, day))).toEqual([1, 2, 1])
})
