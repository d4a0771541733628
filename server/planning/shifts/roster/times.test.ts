import { describe, expect, it } from 'vitest'
import { dayIn, instantOf } from '../../calendar/times.ts'
import { clockChangeOf, spanOf } from './times.ts'

const oslo = 'Europe/Oslo'

describe('times of day', () => {
  it('are converted to instants by the time zone, in summer and in winter', () => {
    expect(instantOf('2026-07-01T09:00', oslo)).toBe('2026-07-01T07:00:00.000Z')
    expect(instantOf('2026-12-01T09:00', oslo)).toBe('2026-12-01T08:00:00.000Z')
    expect(spanOf('2026-12-31', 1320, 1440 + 360, oslo).endsAt).toBe('2027-01-01T05:00:00.000Z')
  })
  it('span an hour less in the night of a clock change forward; a skipped time becomes an hour later', () => {
    const { startsAt, endsAt } = spanOf('2026-03-28', 1320, 1800, oslo)
    expect([startsAt, endsAt]).toEqual(['2026-03-28T21:00:00.000Z', '2026-03-29T04:00:00.000Z'])
    expect(clockChangeOf(startsAt, endsAt, 1320, 1800)).toBe(-60)
    expect(instantOf('2026-03-29T02:30', oslo)).toBe('2026-03-29T01:30:00.000Z')
  })
  it('span an hour more in the night of a clock change back; a repeated time means the first occurrence', () => {
    const { startsAt, endsAt } = spanOf('2026-10-24', 1320, 1800, oslo)
    expect([startsAt, endsAt]).toEqual(['2026-10-24T20:00:00.000Z', '2026-10-25T05:00:00.000Z'])
    expect(clockChangeOf(startsAt, endsAt, 1320, 1800)).toBe(60)
    expect(instantOf('2026-10-25T02:30', oslo)).toBe('2026-10-25T00:30:00.000Z')
  })
  it('follow the clock changes of each time zone', () => {
    expect(instantOf('2026-10-04T02:30', 'Australia/Sydney')).toBe('2026-10-03T16:30:00.000Z')
    const { startsAt, endsAt } = spanOf('2026-04-04', 1320, 1800, 'Australia/Sydney')
    expect(clockChangeOf(startsAt, endsAt, 1320, 1800)).toBe(60)
  })
  it('can be on another day in another time zone', () => {
    const now = '2026-11-21T23:30:00Z'
    expect([dayIn(now, oslo), dayIn(now, 'UTC')]).toEqual(['2026-11-22', '2026-11-21'])
  })
})
