import type { Db } from '../kit/db/db.ts'
import { statement } from '../kit/db/driver/prepared.ts'
import type { Day, Weekend } from './days.ts'
import { workplaces } from './tables.ts'
import { dayIn } from './times.ts'

/** Whose public holidays count, in which zone days begin, and on which of them nobody works. */
export interface Place {
  country: string | null
  region: string | null
  timeZone: string
  weekend: Weekend
}

/** Until somebody says where the organisation is. */
export const NOWHERE: Place = { country: null, region: null, timeZone: 'UTC', weekend: [6, 7] }

const { departmentId, country, region, timeZone, weekend } = workplaces
const select = statement((db) =>
  db.select({ departmentId, country, region, timeZone, weekend }).from(workplaces).prepare('workplaces'),
)

/** Of every department that has a place of its own; the others have the organisation's. */
export async function readPlaces(db: Db): Promise<(departmentId: number | null) => Place> {
  const found = await select(db).execute()
  const own = new Map(found.map(({ departmentId, ...place }) => [departmentId, place]))
  const organisation = own.get(null) ?? NOWHERE
  return (departmentId) => own.get(departmentId) ?? organisation
}

/** The zone that decides which day it is for a department; absent: for the organisation. */
export async function timeZoneOf(db: Db, departmentId: number | null = null): Promise<string> {
  return (await readPlaces(db))(departmentId).timeZone
}

/** Which day it is there. */
export const todayIn = async (db: Db, now: Date, departmentId: number | null = null): Promise<Day> =>
  dayIn(now.toISOString(), await timeZoneOf(db, departmentId))
