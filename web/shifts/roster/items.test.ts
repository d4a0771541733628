import type { Roster, Shift } from '@innkeeper/contract/shifts'
import { describe, expect, it } from 'vitest'
import { clockChangeText, hoursText, outcomeText } from '../words.ts'
import { changeOf, hoursOf, itemOf, itemsByPerson } from './items.ts'

const shift: Shift = {
  id: 7,
  version: 2,
  createdAt: '2026-11-01T00:00:00Z',
  updatedAt: '2026-11-01T00:00:00Z',
  userId: 3,
  userName: 'Kari Berg',
  departmentId: 1,
  date: '2026-11-02',
  shiftTypeId: 1,
  name: 'Night',
  code: 'N',
  colour: 'accent',
  startTime: '22:00',
  endTime: '06:00',
  breakMinutes: 0,
  startsAt: '2026-11-02T21:00:00Z',
  endsAt: '2026-11-03T05:00:00Z',
  timeZone: 'Europe/Oslo',
  hours: 9,
  nightHours: 7,
  clockChange: 0,
  status: 'draft',
  source: 'manual',
  automationId: null,
  edited: false,
}
const none = new Set<string>()

describe('a shift on a calendar', () => {
  it('is on its day and reaches past midnight', () => {
    expect(itemOf(shift, true, none)).toMatchObject({
      from: '2026-11-02',
      minutes: [1320, 1800],
      look: 'dashed',
      fixed: false,
    })
  })
  it('is fixed without the permission to plan, and in a closed month', () => {
    expect(itemOf(shift, false, none).fixed).toBe(true)
    expect(itemOf(shift, true, new Set(['2026-11-01'])).fixed).toBe(true)
  })
  it('that is dropped requests its new day and times', () => {
    const place = { from: '2026-11-04', to: '2026-11-04', minutes: [1380, 1860] as const }
    expect(changeOf(shift, place)).toEqual({ date: '2026-11-04', startTime: '23:00', endTime: '07:00' })
  })
  it('counts on its day, not for the night before the visible range', () => {
    const roster = { closedMonths: [], leaves: [], shifts: [shift, { ...shift, id: 8, date: '2026-11-05' }] }
    const theirs = itemsByPerson(roster as unknown as Roster, true).get(3) ?? [] // only the fields that are read
    expect(hoursOf(theirs, '2026-11-03')).toBe(9)
  })
})

describe('words', () => {
  it('round hours, and describe the result', () => {
    expect(hoursText(9.142857)).toBe('9.1')
    expect(outcomeText({ made: 2, removed: 1 })).toBe('2 shifts are planned, 1 shift is removed')
    expect(clockChangeText(-60)).toBe('1 h shorter: clocks are put forward')
  })
})
