import type { Db } from '../../kit/db/db.ts'
import { statement } from '../../kit/db/driver/prepared.ts'
import type { Day, Weekend } from './days.ts'
import { workplaces } from './tables.ts'
import { dayIn } from './times.ts'

/** A workplace: country of its public holidays, time zone of its days, its weekend, and the hour that halves a day. */
export interface Place {
  country: string | null
  region: string | null
  timeZone: string
  weekend: Weekend
  /** Minutes after midnight at which a half day of leave begins or ends. */
  halfDayMinute: number
  /** Days of every year on which work ends at that minute: `12-24`. */
  halfHolidays: readonly string[]
}

/** Default until the organisation has a workplace. */
export const NOWHERE: Place = {
  ...{ country: null, region: null, timeZone: 'UTC' },
  ...{ weekend: [6, 7], halfDayMinute: 720, halfHolidays: [] },
}

const { departmentId, country, region, timeZone, weekend, halfDayMinute, halfHolidays } = workplaces
const select = statement((db) =>
  db
    .select({ departmentId, country, region, timeZone, weekend, halfDayMinute, halfHolidays })
    .from(workplaces)
    .prepare('workplaces'),
)

/** Reads all workplaces. Departments without an own workplace use the organisation's. */
export async function readPlaces(db: Db): Promise<(departmentId: number | null) => Place> {
  const found = await select(db).execute()
  const own = new Map(found.map(({ departmentId, ...place }) => [departmentId, place]))
  const organisation = own.get(null) ?? NOWHERE
  return (departmentId) => own.get(departmentId) ?? organisation
}

/** Time zone of a department; without one, of the organisation. */
export async function timeZoneOf(db: Db, departmentId: number | null = null): Promise<string> {
  return (await readPlaces(db))(departmentId).timeZone
}

/** Current day in the time zone of a department; without one, of the organisation. */
export const todayIn = async (db: Db, now: Date, departmentId: number | null = null): Promise<Day> =>
  dayIn(now.toISOString(), await timeZoneOf(db, departmentId))
