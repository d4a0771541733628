import { sql } from 'drizzle-orm'
import type { Holding } from '../../kit/app/holding.ts'
import { rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'

/** Open workflows of a departing person. Somebody else must become responsible for their locks. */
export const openWorkflows: Holding = {
  key: 'workflows',
  label: 'Open workflows',
  async count(db, userId) {
    const [found] = await rows<{ n: number }>(
      db,
      sql`select count(*)::int as n from workflows where started_by_id = ${userId} and ended_at is null`,
    )
    return found?.n ?? 0
  },
  async handOver(db, from, to) {
    const moved = await rows<{ id: number }>(
      db,
      sql`update workflows set started_by_id = ${to.id}, holder = ${to.name}, version = version + 1
        where started_by_id = ${from} and ended_at is null returning workflow_id as id`,
    )
    if (!moved.length) return
    await db.execute(
      sql`update resource_locks set holder = ${to.name} where workflow_id in ${moved.map(({ id }) => id)}`,
    )
    await changed(db, 'workflows')
  },
}
