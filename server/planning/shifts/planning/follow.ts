import { durationBetween } from '@innkeeper/contract/planning/shifts/duration'
import { minutesOf } from '@innkeeper/contract/planning/shifts/values'
import { type SQL, sql } from 'drizzle-orm'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { isForeseen } from '../../../kit/db/foresee.ts'
import { conflict } from '../../../kit/http/errors.ts'
import { monthOf, readClosed } from '../../calendar/closedMonths.ts'
import { type By, notifyOfShifts } from '../notify.ts'
import { holdPeopleOf } from '../roster/people.ts'
import { clockOf } from '../roster/times.ts'
import { readDeleted, readStored, type Stored, shiftsById } from '../roster/view.ts'
import { readSettings } from '../settings.ts'
import { type Built, buildShift, timesOf } from './build.ts'
import { readTypes } from './cells.ts'
import { assumeCharges, type Charged, chargeAnew, touchedBy } from './chargeAnew.ts'
import { inOurWords } from './insertShifts.ts'
import { type Cause, isFollowing } from './later.ts'

/** A change that future shifts follow. */
export interface Followed {
  /** The moment of the change: only shifts that begin after this moment are updated. */
  since: Date
  by: By
  /** Condition on `shifts s` for a part of the shifts. The caller notifies approvers and planners after the last part. */
  part?: SQL
}

/**
 * Condition on `shifts s`: future shifts of a type. Those that a leave has freed follow, too: they are charged as before their
 * approval, and may come back.
 */
const futureOf = (typeId: number, since: Date): SQL =>
  sql`s.shift_type_id = ${typeId} and s.starts_at > ${since.toISOString()}::timestamptz
    and (s.deleted_at is null or s.leave_id is not null)`

/** Condition on `shifts s`: all future shifts, except in closed months. */
const futureOfAll = (since: Date): SQL => sql`s.starts_at > ${since.toISOString()}::timestamptz and s.deleted_at is null
  and ${isOpen}`

/** Condition on `shifts s`: not of a closed month. */
const isOpen = sql`not exists (select from shift_months m where m.month = date_trunc('month', s.date)::date)`

/** More shifts than these follow later, in the worker. */
const AT_ONCE = 1000

/** Whether too many shifts follow a type, or the settings, to be updated while somebody waits. */
export async function isForLater(db: Db, { shiftTypeId }: Pick<Cause, 'shiftTypeId'>, since: Date): Promise<boolean> {
  if (await isFollowing(db, { ...(shiftTypeId && { shiftTypeId }) })) return true
  const which = shiftTypeId ? futureOf(shiftTypeId, since) : futureOfAll(since)
  return areMany(db, which)
}

async function areMany(db: Db, which: SQL): Promise<boolean> {
  const found = await rows(db, sql`select from shifts s where ${which} limit ${AT_ONCE + 1}`)
  return found.length > AT_ONCE
}

export const OTHER_TIMES = 'a kind of shift has other times'

/**
 * Applies changed times, name and colour of a type to its future shifts. Shifts with own times keep them; past shifts
 * and closed months stay unchanged. Notifies people whose times changed. Returns the number of changed shifts.
 */
export async function followType(db: Db, typeId: number, { since, by, part }: Followed): Promise<Charged<number>> {
  if (isForeseen() && (await areMany(db, futureOf(typeId, since)))) return foreseeType(db, typeId, { since, by })
  const later = sql`${futureOf(typeId, since)} and ${part ?? sql`true`}`
  const touched = await touchedBy(db, later)
  const how = { db, by, now: since, isPart: part !== undefined }
  const { value: changes, leaves } = await chargeAnew(how, touched, OTHER_TIMES, () => follow(db, later))
  if (isForeseen()) return { value: changes.length, leaves }
  const moved = changes.filter(
    ({ before, after }) => isoOf(before.startsAt) !== after.startsAt || isoOf(before.endsAt) !== after.endsAt,
  )
  const told = moved.filter(({ before }) => before.status === 'published').map(({ before }) => before.id)
  await notifyOfShifts(db, await shiftsById(db, told), by, 'moved')
  return { value: changes.length, leaves }
}

/** The leaves that very many shifts of a type charge anew, once all have followed it. Nothing is written. */
async function foreseeType(db: Db, typeId: number, { since, by }: Followed): Promise<Charged<number>> {
  const type = (await readTypes(db, [typeId])).get(typeId)! // the caller has just changed it
  const { start, end } = durationBetween(minutesOf(type.startTime), minutesOf(type.endTime), type.breakMinutes)
  const times = { startMinute: start, endMinute: end, workMinutes: end - start - type.breakMinutes }
  const leaves = await assumeCharges({ db, by, now: since }, undefined, {
    which: sql`${futureOf(typeId, since)} and not s.own_times and ${isOpen}`,
    after: (shift) => ({ ...shift, ...times }),
  })
  return { value: 0, leaves }
}

