import { describe, expect, it } from 'vitest'
import { type CalendarItem, linesOf, moved, place, spanOf, spoken, stretched } from './items.ts'

const item = (from: string, to = from, more: Partial<CalendarItem> = {}): CalendarItem => ({
  id: `${from}/${to}`,
  from,
  to,
  label: 'Shift',
  colour: 'info',
  ...more,
})
const first = '2026-11-02'

describe('items on a row of days', () => {
  it('are cut at its ends, with a mark', () => {
    expect(spanOf(item('2026-10-30', '2026-11-03'), first, 7, 'day')).toEqual({
      start: 0,
      end: 2,
      before: true,
      after: false,
    })
    expect(spanOf(item('2026-11-08', '2026-11-20'), first, 7, 'day')).toMatchObject({ start: 6, end: 7, after: true })
    expect(spanOf(item('2026-11-09'), first, 7, 'day')).toBeUndefined()
    expect(spanOf(item('2026-11-01'), first, 7, 'day')).toBeUndefined()
  })
  it('with times reach past midnight, also from the day before the row', () => {
    const night = { minutes: [1320, 1800] as const }
    expect(spanOf(item('2026-11-02', '2026-11-02', night), first, 7, 'time')).toMatchObject({
      start: 22 / 24,
      end: 30 / 24,
    })
    expect(spanOf(item('2026-11-01', '2026-11-01', night), first, 7, 'time')).toMatchObject({
      start: 0,
      end: 6 / 24,
      before: true,
    })
    // a night belongs to the day that it begins on
    expect(spanOf(item('2026-11-02', '2026-11-02', night), first, 7, 'day')).toMatchObject({ start: 0, end: 1 })
  })
  it('share a line if they do not overlap', () => {
    const placed = place(
      [item('2026-11-04'), item('2026-11-02', '2026-11-03'), item('2026-11-03', '2026-11-05')],
      first,
      7,
    )
    expect(placed.map(({ item, line }) => [item.id, line])).toEqual([
      ['2026-11-02/2026-11-03', 0],
      ['2026-11-03/2026-11-05', 1],
      ['2026-11-04/2026-11-04', 0],
    ])
    expect(linesOf(placed)).toBe(2)
    expect(linesOf([])).toBe(1)
  })
  it('are announced with their times', () => {
    expect(spoken(item(first, first, { minutes: [1320, 1800], look: 'dashed' }))).toBe('Shift 22:00–06:00, draft')
  })
})

describe('a dragged item', () => {
  const night = item('2026-11-02', '2026-11-02', { minutes: [1320, 1800] })
  it('keeps its times when it moves by days', () => {
    expect(moved(night, 2 * 1440)).toEqual({ from: '2026-11-04', to: '2026-11-04', minutes: [1320, 1800] })
    expect(moved(item('2026-11-02', '2026-11-05'), -1440)).toEqual({ from: '2026-11-01', to: '2026-11-04' })
  })
  it('can start on another day when it moves by minutes', () => {
    expect(moved(night, 180)).toEqual({ from: '2026-11-03', to: '2026-11-03', minutes: [60, 540] })
    expect(moved(item(first, first, { minutes: [60, 540] }), -90)).toMatchObject({
      from: '2026-11-01',
      minutes: [1410, 1890],
    })
  })
  it('never reverses when resized, and lasts at most a day', () => {
    expect(stretched(night, 'end', -2000, 30)).toMatchObject({ minutes: [1320, 1350] })
    expect(stretched(night, 'end', 5000, 30)).toMatchObject({ minutes: [1320, 2760] })
    expect(stretched(night, 'start', 60, 30)).toMatchObject({ from: first, minutes: [1380, 1800] })
    const early = item(first, first, { minutes: [60, 540] })
    expect(stretched(early, 'start', -120, 30)).toEqual({
      from: '2026-11-01',
      to: '2026-11-01',
      minutes: [1380, 1980],
    })
    expect(stretched(item(first, '2026-11-04'), 'end', -9 * 1440, 1440)).toEqual({ from: first, to: first })
    expect(stretched(item(first, '2026-11-04'), 'start', 9 * 1440, 1440)).toEqual({
      from: '2026-11-04',
      to: '2026-11-04',
    })
  })
})
