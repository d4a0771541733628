import { sql } from 'drizzle-orm'
import type { Holding } from '../../../kit/app/holding.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { personName } from '../../../kit/db/people.ts'
import { changed } from '../../../kit/live/live.ts'
import { info } from '../info.ts'

const open = sql`i.status_group not in ('completed', 'cancelled') and i.deleted_at is null`

/** Open items of a departing person. Completed items keep their assignee as a record. */
export const assignedItems: Holding = {
  key: 'trackerItems',
  label: 'Assigned bugs, feature requests and tickets',
  async count(db: Db, userId) {
    const [found] = await rows<{ n: number }>(
      db,
      sql`select count(*)::int as n from tracker_items i where i.assignee_id = ${userId} and ${open}`,
    )
    return found?.n ?? 0
  },
  async handOver(db, from, to) {
    await db.execute(sql`insert into tracker_history (item_id, field, before, after)
      select i.tracker_item_id, 'assignee', ${personName('u')}, ${to.name}
      from tracker_items i join users u on u.user_id = i.assignee_id where i.assignee_id = ${from} and ${open}`)
    await db.execute(sql`update tracker_items i set assignee_id = ${to.id}, version = version + 1, updated_at = now()
      where i.assignee_id = ${from} and ${open}`)
    await db.execute(sql`insert into tracker_watchers (item_id, user_id) select item_id, ${to.id} from tracker_watchers
      where user_id = ${from} on conflict do nothing`)
    await db.execute(sql`delete from tracker_watchers where user_id = ${from}`)
    await db.execute(sql`delete from tracker_assignees where user_id = ${from}`)
    for (const { hint } of Object.values(info)) await changed(db, hint)
  },
}
