import type { Tracker } from '@innkeeper/contract/desk/trackers/values'
import { sql } from 'drizzle-orm'
import type { Context } from '../../../kit/http/api.ts'
import { changed } from '../../../kit/live/live.ts'
import { info } from '../info.ts'
import { readWhole } from '../items/view.ts'
import { watch } from './notify.ts'

/** Adds the caller to the watchers of an item, or removes the caller. Idempotent. */
export const watching =
  (tracker: Tracker, isWatching: boolean) =>
  async (id: number, { db, staff, audit }: Context): Promise<void> => {
    const { title } = await readWhole(db, tracker, id)
    if (isWatching) await watch(db, id, [staff.id])
    else await db.execute(sql`delete from tracker_watchers where item_id = ${id} and user_id = ${staff.id}`)
    audit.before({ title, watcher: isWatching ? null : staff.name })
    audit.after({ title, watcher: isWatching ? staff.name : null })
    await changed(db, info[tracker].hint, id)
  }
