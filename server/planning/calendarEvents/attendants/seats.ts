import type { Rsvp } from '@innkeeper/contract/planning/calendarEvents/event'
import { and, eq, sql } from 'drizzle-orm'
import { notify } from '../../../access/notifications/notify.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import type { EventRow } from '../events/view.ts'
import { attendants, events } from '../tables.ts'
import { linkTo, whenInWords } from '../words.ts'

/** Number of free places; Infinity without a limit. The caller has locked the event. */
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
 * Stores a person's answer to an event that the caller has locked, and returns the id of the attendant row. Accepting a
 * full event puts the person on the waiting list; answering again keeps the position. A freed place goes to the person
 * who has waited longest.
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
        .set({ ...said, ...nextVersion })
        .where(eq(attendants.id, known.id))
        .returning({ id: attendants.id })
    : await db
        .insert(attendants)
        .values({ ...said, eventId: event.id, userId, invitedById })
        .returning({ id: attendants.id })
  if (known?.rsvp === 'accepted' && next !== 'accepted') await moveUp(db, event)
  return row!.id
}

/**
 * Gives free places to the waiting list, longest wait first, and notifies these people. The caller has locked the
 * event.
 */
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

/** After the deletion of an account: gives its places in future events to the waiting lists. */
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
