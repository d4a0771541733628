import { holds } from '@innkeeper/contract/kit/access'
import { type SQL, sql } from 'drizzle-orm'
import type { Staff } from '../../../kit/access/sessions.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { personName } from '../../../kit/db/people.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { readPlaces } from '../../calendar/places.ts'

export interface Person {
  id: number
  name: string
  departmentId: number | null
  departmentName: string | null
  timeZone: string
}

interface Which {
  /** Only these people. */
  ids?: readonly number[] | undefined
  departmentId?: number | undefined
  /** People to include besides those of the department. */
  also?: readonly number[]
  search?: string | undefined
}

/** Active staff by name, with their time zone. */
export async function readPeople(db: Db, { ids, departmentId, also = [], search }: Which): Promise<Person[]> {
  const where: SQL[] = [sql`u.deleted_at is null and not u.is_service`]
  if (ids) where.push(sql`u.user_id = any(${sql.param([...new Set(ids)])}::int[])`)
  if (departmentId)
    where.push(sql`(u.department_id = ${departmentId} or u.user_id = any(${sql.param([...also])}::int[]))`)
  if (search) where.push(sql`strpos(lower(${personName('u')}), ${search.toLowerCase()}) > 0`)
  const found = await rows<Omit<Person, 'timeZone'>>(
    db,
    sql`select u.user_id as id, ${personName('u')} as name, d.department_id as "departmentId", d.name as "departmentName"
      from users u left join departments d on d.department_id = u.department_id and d.deleted_at is null
      where ${sql.join(where, sql` and `)} order by lower(${personName('u')}), u.user_id`,
  )
  const placeOf = await readPlaces(db)
  return found.map((person) => ({ ...person, timeZone: placeOf(person.departmentId).timeZone }))
}

/** Returns an active person, or throws a 404. */
export async function findPerson(db: Db, id: number): Promise<Person> {
  const [person] = await readPeople(db, { ids: [id] })
  if (!person) throw notFound('user', id)
  return person
}

export const byId = (people: readonly Person[]): Map<number, Person> => new Map(people.map((one) => [one.id, one]))

/** Whether the person is a planner. Planners see every shift, including drafts. */
export const plans = (staff: Staff): boolean => holds(staff, 'calendar:shift:create')

/**
 * Condition on `shifts s` for the shifts that a person may see: all for planners; for others, published and open shifts
 * of their department and their own.
 */
export function visibleTo(staff: Staff): SQL {
  if (plans(staff)) return sql`s.status <> 'cancelled'`
  const near = staff.departmentId === null ? sql`false` : sql`s.department_id = ${staff.departmentId}`
  return sql`s.status in ('published', 'open') and (s.user_id = ${staff.id} or ${near})`
}

/**
 * Locks the plans of these people until the transaction ends, so that two planners of one person wait for each other.
 */
export async function holdPeople(db: Db, ids: readonly number[]): Promise<void> {
  const sorted = [...new Set(ids)].sort((a, b) => a - b)
  if (sorted.length)
    await db.execute(
      sql`select pg_advisory_xact_lock(4400021, id) from (select unnest(${sql.param(sorted)}::int[]) as id order by 1) as held`,
    )
}

/** Locks the plans of the people whose shifts match a condition on `s`. */
export async function holdPeopleOf(db: Db, where: SQL): Promise<void> {
  const found = await rows<{ id: number }>(
    db,
    sql`select distinct s.user_id as id from shifts s where s.user_id is not null and ${where}`,
  )
  await holdPeople(
    db,
    found.map(({ id }) => id),
  )
}
