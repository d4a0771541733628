import type { Talk } from '@innkeeper/contract/desk/trackers/shapes'
import { sql } from 'drizzle-orm'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import { withInstants } from '../../../kit/db/columns.ts'
import type { Db } from '../../../kit/db/db.ts'
import { inOrder, pageKeys } from '../../../kit/db/page.ts'
import { peopleOf, personOf } from '../../../kit/db/people.ts'
import { trackerTalk as t } from './tables.ts'

const select = rowsByIds<Talk>(
  (
    isWanted,
  ) => sql`select t.tracker_talk_id as id, t.version, t.created_at as "createdAt", t.updated_at as "updatedAt", t.type,
    t.item_id as "itemId", t.body, ${personOf('t.created_by')} as author, ${peopleOf('t.mentions')} as mentions,
    t.edited_at as "editedAt"
  from tracker_talk t where ${isWanted(sql`t.tracker_talk_id`)} and t.deleted_at is null`,
)

export const readTalk = async (db: Db, ids: number[]): Promise<Talk[]> =>
  inOrder(ids, await select(db, ids)).map((row) => withInstants(row, ['createdAt', 'updatedAt', 'editedAt']))

/** Query of comments, notes and history. */
export interface Paged {
  page: number
  itemsPerPage: number
  take?: number | undefined
  after?: string | undefined
  desc?: boolean | undefined
}

/** Comments or notes of an item, the oldest first unless `desc`. */
export async function listTalk(db: Db, itemId: number, type: Talk['type'], asked: Paged) {
  const { ids, ...page } = await pageKeys(
    db,
    { ...asked, itemsPerPage: asked.take ?? asked.itemsPerPage },
    {
      from: sql`${t}`,
      where: [sql`${t.itemId} = ${itemId}`, sql`${t.type} = ${type}`, sql`${t.deletedAt} is null`],
      key: t.id,
      order: { column: t.id, type: 'int', direction: asked.desc ? 'DESC' : 'ASC' },
    },
  )
  return { items: await readTalk(db, ids), ...page }
}
