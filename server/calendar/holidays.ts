import { sql } from 'drizzle-orm'
import { type Db, rows } from '../kit/db.ts'
import type { Day } from './days.ts'
import { type NationalDay, nationalDays, readOwnRules } from './nationalDays.ts'
import { type Place, readPlaces } from './places.ts'

/** A day on which nobody has to work. */
export interface Holiday {
  date: Day
  /** Of all that fall on it, as `Labour Day, Holy Saturday`. */
  name: string
  /** It stands for a holiday that fell on a weekend. */
  substitute: boolean
}

export interface Span {
  /** Days, both counted: `YYYY-MM-DD`. */
  from: Day
  to: Day
}

/**
 * The public holidays of a department, or, without one, of the organisation: by the holiday library for its country and
 * region, with our national events over it. One row a day, in order. Weekends are not in it, holidays on weekends are.
 */
export async function holidaysBetween(
  db: Db,
  { departmentId = null, ...span }: Span & { departmentId?: number | null },
): Promise<Holiday[]> {
  const placeOf = await readPlaces(db)
  return byDay(await nationalDays(placeOf(departmentId), await readOwnRules(db), span))
}

/**
 * The holidays of each of these people, by their departments. Three reads however many they are, and people of one place
 * share one list: cheap for a year of 200. Who is not known has the organisation's.
 */
export async function holidaysOfPeople(
  db: Db,
  { userIds, ...span }: Span & { userIds: readonly number[] },
): Promise<Map<number, readonly Holiday[]>> {
  const placeOf = await readPlaces(db)
  const own = await readOwnRules(db)
  const people = await rows<{ id: number; departmentId: number | null }>(
    db,
    sql`select user_id as id, department_id as "departmentId" from users where user_id = any(${sql.param(userIds)}::int[])`,
  )
  const departmentOf = new Map(people.map(({ id, departmentId }) => [id, departmentId]))
  const known = new Map<string, Holiday[]>()
  const found = new Map<number, readonly Holiday[]>()
  for (const id of userIds) {
    const place = placeOf(departmentOf.get(id) ?? null)
    const key = keyOf(place)
    const days = known.get(key) ?? byDay(await nationalDays(place, own, span))
    known.set(key, days)
    found.set(id, days)
  }
  return found
}

const keyOf = ({ country, region }: Place) => `${country}/${region}`

function byDay(days: readonly NationalDay[]): Holiday[] {
  const found = Map.groupBy(
    days.filter(({ free }) => free),
    ({ date }) => date,
  )
  return [...found].map(([date, same]) => ({
    date,
    name: [...new Set(same.map(({ name }) => name))].join(', '),
    substitute: same.every(({ substitute }) => substitute),
  }))
}