interface Change {
  before: Stored
  after: Pick<Built, 'startsAt' | 'endsAt'>
}

/** Recalculates the weighted hours of future shifts from the current settings. Returns the number of changed shifts. */
export async function followSettings(db: Db, { since, part }: Pick<Followed, 'since' | 'part'>): Promise<number> {
  const settings = await readSettings(db)
  const later = sql`${futureOfAll(since)} and ${part ?? sql`true`}`
  const kinds = await rows<{ s: number; e: number; b: number }>(
    db,
    sql`select distinct start_minute as s, end_minute as e, break_minutes as b from shifts s where ${later}`,
  )
  const counted = kinds.map((kind) => {
    const { night, weighted420 } = durationBetween(kind.s, kind.e, kind.b, settings)
    return { ...kind, n: night, w: weighted420 }
  })
  const done = await rows(
    db,
    sql`update shifts s set night_steps = c.n, weighted420 = c.w, version = version + 1, updated_at = now()
      from json_to_recordset(${JSON.stringify(counted)}::json) as c(s int, e int, b int, n int, w int)
      where s.start_minute = c.s and s.end_minute = c.e and s.break_minutes = c.b and ${later}
        and (s.night_steps, s.weighted420) <> (c.n, c.w) returning 1`,
  )
  return done.length
}

async function follow(db: Db, which: SQL): Promise<Change[]> {
  await holdPeopleOf(db, which)
  const later = await readStored(db, [which], true)
  const changes = await rebuilt(db, later)
  const freed = await rebuilt(db, await readDeleted(db, which))
  await writeTimes(db, [...changes, ...freed])
  return changes.map(({ before, ...after }) => ({ before, after }))
}

type Rebuilt = Awaited<ReturnType<typeof rebuilt>>[number]

/** These shifts with the current times of their types, without those of closed months and deleted types. */
export async function rebuilt(db: Db, later: readonly Stored[]) {
  const dates = later.map(({ date }) => date).toSorted()
  const closed = await readClosed(db, dates[0] ?? '2000-01-01', dates.at(-1) ?? '2000-01-01')
  const types = await readTypes(
    db,
    later.map(({ shiftTypeId }) => shiftTypeId),
  )
  const settings = await readSettings(db)
  return later.flatMap((shift) => {
    const type = types.get(shift.shiftTypeId)
    if (!type || closed.has(monthOf(shift.date))) return []
    const who = { id: shift.userId, departmentId: shift.departmentId, timeZone: shift.timeZone }
    const next = shift.ownTimes
      ? {
          ...{ name: type.name, code: type.code, colour: type.colour },
          ...timesOf(clockTimes(shift), shift.date, shift.timeZone, settings),
        }
      : buildShift(type, shift.date, who, settings)
    return [{ id: shift.id, before: shift, ...next }]
  })
}

/** Stores rebuilt shifts, also deleted ones. */
export async function writeTimes(db: Db, changes: readonly Rebuilt[]): Promise<void> {
  const text = JSON.stringify(
    changes.map((c) => ({
      ...{
        id: c.id,
        name: c.name,
        code: c.code,
        colour: c.colour,
        s: c.startMinute,
        e: c.endMinute,
        b: c.breakMinutes,
      },
      ...{ sa: c.startsAt, ea: c.endsAt, n: c.nightSteps, w: c.weighted420 },
    })),
  )
  try {
    await db.execute(sql`update shifts t set name = c.name, code = c.code, colour = c.colour, start_minute = c.s, end_minute = c.e,
        break_minutes = c.b, starts_at = c.sa, ends_at = c.ea, night_steps = c.n, weighted420 = c.w,
        version = version + 1, updated_at = now()
      from json_to_recordset(${text}::json) as c(id int, name text, code text, colour text, s int, e int, b int, sa timestamptz,
        ea timestamptz, n int, w int)
      where t.shift_id = c.id`)
  } catch (error) {
    if (inOurWords(error) === error) throw error
    throw conflict('Shifts that are planned would overlap. Move them first, or add another type.')
  }
}

const clockTimes = ({ startMinute, endMinute, breakMinutes }: Stored) => ({
  startTime: clockOf(startMinute),
  endTime: clockOf(endMinute),
  breakMinutes,
})
