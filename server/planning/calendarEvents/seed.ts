import { isNull } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { type Dice, dice } from '../../seed/dice.ts'
import * as tables from '../../tables.ts'
import { addDays, weekdayOf } from '../calendar/days.ts'
import { happenings, OSLO, type Person, rhythm } from './seedPlans.ts'

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
