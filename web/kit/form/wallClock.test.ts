import { describe, expect, it } from 'vitest'
import { clockChange, instantOf, localIn } from './wallClock.ts'

describe('the local time of a zone', () => {
  it.each([
    ['2026-11-21T14:02', 'Europe/Oslo', '2026-11-21T13:02:00.000Z'],
    ['2026-06-21T14:02', 'Europe/Oslo', '2026-06-21T12:02:00.000Z'],
    ['2026-11-21T00:15', 'Asia/Kathmandu', '2026-11-20T18:30:00.000Z'],
    ['2026-11-21T14:02', 'UTC', '2026-11-21T14:02:00.000Z'],
    ['2026-03-29T03:00', 'Europe/Oslo', '2026-03-29T01:00:00.000Z'],
    ['2026-10-25T03:00', 'Europe/Oslo', '2026-10-25T02:00:00.000Z'],
  ])('%s in %s converts to an instant and back', (local, zone, instant) => {
    expect(instantOf(local, zone)).toBe(instant)
    expect(localIn(instant, zone)).toBe(local)
    expect(clockChange(local, zone)).toBeUndefined()
  })
  it('moves a skipped time by the length of the gap', () => {
    expect(instantOf('2026-03-29T02:30', 'Europe/Oslo')).toBe('2026-03-29T01:30:00.000Z')
    expect(clockChange('2026-03-29T02:30', 'Europe/Oslo')).toBe('skipped')
    expect(instantOf('2026-10-04T02:15', 'Australia/Lord_Howe')).toBe('2026-10-03T15:45:00.000Z')
  })
  it('uses the first of a repeated time', () => {
    expect(instantOf('2026-10-25T02:30', 'Europe/Oslo')).toBe('2026-10-25T00:30:00.000Z')
    expect(clockChange('2026-10-25T02:30', 'Europe/Oslo')).toBe('twice')
    expect(clockChange('2026-11-01T01:30', 'America/New_York')).toBe('twice')
  })
})
