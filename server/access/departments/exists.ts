import { sql } from 'drizzle-orm'
import { rowsByIds } from '../../kit/db/byIds.ts'
import type { Db } from '../../kit/db/db.ts'

const select = rowsByIds(
  (isWanted) => sql`select from departments where ${isWanted(sql`department_id`)} and deleted_at is null`,
)

/** True if the department exists and is not deleted. */
export const isDepartment = async (db: Db, id: number): Promise<boolean> => (await select(db, [id])).length > 0
