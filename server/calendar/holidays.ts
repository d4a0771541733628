import { sql } from 'drizzle-orm'
import { type Db, rows } from '../kit/db/db.ts'
import type { Day, Weekend } from './days.ts'
import { type NationalDay, nationalDays, type OwnRule, readOwnRules } from './nationalDays.ts'
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

/** On which days nobody at a place has to work. */
export interface Calendar {
  holidays: readonly Holiday[]
  weekend: Weekend
}

/**
 * The public holidays and the weekend of a department, or, without one, of the organisation: by the holiday library for its
 * country and region, with our national events over it. One holiday a day, in order; those on weekends are in it too.
 */
export async function calendarOf(
  db: Db,
  { departmentId = null, ...span }: Span & { departmentId?: number | null },
): Promise<Calendar> {
  const placeOf = await readPlaces(db)
  return calendarAt(placeOf(departmentId), await readOwnRules(db), span)
}

const calendarAt = async (place: Place, own: readonly OwnRule[], span: Span): Promise<Calendar> => ({
  holidays: byDay(await nationalDays(place, own, span)),
  weekend: place.weekend,
})

/**
 * The holidays and weekends of each of these people, by their departments. Three reads however many they are, and people of
 * one place share one calendar: cheap for a year of 200. Who is not known has the organisation's.
 */
export async function calendarsOfPeople(
  db: Db,
  { userIds, ...span }: Span & { userIds: readonly number[] },
): Promise<Map<number, Calendar>> {
  const placeOf = await readPlaces(db)
  const own = await readOwnRules(db)
  const people = await rows<{ id: number; departmentId: number | null }>(
    db,
    sql`select user_id as id, department_id as "departmentId" from users where user_id = any(${sql.param(userIds)}::int[])`,
  )
  const departmentOf = new Map(people.map(({ id, departmentId }) => [id, departmentId]))
  const known = new Map<string, Calendar>()
  const found = new Map<number, Calendar>()
  for (const id of userIds) {
    const place = placeOf(departmentOf.get(id) ?? null)
    const key = keyOf(place)
    const calendar = known.get(key) ?? (await calendarAt(place, own, span))
    known.set(key, calendar)
    found.set(id, calendar)
  }
  return found
}

const keyOf = ({ country, region, weekend }: Place) => `${country}/${region}/${weekend}`

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
