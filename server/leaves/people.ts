import { sql } from 'drizzle-orm'
import { readPlaces } from '../calendar/places.ts'
import { type Db, rows } from '../kit/db.ts'
import { notFound } from '../kit/errors.ts'

export interface Person {
  id: number
  name: string
  departmentId: number | null
}

/** Somebody who is still there, or undefined. */
export async function personOf(db: Db, id: number): Promise<Person | undefined> {
  const [person] = await rows<Person>(
    db,
    sql`select user_id as id, first_name || ' ' || last_name as name, department_id as "departmentId"
      from users where user_id = ${id} and deleted_at is null`,
  )
  return person
}

/** The same, or the 404. */
export async function findPerson(db: Db, id: number): Promise<Person> {
  const person = await personOf(db, id)
  if (!person) throw notFound('user', id)
  return person
}

/** Which day it is for people of a department; absent: for the organisation. */
export async function todayOf(db: Db, now: Date, departmentId: number | null = null): Promise<string> {
  const { timeZone } = (await readPlaces(db))(departmentId)
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(now) // Swedish days are ISO 8601
}
