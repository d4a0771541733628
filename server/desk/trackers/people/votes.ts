import type { ItemPage } from '@innkeeper/contract/desk/trackers/shapes'
import { sql } from 'drizzle-orm'
import type { Context } from '../../../kit/http/api.ts'
import { changed } from '../../../kit/live/live.ts'
import { info } from '../info.ts'
import { hold } from '../items/change.ts'
import { readPage } from '../items/view.ts'

/** Adds or withdraws the caller's vote for a feature request. Idempotent. */
export const vote =
  (isFor: boolean) =>
  async (id: number, context: Context): Promise<ItemPage> => {
    const { db, staff, audit } = context
    const before = await hold(context, 'feature', id)
    await db.execute(
      isFor
        ? sql`insert into tracker_votes (item_id, user_id) values (${id}, ${staff.id}) on conflict do nothing`
        : sql`delete from tracker_votes where item_id = ${id} and user_id = ${staff.id}`,
    )
    await db.execute(sql`update tracker_items set votes = (select count(*) from tracker_votes v where v.item_id = ${id})
      where tracker_item_id = ${id}`)
    const after = await readPage(context, 'feature', id)
    audit.before({ title: before.title, votes: before.votes })
    audit.after({ title: after.title, votes: after.votes })
    await changed(db, info.feature.hint, id)
    return after
  }
