import { sql } from 'drizzle-orm'
import { rowsByIds } from '../../kit/db/byIds.ts'
import type { Db } from '../../kit/db/db.ts'
import { refused } from '../../kit/http/errors.ts'

const select = rowsByIds<{ id: number }>(
  (isWanted) =>
    sql`select department_id as id from departments where ${isWanted(sql`department_id`)} and deleted_at is null`,
)

/** True if the department exists and is not deleted. */
export const isDepartment = async (db: Db, id: number): Promise<boolean> => (await select(db, [id])).length > 0

/** Throws a 422 beside the field for the first department that does not exist. */
export async function checkDepartments(db: Db, ids: readonly number[], field: string): Promise<void> {
  const found = await select(db, [...new Set(ids)])
  const gone = ids.find((id) => !found.some((one) => one.id === id))
  if (gone === undefined) return
  throw refused(`There is no department ${gone}`, { [field]: `Department ${gone} does not exist` })
}
