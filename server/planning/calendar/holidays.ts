import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import type { Day, Weekend } from './days.ts'
import { type NationalDay, nationalDays, type OwnRule, readOwnRules } from './nationalDays.ts'
import { type Place, readPlaces } from './places.ts'
import { type Employment, readEmployments } from './workingDays.ts'

/** A public holiday. */
interface Holiday {
  date: Day
  /** Names of all holidays on that day, as `Labour Day, Holy Saturday`. */
  name: string
  /** Substitute for a holiday on a weekend. */
  substitute: boolean
}

export interface Span {
  /** Days, both inclusive: `YYYY-MM-DD`. */
  from: Day
  to: Day
}

/** Days without work at a workplace, and the minute after midnight that halves a day. */
export interface Calendar {
  holidays: readonly Holiday[]
  weekend: Weekend
  halfDayMinute: number
  halfHolidays: readonly string[]
}

/** Days without work of a person. People with nothing of their own share the calendar of their workplace. */
export interface PersonalCalendar extends Calendar, Employment {}

/**
 * Public holidays and weekend of a department, or of the organisation. Holidays come from the library for the country
 * and region, overridden by national events of the organisation. One entry per day, in order, weekends included.
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
  halfDayMinute: place.halfDayMinute,
  halfHolidays: place.halfHolidays,
})

/**
 * Calendars of these people, by their departments and own working days. Four queries for any number of people; people
 * with the same workplace and nothing of their own share one calendar. Unknown people get the organisation's.
 */
export async function calendarsOfPeople(
  db: Db,
  { userIds, ...span }: Span & { userIds: readonly number[] },
): Promise<Map<number, PersonalCalendar>> {
  const placeOf = await readPlaces(db)
  const own = await readOwnRules(db)
  const employments = await readEmployments(db, userIds, span)
  const people = await rows<{ id: number; departmentId: number | null }>(
    db,
    sql`select user_id as id, department_id as "departmentId" from users where user_id = any(${sql.param(userIds)}::int[])`,
  )
  const departmentOf = new Map(people.map(({ id, departmentId }) => [id, departmentId]))
  const known = new Map<string, Calendar>()
  const found = new Map<number, PersonalCalendar>()
  for (const id of userIds) {
    const place = placeOf(departmentOf.get(id) ?? null)
    const key = keyOf(place)
    const calendar = known.get(key) ?? (await calendarAt(place, own, span))
    known.set(key, calendar)
    const employment = employments.get(id)
    found.set(id, employment ? { ...calendar, ...employment } : calendar)
  }
  return found
}

/** Calendars of these departments. Two queries for any number of departments; those of one workplace share a calendar. */
export async function calendarsOfDepartments(
  db: Db,
  departmentIds: readonly number[],
  span: Span,
): Promise<Map<number, Calendar>> {
  const placeOf = await readPlaces(db)
  const own = await readOwnRules(db)
  const known = new Map<string, Calendar>()
  const found = new Map<number, Calendar>()
  for (const id of departmentIds) {
    const place = placeOf(id)
    const calendar = known.get(keyOf(place)) ?? (await calendarAt(place, own, span))
    known.set(keyOf(place), calendar)
    found.set(id, calendar)
  }
  return found
}

const keyOf = ({ country, region, weekend, halfDayMinute, halfHolidays }: Place) =>
  `${country}/${region}/${weekend}/${halfDayMinute}/${halfHolidays}`

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
