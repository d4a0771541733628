import type { Rsvp } from '@innkeeper/contract/calendarEvents/event'
import { and, eq, sql } from 'drizzle-orm'
import { type Db, rows } from '../kit/db/db.ts'
import { risen } from '../kit/http/version.ts'
import { notify } from '../notifications/notify.ts'
import type { EventRow } from './eventView.ts'
import { attendants, events } from './tables.ts'
import { linkTo, whenInWords } from './words.ts'

/** How many more can come; Infinity without a limit. Of an event that the caller holds. */
async function freeSeats(db: Db, event: EventRow): Promise<number> {
  if (event.capacity === null) return Number.POSITIVE_INFINITY
  const [found] = await rows<{ taken: number }>(
    db,
    sql`select count(*)::int as taken from attendants a join users u on u.user_id = a.user_id and u.deleted_at is null
      where a.event_id = ${event.id} and a.rsvp = 'accepted'`,
  )
  return event.capacity - (found?.taken ?? 0)
}

/**
 * Puts down what somebody says to an event that the caller holds; answers the row of the list. Who comes to a full event
 * waits, and keeps the place in the queue when asking again; a seat that becomes free goes to who waits longest.
 */
export async function putDown(
  db: Db,
  event: EventRow,
  { userId, rsvp, invitedById = null }: { userId: number; rsvp: Rsvp; invitedById?: number | null },
): Promise<number> {
  const [known] = await db
    .select()
    .from(attendants)
    .where(and(eq(attendants.eventId, event.id), eq(attendants.userId, userId)))
  const isFull = rsvp === 'accepted' && known?.rsvp !== 'accepted' && (await freeSeats(db, event)) <= 0
  const next: Rsvp = isFull ? 'waitlisted' : rsvp
  const said = {
    rsvp: next,
    answeredAt: rsvp === 'needs-action' ? null : sql`now()`,
    waitingSince: next !== 'waitlisted' ? null : (known?.waitingSince ?? sql`clock_timestamp()`),
  }
  const [row] = known
    ? await db
        .update(attendants)
        .set({ ...said, ...risen })
        .where(eq(attendants.id, known.id))
        .returning({ id: attendants.id })
    : await db
        .insert(attendants)
        .values({ ...said, eventId: event.id, userId, invitedById })
        .returning({ id: attendants.id })
  if (known?.rsvp === 'accepted' && next !== 'accepted') await moveUp(db, event)
  return row!.id
}

/** Gives free seats to who waits, longest first, and tells them. Of an event that the caller holds. */
export async function moveUp(db: Db, event: EventRow): Promise<void> {
  const free = await freeSeats(db, event)
  if (free <= 0 || Date.parse(event.endsAt) < Date.now()) return
  const moved = await rows<{ userId: number }>(
    db,
    sql`update attendants set rsvp = 'accepted', waiting_since = null, version = version + 1, updated_at = now()
      where attendant_id in (
        select a.attendant_id from attendants a join users u on u.user_id = a.user_id and u.deleted_at is null
        where a.event_id = ${event.id} and a.rsvp = 'waitlisted'
        order by a.waiting_since, a.attendant_id ${Number.isFinite(free) ? sql`limit ${free}` : sql``})
      returning user_id as "userId"`,
  )
  await notify(db, {
    to: moved.map(({ userId }) => userId),
    reason: 'events',
    level: 'success',
    title: `You have a place: ${event.title}`,
    body: `You were on the waiting list. ${whenInWords(event)}`,
    link: linkTo(event.id),
  })
}

/** Somebody's account was deleted: who waits at what they were to come to moves up. */
export async function giveUpSeats(db: Db, userId: number): Promise<void> {
  const held = await db
    .select()
    .from(events)
    .where(
      sql`${events.deletedAt} is null and ${events.endsAt} > now() and ${events.id} in
        (select a.event_id from attendants a where a.user_id = ${userId} and a.rsvp = 'accepted')`,
    )
    .orderBy(events.id)
    .for('update')
  for (const event of held) await moveUp(db, event)
}
