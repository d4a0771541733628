import type * as tables from '../../tables.ts'
import { addDays, dayOf } from '../calendar/days.ts'
import { instantOf } from '../calendar/times.ts'

export type Person = typeof tables.users.$inferSelect
export type Event = typeof tables.events.$inferInsert
export type Repeatable = typeof tables.repeatableEvents.$inferInsert
export const OSLO = 'Europe/Oslo'

export function rhythm(people: Person[], idOf: (name: string) => number | null, today: string): Repeatable[] {
  const from = dayOf(Number(today.slice(0, 4)) - 1, 9, 1)
  const weekly = { type: 'meeting', allDay: false, timeZone: OSLO, durationMin: 30 } as const
  const of = (n: number, name: string) => ({ organizerId: people[n % people.length]!.id, departmentId: idOf(name) })
  return [
    {
      ...{ ...weekly, ...of(0, 'Platform'), title: 'Platform stand-up', durationMin: 15, location: 'Room Fjord' },
      ...{ rrule: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH', startLocal: `${from}T09:15` },
    },
    {
      ...{ ...weekly, ...of(4, ''), title: 'Friday review', durationMin: 45, location: 'Canteen' },
      ...{ rrule: 'FREQ=WEEKLY;BYDAY=FR', startLocal: `${from}T14:00` },
    },
    {
      ...{ ...weekly, ...of(1, 'Support'), title: 'Handover of the desk', timeZone: 'Europe/Sofia' },
      ...{ rrule: 'FREQ=WEEKLY;BYDAY=MO,WE,FR', startLocal: `${from}T15:30` },
    },
    {
      ...{ ...weekly, ...of(0, ''), title: 'Maintenance window', type: 'maintenance', durationMin: 180 },
      ...{ rrule: 'FREQ=MONTHLY;BYDAY=2TU', startLocal: `${from}T22:00` },
    },
    {
      ...{ ...weekly, ...of(7, ''), title: 'All hands', durationMin: 60, location: 'Canteen' },
      ...{ rrule: 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', startLocal: `${from}T10:00` },
    },
    {
      ...{ ...weekly, ...of(3, 'Finance'), title: 'Close of the quarter', allDay: true, durationMin: 1440 },
      ...{
        rrule: 'FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=5',
        startLocal: `${dayOf(Number(today.slice(0, 4)), 1, 5)}T00:00`,
      },
    },
  ]
}
/** Offsets in days from today. */
const plans: readonly [
  days: number,
  start: string,
  end: string,
  title: string,
  more: Partial<Event> & { of?: string },
][] = [
  [-170, '17:00', '22:00', 'Summer party', { type: 'team-building', location: 'Sørenga' }],
  [-96, '09:00', '16:00', 'First aid course', { type: 'training', capacity: 12, location: 'Room Fjell' }],
  [-60, '10:00', '11:30', 'What we learned from the outage', { type: 'meeting', location: 'Canteen' }],
  [-31, '13:00', '15:00', 'Writing answers that help', { type: 'training', of: 'Support', location: 'Sofia, room 2' }],
  [-12, '18:00', '21:00', 'Board games', { type: 'team-building', capacity: 10, location: 'Canteen' }],
  [-3, '11:00', '12:00', 'New plans for owners', { type: 'announcement' }],
  [2, '10:00', '11:00', 'Kernel update, what to expect', { type: 'announcement', of: 'Platform' }],
  [4, '13:00', '16:00', 'Backups and restoring', { type: 'training', capacity: 8, location: 'Room Fjord' }],
  [6, '22:00', '26:00', 'Move of the Oslo core switch', { type: 'maintenance', of: 'Platform', location: 'OSL-1' }],
  [11, '12:00', '13:00', 'Lunch with the new ones', { type: 'team-building', capacity: 16, location: 'Canteen' }],
  [17, '09:00', '12:00', 'Security training', { type: 'training', capacity: 20, location: 'Room Fjell' }],
  [20, '18:00', '23:00', 'Julebord', { type: 'team-building', capacity: 30, location: 'Restaurant Lofoten' }],
  [54, '09:00', '10:30', 'Plans for the new year', { type: 'meeting', location: 'Canteen' }],
  [75, '09:00', '17:00', 'Ski day', { type: 'team-building', capacity: 25, location: 'Frognerseteren' }],
]
export function happenings(people: Person[], idOf: (name: string) => number | null, today: string): Event[] {
  const at = (days: number, clock: string) => {
    const hours = Number(clock.slice(0, 2))
    const local = `${addDays(today, days + Math.floor(hours / 24))}T${String(hours % 24).padStart(2, '0')}${clock.slice(2)}`
    return instantOf(local, OSLO)
  }
  const timed = plans.map(
    ([days, start, end, title, { of, ...more }], n): Event => ({
      ...{ title, type: 'other', allDay: false, timeZone: OSLO, organizerId: people[(n * 5) % people.length]!.id },
      ...{ startsAt: at(days, start), endsAt: at(days, end), departmentId: of ? idOf(of) : null },
      ...more,
      createdAt: at(days - 40, '10:00'),
    }),
  )
  const retreat: Event = {
    ...{ title: 'Retreat in the mountains', type: 'team-building', allDay: true, timeZone: OSLO, location: 'Geilo' },
    ...{ organizerId: people[2]!.id, capacity: 24, startsAt: at(103, '00:00'), endsAt: at(106, '00:00') },
    ...{ signupUntil: at(80, '23:59'), description: 'Two nights. Bring warm clothes; the bus leaves at eight.' },
  }
  return [...timed, retreat]
}
