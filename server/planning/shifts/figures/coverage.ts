import type { Output } from '@innkeeper/contract/kit/endpoint'
import type { CoverageDay, shifts as contract, ShiftMinimum } from '@innkeeper/contract/planning/shifts/calls'
import { eq, type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { checkVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { addDays, weekdayOf } from '../../calendar/days.ts'
import { readPlaces } from '../../calendar/places.ts'
import { shiftMinimums } from '../tables.ts'

const DAY = 1440

interface Times {
  date: string
  s: number
  e: number
}

/**
 * Staffing per clock hour of these days, including night shifts of the day before. The hours are in the time zone of
 * the department, or of the organisation; shifts of other time zones are converted to it.
 */
export async function coverageOf(
  db: Db,
  { from, to, departmentId }: { from: string; to: string; departmentId?: number | undefined },
  visible: SQL,
): Promise<Output<typeof contract.coverage, 'in'>> {
  const which = departmentId ? sql`s.department_id = ${departmentId}` : sql`true`
  const { timeZone } = (await readPlaces(db))(departmentId ?? null)
  const midnight = sql`date_trunc('day', s.starts_at at time zone ${timeZone})`
  const minutes = (instant: SQL) => sql`(extract(epoch from ${instant} - ${midnight}) / 60)::int`
  const found = await rows<Times>(
    db,
    sql`select case when s.time_zone = ${timeZone} then s.date::text else ${midnight}::date::text end as date,
        case when s.time_zone = ${timeZone} then s.start_minute else ${minutes(sql`s.starts_at at time zone ${timeZone}`)} end as s,
        case when s.time_zone = ${timeZone} then s.end_minute else ${minutes(sql`s.ends_at at time zone ${timeZone}`)} end as e
      from shifts s
      where s.deleted_at is null and s.user_id is not null and s.date between ${addDays(from, -2)}::date and ${addDays(to, 1)}::date
        and ${which} and ${visible}`,
  )
  const { minimum, weekend } = await readMinimum(db, departmentId ?? null)
  const items = countHours(found, from, to).map((day) => ({
    ...day,
    minimum: minimum.slice((weekdayOf(day.date) - 1) * 24, weekdayOf(day.date) * 24),
  }))
  return { items, total: items.length, weekend, timeZone }
}

/** Lowest staffing at any minute of each hour: a shift that starts at half past covers only half of its first hour. */
export function countHours(shifts: readonly Times[], from: string, to: string): Omit<CoverageDay, 'minimum'>[] {
  const first = Date.parse(from) / 86_400_000
  const days = Date.parse(to) / 86_400_000 - first + 1
  const comings = new Int32Array(days * DAY + 1)
  for (const { date, s, e } of shifts) {
    const midnight = (Date.parse(date) / 86_400_000 - first) * DAY
    const start = Math.max(0, midnight + s)
    const end = Math.min(days * DAY, midnight + e)
    if (end <= start) continue
    comings[start] = (comings[start] ?? 0) + 1
    comings[end] = (comings[end] ?? 0) - 1
  }
  let there = 0
  return Array.from({ length: days }, (_, day) => ({
    date: addDays(from, day),
    people: Array.from({ length: 24 }, (_, hour) => {
      let fewest = Number.POSITIVE_INFINITY
      for (let minute = day * DAY + hour * 60; minute < day * DAY + hour * 60 + 60; minute++) {
        there += comings[minute] ?? 0
        fewest = Math.min(fewest, there)
      }
      return fewest
    }),
  }))
}

const nobody = { version: 1, minimum: Array.from({ length: 168 }, () => 0) }

export async function readMinimum(db: Db, departmentId: number | null): Promise<ShiftMinimum> {
  const [found] = await db
    .select()
    .from(shiftMinimums)
    .where(eq(shiftMinimums.departmentId, departmentId ?? 0))
  const { version, minimum } = found ?? nobody
  return { departmentId, version, minimum, weekend: [...(await readPlaces(db))(departmentId).weekend] }
}

/** Saves the minimum staffing; 409 with the stored row if somebody else saved first. */
export async function saveMinimum(
  { db, staff, audit }: Context,
  departmentId: number | null,
  minimum: number[],
  version: number | undefined,
): Promise<ShiftMinimum> {
  await db.execute(sql`select pg_advisory_xact_lock(4400022, ${departmentId ?? 0}::int)`)
  const before = await readMinimum(db, departmentId)
  checkVersion(before, version, 'The minimum')
  await db
    .insert(shiftMinimums)
    .values({ departmentId: departmentId ?? 0, minimum, version: before.version + 1, createdBy: staff.id })
    .onConflictDoUpdate({
      target: shiftMinimums.departmentId,
      set: { minimum, version: sql`${shiftMinimums.version} + 1`, updatedAt: sql`now()` },
    })
  const after = await readMinimum(db, departmentId)
  audit.before(before)
  audit.after(after)
  await changed(db, 'shifts')
  return after
}
