import type { Roster, Shift } from '@innkeeper/contract/planning/shifts/calls'
import { expect, it } from 'vitest'
import { obstacleTo } from './obstacles.ts'

const kari = 3
const ola = 4
const now = new Date('2026-11-01T12:00:00Z')
const shift = (id: number, userId: number, date: string, name: string, startTime: string, endTime: string) =>
  ({
    ...{ id, userId, date, name, startTime, endTime, status: 'published' },
    startsAt: `${date}T${startTime}:00Z`,
  }) as Shift // the other fields do not matter here
const dragged = shift(1, kari, '2026-11-02', 'Day', '09:00', '17:30')
const whole = { userId: ola, fromMinute: 0, toMinute: 1440, label: 'Leave' }
const roster = {
  shifts: [
    dragged,
    shift(2, ola, '2026-11-03', 'Early', '06:00', '14:00'),
    shift(3, ola, '2026-11-05', 'Night', '22:00', '06:00'),
    shift(4, kari, '2026-11-10', 'Late', '14:00', '22:00'),
  ],
  leaves: [
    { ...whole, from: '2026-11-09', to: '2026-11-10', pending: false },
    { ...whole, from: '2026-11-12', to: '2026-11-12', pending: true },
    { ...whole, from: '2026-11-16', to: '2026-11-16', toMinute: 720, pending: false },
    { ...whole, from: '2026-11-18', to: '2026-11-19', fromMinute: 780, pending: false },
  ],
  daysOff: [{ userId: ola, date: '2026-11-13' }],
  closedMonths: ['2026-10-01'],
  restMinutes: 660,
} as unknown as Roster
const on = (from: string, userId = ola, minutes?: [number, number]) =>
  obstacleTo(roster, dragged, userId, { from, to: from, ...(minutes && { minutes }) }, now)

it('says what stands against a dragged shift where it is', () => {
  expect(on('2026-11-20')).toBeUndefined()
  expect(on('2026-11-09')).toEqual({ text: 'On leave', refuses: true })
  expect(on('2026-11-08', ola, [1320, 1800])).toEqual({ text: 'On leave', refuses: true })
  expect(on('2026-10-31')).toEqual({ text: 'Closed month', refuses: true })
  expect(on('2026-11-03')).toEqual({ text: 'Exchange with Early', refuses: false })
  expect(on('2026-11-10', kari)).toEqual({ text: 'Has Late 14:00–22:00', refuses: true })
  expect(on('2026-11-06')).toEqual({ text: 'Rests 3 h beside Night', refuses: false })
  // also with a shift of the day that would not overlap, because the drop offers the exchange
  expect(on('2026-11-03', ola, [840, 1320])).toEqual({ text: 'Exchange with Early', refuses: false })
  expect(on('2026-11-06', ola, [360, 840])).toEqual({ text: 'No rest beside Night', refuses: false })
  expect(on('2026-11-12')).toEqual({ text: 'Asked for leave', refuses: false })
  expect(on('2026-11-13')).toEqual({ text: 'Day off', refuses: false })
  expect(on('2026-11-02', kari)).toBeUndefined()
  expect(obstacleTo(roster, dragged, undefined, { from: '2026-11-09', to: '2026-11-09' }, now)).toBeUndefined()
})

it('leaves the other half of a half day of leave free', () => {
  const refused = { text: 'On leave', refuses: true }
  expect(on('2026-11-16', ola, [540, 1050])).toEqual(refused) // the morning is off
  expect(on('2026-11-16', ola, [720, 1200])).toBeUndefined()
  expect(on('2026-11-15', ola, [1320, 1800])).toEqual(refused) // a night into the morning
  expect(on('2026-11-18', ola, [540, 780])).toBeUndefined() // the afternoon is off, and the next day
  expect(on('2026-11-18', ola, [540, 781])).toEqual(refused)
  expect(on('2026-11-19', ola, [360, 600])).toEqual(refused)
  expect(on('2026-11-20', ola, [0, 480])).toBeUndefined()
})
