import { sql } from 'drizzle-orm'
import { isDepartment } from '../departments/exists.ts'
import { type Db, rows } from '../kit/db/db.ts'
import { refused } from '../kit/http/errors.ts'

/** 422 beside `field` where there is no such person any more. */
export async function checkPerson(db: Db, id: number | undefined, field: string): Promise<void> {
  if (id === undefined) return
  const [found] = await rows(db, sql`select from users where user_id = ${id} and deleted_at is null`)
  if (!found) throw refused(`There is no person ${id}`, { [field]: 'This person is gone' })
}

export async function checkDepartment(db: Db, id: number | null | undefined): Promise<void> {
  if (id === undefined || id === null) return
  if (!(await isDepartment(db, id)))
    throw refused(`There is no department ${id}`, { departmentId: 'This department is gone' })
}

/** What was said; keys that were not are left as they are. */
export const given = <T extends object>(change: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined> // what was undefined is gone
  }
