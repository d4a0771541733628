import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { refused } from '../../kit/http/errors.ts'

/** Throws a 422 beside the field for the first id that belongs to no existing person. */
export async function checkPeople(db: Db, ids: readonly number[], field: string): Promise<void> {
  if (!ids.length) return
  const found = await rows<{ id: number }>(
    db,
    sql`select user_id as id from users where user_id = any(${sql.param([...ids])}::int[]) and deleted_at is null`,
  )
  const gone = ids.find((id) => !found.some((user) => user.id === id))
  if (gone !== undefined) throw refused(`User ${gone} does not exist`, { [field]: `User ${gone} does not exist` })
}
