import type { Attachment } from '@innkeeper/contract/desk/trackers/shapes'
import { sql } from 'drizzle-orm'
import { withInstants } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { personOf } from '../../../kit/db/people.ts'

/** Files of an item, the oldest first. */
export async function filesOf(db: Db, itemId: number): Promise<Attachment[]> {
  const found = await rows<Attachment>(
    db,
    sql`select f.file_id as id, f.name, f.size::float8 as size, f.type, ${personOf('a.added_by')} as "addedBy", a.added_at as "addedAt"
      from tracker_files a join files f on f.file_id = a.file_id
      where a.item_id = ${itemId} and f.deleted_at is null order by a.added_at, f.file_id`,
  )
  return found.map((row) => withInstants(row, ['addedAt']))
}
