import { keyOf, type Tracker } from '@innkeeper/contract/desk/trackers/values'
import { sql } from 'drizzle-orm'
import { byPerson, LATE_ROWS } from '../../../access/notifications/late.ts'
import { notifyEach } from '../../../access/notifications/notify.ts'
import type { App } from '../../../kit/app/app.ts'
import { rows } from '../../../kit/db/db.ts'
import { todayIn } from '../../../planning/calendar/places.ts'
import { info } from '../info.ts'
import { readerIds } from './notify.ts'

interface Late {
  id: number
  tracker: Tracker
  number: number
  title: string
  to: number[]
}

/** Reminds people once of each due day that has passed: the assignee, or the watchers of an item without one. */
export const remindOfLateItems = ({ db }: App): Promise<void> =>
  db.transaction(async (tx) => {
    const today = await todayIn(tx, new Date())
    const trackers = Object.keys(info) as Tracker[]
    const found = await rows<Late>(
      tx,
      sql`with late as (select tracker_item_id from tracker_items where face = any(${sql.param(trackers)}::text[])
          and deleted_at is null and archived_at is null and due_on is not null and due_on < ${today}::date
          and status_group not in ('completed', 'cancelled') and reminded_for is distinct from due_on
          order by due_on limit ${LATE_ROWS} for update skip locked)
        update tracker_items i set reminded_for = i.due_on from late where i.tracker_item_id = late.tracker_item_id
        returning i.tracker_item_id as id, i.face as tracker, i.number, i.title, case when i.assignee_id is not null then array[i.assignee_id]
          else array(select w.user_id from tracker_watchers w where w.item_id = i.tracker_item_id) end as to`,
    )
    for (const [tracker, late] of Map.groupBy(found, (one) => one.tracker)) {
      const { plural, path } = info[tracker]
      const readers = await readerIds(tx, tracker)
      const waiting = byPerson(late).filter(([userId]) => readers.has(userId))
      await notifyEach(
        tx,
        waiting.map(([userId, [first, ...more]]) => ({
          ...{ to: [userId], reason: 'tracker', level: 'warning', body: 'Finish it, or set another day.' },
          ...(first && !more.length
            ? { title: `${keyOf(tracker, first.number)} is late: ${first.title}`, link: `${path}/${first.id}` }
            : { title: `${more.length + 1} ${plural} are late`, link: `${path}?due=overdue` }),
        })),
      )
    }
  })
