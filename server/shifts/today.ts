import { timeZoneOf } from '../calendar/places.ts'
import type { Db } from '../kit/db.ts'
import { dayAt } from './times.ts'

/** Which day it is for a department; absent: for the organisation. */
export const todayIn = async (db: Db, now: Date, departmentId: number | null = null): Promise<string> =>
  dayAt(now, await timeZoneOf(db, departmentId))
