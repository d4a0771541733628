import { sql } from 'drizzle-orm'
import { rowsByIds } from '../kit/db/byIds.ts'
import { type Db, rows } from '../kit/db/db.ts'

const select = rowsByIds(
  (isWanted) => sql`select from departments where ${isWanted(sql`department_id`)} and deleted_at is null`,
)

/** For messages about a department; one that is gone is called so. */
export async function nameOfDepartment(db: Db, id: number): Promise<string> {
  const [found] = await rows<{ name: string }>(
    db,
    sql`select name from departments where department_id = ${id} and deleted_at is null`,
  )
  return found?.name ?? 'another department'
}

/** True if the department exists and is not deleted. */
export const isDepartment = async (db: Db, id: number): Promise<boolean> => (await select(db, [id])).length > 0
