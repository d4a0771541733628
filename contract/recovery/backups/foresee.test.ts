import { describe, expect, it } from 'vitest'
import { byDay, foresee } from './foresee.ts'
import { judge } from './keep.ts'

const none = { last: 0, hourly: 0, daily: 0, weekly: 0, monthly: 0, yearly: 0 }
const now = new Date('2026-11-24T12:00:00Z') // a Tuesday
const nightly = { every: 'day', at: '02:30', weekday: 1, day: 1 } as const
const stays = (...of: Parameters<typeof foresee>) => foresee(...of).filter(({ reasons }) => reasons.length)

describe('backups that a schedule keeps in the long run', () => {
  it('are the newest of each period', () => {
    const keep = { ...none, daily: 3, weekly: 2, monthly: 2, yearly: 2 }
    expect(stays(nightly, keep, now).map(({ at }) => at.slice(0, 10))).toEqual([
      ...['2026-11-24', '2026-11-23', '2026-11-22', '2026-10-31', '2025-12-31'],
    ])
    expect(stays({ ...nightly, every: 'month', day: 5 }, { ...none, monthly: 4 }, now).map(({ at }) => at)).toEqual([
      ...['2026-11-05T02:30:00.000Z', '2026-10-05T02:30:00.000Z', '2026-09-05T02:30:00.000Z'],
      '2026-08-05T02:30:00.000Z',
    ])
  })

  it('include each hour of an hourly schedule, and every year', () => {
    const hourly = { ...nightly, every: 'hour' } as const
    expect(stays(hourly, { ...none, hourly: 48 }, now)).toHaveLength(48)
    expect(stays(hourly, { ...none, yearly: 10 }, now)).toHaveLength(10)
  })

  it('are counted by day, in whole weeks', () => {
    const days = byDay(foresee(nightly, { ...none, daily: 2 }, now), now, 20)
    expect(days).toHaveLength(23)
    expect(new Date(days[0]!.day).getUTCDay()).toBe(1)
    expect(days.slice(-3)).toEqual([
      { day: '2026-11-22', stay: 0, go: 1 },
      { day: '2026-11-23', stay: 1, go: 0 },
      { day: '2026-11-24', stay: 1, go: 0 },
    ])
  })
})

describe('a policy', () => {
  it('include the newest good backup if newer ones are partial', () => {
    const [day, good] = [(n: number) => `2026-11-${n}T02:00:00.000Z`, { ...none, last: 1 }]
    const backups = [
      { id: 3, at: day(24), partial: true },
      { id: 2, at: day(23) },
      { id: 1, at: day(22) },
    ]
    expect(judge(backups, good).map(({ reasons }) => reasons)).toEqual([['last'], ['last good'], []])
  })
})
