import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { personName } from '../../kit/db/people.ts'
import { notFound } from '../../kit/http/errors.ts'

export interface Person {
  id: number
  name: string
  departmentId: number | null
}

/** An active person, or undefined. */
export async function personOf(db: Db, id: number): Promise<Person | undefined> {
  const [person] = await rows<Person>(
    db,
    sql`select user_id as id, ${personName()} as name, department_id as "departmentId"
      from users where user_id = ${id} and deleted_at is null`,
  )
  return person
}

/** An active person; 404 if there is none. */
export async function findPerson(db: Db, id: number): Promise<Person> {
  const person = await personOf(db, id)
  if (!person) throw notFound('user', id)
  return person
}
