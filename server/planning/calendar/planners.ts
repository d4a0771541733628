import { sql } from 'drizzle-orm'
import { holdersOf } from '../../access/notifications/holders.ts'
import { type Db, rows } from '../../kit/db/db.ts'

/** The planners of a department, or all planners if it has none. */
export async function plannersOf(db: Db, departmentId: number | null): Promise<number[]> {
  const all = await holdersOf(db, 'calendar:shift:create')
  const near = await rows<{ id: number }>(
    db,
    sql`select user_id as id from users where department_id = ${departmentId} and user_id = any(${sql.param(all)}::int[])`,
  )
  return near.length ? near.map(({ id }) => id) : all
}
