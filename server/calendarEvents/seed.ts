import { isNull } from 'drizzle-orm'
import { addDays, dayOf, weekdayOf } from '../calendar/days.ts'
import { instantOf } from '../calendar/times.ts'
import type { Db } from '../kit/db/db.ts'
import { type Dice, dice } from '../seed/dice.ts'
import * as tables from '../tables.ts'

type Person = typeof tables.users.$inferSelect
type Event = typeof tables.events.$inferInsert
type Repeatable = typeof tables.repeatableEvents.$inferInsert

const OSLO = 'Europe/Oslo'

/** Adds workplaces and national events. Runs before everything that depends on holidays. */
export async function seedWorkplaces(db: Db): Promise<void> {
  const departments = await db.select().from(tables.departments)
  const support = departments.find(({ name }) => name === 'Support')
  await db
    .insert(tables.workplaces)
    .values([
      { departmentId: null, country: 'NO', timeZone: OSLO },
      ...(support ? [{ departmentId: support.id, country: 'BG', timeZone: 'Europe/Sofia' }] : []),
    ])
  const day = { kind: 'fixed', substitution: 'none', isDayOff: false, validFrom: 2019 } as const
  await db.insert(tables.nationalEvents).values([
    { ...day, name: 'Founding day of Fjellhost', month: 9, day: 3, isDayOff: true, substitution: 'next-working-day' },
    { ...day, name: 'Sámi National Day', country: 'NO', month: 2, day: 6 },
    { ...day, name: 'Christmas Eve, closed', country: 'NO', month: 12, day: 24, isDayOff: true },
    { ...day, name: 'Students’ Day', country: 'BG', month: 12, day: 8 },
    {
      ...{ ...day, name: 'Black Friday, all hands', kind: 'movable' as const, month: 11 },
      ...{ movableMethod: 'nth-weekday' as const, weekday: 4, week: 4, offsetDays: 1 },
    },
    { ...day, name: 'System Administrator Day', kind: 'movable', movableMethod: 'last-weekday', weekday: 5, month: 7 },
  ])
}

/** Adds one year of events for a provider with forty people, with attendants and waiting lists. */
export async function seedEvents(
  db: Db,
  say: (line: string) => void,
  now = Date.parse('2026-11-21T09:00:00Z'),
): Promise<void> {
  const d = dice(4430)
  const today = new Date(now).toISOString().slice(0, 10)
  await db.transaction(async (tx) => {
    const staff = await tx.select().from(tables.users).where(isNull(tables.users.deletedAt)).orderBy(tables.users.id)
    const people = staff.filter(({ isAdmin }) => !isAdmin)
    const departments = await tx.select().from(tables.departments)
    const idOf = (name: string) => departments.find((department) => department.name === name)?.id ?? null
    const repeated = await tx
      .insert(tables.repeatableEvents)
      .values(rhythm(people, idOf, today))
      .returning()
    await tx.insert(tables.repeatChanges).values({
      ...{ repeatableEventId: repeated[1]!.id, occurrence: nextFriday(today), title: 'Review and cake' },
      location: 'Kitchen',
    })
    const made = await tx
      .insert(tables.events)
      .values(happenings(people, idOf, today))
      .returning()
    for (const event of made) await seedList(tx, d, event, people, now)
    say(`${made.length} events with attendants, ${repeated.length} repeatable events`)
  })
}

const nextFriday = (day: string) => addDays(day, ((5 - weekdayOf(day) + 7) % 7) + 7)

function rhythm(people: Person[], idOf: (name: string) => number | null, today: string): Repeatable[] {
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

function happenings(people: Person[], idOf: (name: string) => number | null, today: string): Event[] {
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

/** Invites more people than there are places, so that the later ones wait. Past events have attendance. */
async function seedList(db: Db, d: Dice, event: typeof tables.events.$inferSelect, people: Person[], now: number) {
  const asked = people.filter(
    ({ departmentId }) => d.chance(0.75) && (event.departmentId === null || departmentId === event.departmentId),
  )
  const isOver = Date.parse(event.endsAt) < now
  const first = Math.min(Date.parse(event.createdAt), now - 20 * 86_400_000)
  let taken = 0
  const list = asked.map(({ id: userId }, n): typeof tables.attendants.$inferInsert => {
    const answeredAt = new Date(first + n * 3_600_000).toISOString()
    const about = {
      eventId: event.id,
      userId,
      invitedById: event.organizerId,
      createdAt: new Date(first).toISOString(),
    }
    const roll = d.next()
    if (roll < 0.2) return { ...about, rsvp: 'needs-action' }
    if (roll < 0.3) return { ...about, rsvp: 'declined', answeredAt }
    if (roll < 0.36) return { ...about, rsvp: 'tentative', answeredAt }
    if (event.capacity !== null && taken >= event.capacity)
      return { ...about, rsvp: 'waitlisted', answeredAt, waitingSince: answeredAt }
    taken += 1
    return { ...about, rsvp: 'accepted', answeredAt }
  })
  if (list.length) await db.insert(tables.attendants).values(list)
  const there = isOver ? list.filter(({ rsvp }) => rsvp === 'accepted') : []
  if (!there.length) return
  await db.insert(tables.attendances).values(
    there.map(({ eventId, userId }) => ({
      ...{ eventId, userId, notedById: event.organizerId },
      attendance: d.chance(0.85) ? ('present' as const) : d.pick(['absent', 'excused'] as const),
    })),
  )
}
