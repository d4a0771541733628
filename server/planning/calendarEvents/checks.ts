import { sql } from 'drizzle-orm'
import { isDepartment } from '../../access/departments/exists.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { refused } from '../../kit/http/errors.ts'

/** 422 with the field if the person does not exist or was deleted. */
export async function checkPerson(db: Db, id: number | undefined, field: string): Promise<void> {
  if (id === undefined) return
  const [found] = await rows(db, sql`select from users where user_id = ${id} and deleted_at is null`)
  if (!found) throw refused(`There is no person ${id}`, { [field]: 'This person does not exist' })
}

export async function checkDepartment(db: Db, id: number | null | undefined): Promise<void> {
  if (id === undefined || id === null) return
  if (!(await isDepartment(db, id)))
    throw refused(`There is no department ${id}`, { departmentId: 'This department does not exist' })
}
