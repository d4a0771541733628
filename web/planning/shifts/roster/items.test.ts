import type { Roster, Shift } from '@innkeeper/contract/planning/shifts/calls'
import { describe, expect, it, test } from 'vitest'
import { clockChangeText, hoursText, outcomeText } from '../words.ts'
import { changeOf, hoursOf, itemOf, itemsByPerson, peopleOf } from './items.ts'
import { legendOf, wordsOn } from './PrintRoster.tsx'

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
  freedFrom: null,
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
    const roster = {
      closedMonths: [],
      leaves: [],
      wishes: [],
      daysOff: [],
      shifts: [shift, { ...shift, id: 8, date: '2026-11-05' }],
    }
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

describe('the people of a department', () => {
  const person = (id: number, departmentId: number) => ({ id, name: `P${id}`, departmentId, departmentName: null })
  it('include whoever still has shifts there', () => {
    const roster = { people: [person(3, 2), person(4, 1), person(5, 2)], guests: [{ userId: 3, departmentId: 1 }] }
    expect(peopleOf(roster, 1).map(({ id }) => id)).toEqual([3, 4])
    expect(peopleOf(roster, undefined)).toHaveLength(3)
  })
})

describe('marks', () => {
  const roster = (more: Partial<Roster>): Roster => ({
    ...{ from: '2026-11-01', to: '2026-11-30', people: [], shifts: [], leaves: [], holidays: [], weekend: [6, 7] },
    ...{ places: [], notes: [], wishes: [], daysOff: [], closedMonths: [], restMinutes: 660, guests: [], drafts: [] },
    ...more,
  })
  const noteOf = (more: Partial<Roster>) => [...itemsByPerson(roster(more), true).values()].flat()[0]?.note
  it('say that a shift is open because of a leave, or lies in one', () => {
    expect(noteOf({ shifts: [{ ...shift, userId: null, freedFrom: 'Ole Dahl' }] })).toContain('Ole Dahl is on leave')
    const leave = { userId: 3, from: '2026-11-01', to: '2026-11-05', fromMinute: 0, toMinute: 1440, label: 'Leave' }
    expect(noteOf({ shifts: [shift], leaves: [{ ...leave, pending: false }] })).toContain('During a leave')
    expect(noteOf({ shifts: [shift] }) ?? '').not.toMatch(/leave/)
    const asked = [{ ...leave, label: 'Leave asked for', pending: true }]
    expect(noteOf({ shifts: [shift], leaves: asked }) ?? '').not.toContain('During a leave')
    // the night begins at 22:00
    const morning = [{ ...leave, from: shift.date, to: shift.date, toMinute: 720, pending: false }]
    expect(noteOf({ shifts: [shift], leaves: morning }) ?? '').not.toContain('During a leave')
    const [away] = itemsByPerson(roster({ leaves: morning }), true).get(3) ?? []
    expect(away?.note).toBe('until 12:00')
  })
  it('show the weekly days off of part-time people, also on paper', () => {
    const [off] = itemsByPerson(roster({ daysOff: [{ userId: 3, date: '2026-11-06' }] }), true).get(3) ?? []
    expect(off).toMatchObject({ from: '2026-11-06', to: '2026-11-06', label: 'Day off', fixed: true })
    expect(wordsOn(off ? [off] : [], '2026-11-06')).toBe('×')
  })
  it('put a wish on each day of the week that it names, within the visible days', () => {
    const base = { id: 1, version: 1, createdAt: '', updatedAt: '', userId: 3, shiftTypeId: null, shiftTypeName: null }
    const wish = { ...base, kind: 'rather-not' as const, from: '2026-10-01', to: '2026-11-12', note: 'Choir' }
    const shown = (weekdays: number[]) =>
      (itemsByPerson(roster({ wishes: [{ ...wish, weekdays }] }), true).get(3) ?? []).map(({ from, to }) => [from, to])
    expect(shown([3])).toEqual([
      ['2026-11-04', '2026-11-04'],
      ['2026-11-11', '2026-11-11'],
    ])
    expect(shown([])).toEqual([['2026-11-01', '2026-11-12']])
  })
  it('fix the shifts of others for whoever does not plan', () => {
    const own = (shown: Shift) => shown.userId === 3
    const fixed = (userId: number) =>
      itemsByPerson(roster({ shifts: [{ ...shift, userId }] }), false, own).get(userId)?.[0]?.fixed
    expect([fixed(3), fixed(4)]).toEqual([false, true])
  })
})

test('paper shows codes, drafts in brackets and leaves, with a legend of the shifts on it', () => {
  const items = [
    itemOf({ ...shift, status: 'published' }, true, new Set()),
    itemOf({ ...shift, id: 8, code: 'E', name: 'Early', status: 'draft' }, true, new Set()),
  ]
  expect(wordsOn(items, '2026-11-02')).toBe('N (E)')
  expect(wordsOn(items, '2026-11-03')).toBe('')
  expect(legendOf([{ items }])).toBe('E Early 22:00–06:00, N Night 22:00–06:00, (…) draft, – leave, × day off')
})
