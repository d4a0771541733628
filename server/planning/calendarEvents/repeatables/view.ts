import type { RepeatableEvent } from '@innkeeper/contract/planning/calendarEvents/repeatable'
import { asc, eq, sql } from 'drizzle-orm'
import { departments } from '../../../access/departments/tables.ts'
import { users } from '../../../access/users/tables.ts'
import type { Staff } from '../../../kit/access/sessions.ts'
import { byIds } from '../../../kit/db/byIds.ts'
import type { Db } from '../../../kit/db/db.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { dayIn } from '../../calendar/times.ts'
import { repeatableEvents, repeatChanges } from '../tables.ts'
import { repeatablesVisibleTo } from '../visible.ts'
import { nextDays } from './occurrences.ts'

const NEXT = 5

const select = byIds((db, isWanted) =>
  db
    .select({
      event: repeatableEvents,
      organizerName: sql<string>`${users.firstName} || ' ' || ${users.lastName}`,
      departmentName: departments.name,
    })
    .from(repeatableEvents)
    .innerJoin(users, eq(users.id, repeatableEvents.organizerId))
    .leftJoin(departments, eq(departments.id, repeatableEvents.departmentId))
    .where(isWanted(repeatableEvents.id)),
)

/** Repeatable events in the order of `ids`, with changed days and the next day. */
export async function readRepeatables(db: Db, ids: number[], now = new Date()): Promise<RepeatableEvent[]> {
  const found = await select(db, ids)
  const changes = await readChanges(db, ids)
  const read = found.map(({ event: { deletedAt: _, createdBy: __, ...event }, ...names }) => ({
    ...event,
    ...names,
    changes: changes
      .filter(({ repeatableEventId }) => repeatableEventId === event.id)
      .map(({ id: ___, repeatableEventId: ____, ...change }) => change),
    next: nextDays(event, dayIn(now.toISOString(), event.timeZone), NEXT),
  }))
  return inOrder(ids, read)
}

export const readChanges = byIds((db, isWanted) =>
  db
    .select()
    .from(repeatChanges)
    .where(isWanted(repeatChanges.repeatableEventId))
    .orderBy(asc(repeatChanges.occurrence)),
)

/** One repeatable event; 404 also for one that the caller may not see. */
export async function readRepeatable(db: Db, id: number, staff: Staff): Promise<RepeatableEvent> {
  const [seen] = await db
    .select({ id: repeatableEvents.id })
    .from(repeatableEvents)
    .where(sql`${repeatableEvents.id} = ${id} and ${repeatablesVisibleTo(staff)}`)
  const [event] = seen ? await readRepeatables(db, [id]) : []
  if (!event) throw notFound('repeatable event', id)
  return event
}
