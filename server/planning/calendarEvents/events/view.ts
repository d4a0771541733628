import type { CalendarEvent } from '@innkeeper/contract/planning/calendarEvents/event'
import { eq, sql } from 'drizzle-orm'
import { departments } from '../../../access/departments/tables.ts'
import { users } from '../../../access/users/tables.ts'
import type { Staff } from '../../../kit/access/sessions.ts'
import { byIds } from '../../../kit/db/byIds.ts'
import type { Db } from '../../../kit/db/db.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { events } from '../tables.ts'
import { visibleTo } from '../visible.ts'
import { localTimes } from './times.ts'

/** Counts active people only: the place of a deleted user is free. */
const counted = (which: string) =>
  sql<number>`(select count(*)::int from attendants a join users u on u.user_id = a.user_id and u.deleted_at is null
    where a.event_id = ${events.id} ${sql.raw(which)})`

const select = byIds((db, isWanted) =>
  db
    .select({
      event: events,
      organizerName: sql<string>`${users.firstName} || ' ' || ${users.lastName}`,
      departmentName: departments.name,
      invited: counted(''),
      accepted: counted(`and a.rsvp = 'accepted'`),
      waiting: counted(`and a.rsvp = 'waitlisted'`),
      myRsvp: sql<CalendarEvent['myRsvp']>`(select a.rsvp from attendants a
        where a.event_id = ${events.id} and a.user_id = ${sql.placeholder('caller')})`,
    })
    .from(events)
    .innerJoin(users, eq(users.id, events.organizerId))
    .leftJoin(departments, eq(departments.id, events.departmentId))
    .where(isWanted(events.id)),
)

/** Events in the order of `ids`, with the caller's answer to each. */
export async function readEvents(db: Db, ids: number[], staff: Staff): Promise<CalendarEvent[]> {
  const found = await select(db, ids, { caller: staff.id })
  const read = found.map(({ event: { deletedAt: _, createdBy: __, ...event }, ...more }) => ({
    ...event,
    ...localTimes(event),
    ...more,
  }))
  return inOrder(ids, read)
}

/** One event; 404 also for an event that the caller may not see. */
export async function readEvent(db: Db, id: number, staff: Staff): Promise<CalendarEvent> {
  await checkVisible(db, id, staff)
  const [event] = await readEvents(db, [id], staff)
  return event!
}

export async function checkVisible(db: Db, id: number, staff: Staff): Promise<void> {
  const [found] = await db
    .select({ id: events.id })
    .from(events)
    .where(sql`${events.id} = ${id} and ${visibleTo(staff)}`)
  if (!found) throw notFound('event', id)
}

export type EventRow = typeof events.$inferSelect

/**
 * Locks an event until the transaction ends; 404 if the caller may not see it. Everything that takes or frees a place
 * locks the event first, so that the last place is given once.
 */
export async function holdEvent(db: Db, id: number, staff: Staff): Promise<EventRow> {
  const [event] = await db
    .select()
    .from(events)
    .where(sql`${events.id} = ${id} and ${events.deletedAt} is null`)
    .for('update')
  if (!event) throw notFound('event', id)
  await checkVisible(db, id, staff)
  return event
}
