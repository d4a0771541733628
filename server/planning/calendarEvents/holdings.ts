import { sql } from 'drizzle-orm'
import type { Holding } from '../../kit/app/holding.ts'
import { rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'

/** Future and repeatable events of a departing person, which need a new organiser. */
export const organisedEvents: Holding = {
  key: 'events',
  label: 'Events to come',
  async count(db, userId) {
    const [found] = await rows<{ n: number }>(
      db,
      sql`select (select count(*) from events where organizer_id = ${userId} and deleted_at is null and ends_at > now())::int
        + (select count(*) from repeatable_events where organizer_id = ${userId} and deleted_at is null)::int as n`,
    )
    return found?.n ?? 0
  },
  async handOver(db, from, to) {
    await db.execute(
      sql`update events set organizer_id = ${to.id}, version = version + 1
        where organizer_id = ${from} and deleted_at is null and ends_at > now()`,
    )
    await db.execute(
      sql`update repeatable_events set organizer_id = ${to.id}, version = version + 1
        where organizer_id = ${from} and deleted_at is null`,
    )
    await changed(db, 'calendarEvents')
  },
}
