import type { Shift } from '@innkeeper/contract/planning/shifts/calls'
import { toHours } from '@innkeeper/contract/planning/shifts/duration'
import { type SQL, sql } from 'drizzle-orm'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { personNameText } from '../../../kit/db/people.ts'
import { conflict, notFound } from '../../../kit/http/errors.ts'
import { holdPeople } from './people.ts'
import { clockChangeOf, clockOf } from './times.ts'

/** A row of `shifts` with the name of its person. */
export interface Stored {
  id: number
  version: number
  createdAt: string | Date
  updatedAt: string | Date
  userId: number | null
  userName: string | null
  departmentId: number | null
  date: string
  shiftTypeId: number
  name: string
  code: string
  colour: Shift['colour']
  startMinute: number
  endMinute: number
  breakMinutes: number
  startsAt: string | Date
  endsAt: string | Date
  timeZone: string
  nightSteps: number
  weighted420: number
  status: Shift['status']
  source: Shift['source']
  automationId: number | null
  edited: boolean
  ownTimes: boolean
  freedFrom: string | null
}

const columns = sql.raw(`s.shift_id as id, s.version, s.created_at as "createdAt", s.updated_at as "updatedAt",
  s.user_id as "userId", ${personNameText('u')} as "userName", s.department_id as "departmentId",
  s.date::text as date, s.shift_type_id as "shiftTypeId", s.name, s.code, s.colour, s.start_minute as "startMinute",
  s.end_minute as "endMinute", s.break_minutes as "breakMinutes", s.starts_at as "startsAt", s.ends_at as "endsAt",
  s.time_zone as "timeZone", s.night_steps as "nightSteps", s.weighted420, s.status, s.source,
  s.automation_id as "automationId", s.edited, s.own_times as "ownTimes",
  case when s.replaces_id is not null and s.user_id is null then (select ${personNameText('f')} from shifts o
    join users f on f.user_id = o.user_id where o.shift_id = s.replaces_id) end as "freedFrom"`)

/** The shift of a row, which still has the columns that no answer shows. */
function withDerived(row: Stored) {
  const startsAt = isoOf(row.startsAt)
  const endsAt = isoOf(row.endsAt)
  return {
    ...row,
    createdAt: isoOf(row.createdAt),
    updatedAt: isoOf(row.updatedAt),
    startTime: clockOf(row.startMinute),
    endTime: clockOf(row.endMinute),
    startsAt,
    endsAt,
    hours: toHours(row.weighted420),
    nightHours: row.nightSteps,
    clockChange: clockChangeOf(startsAt, endsAt, row.startMinute, row.endMinute),
  }
}

export function shown(row: Stored): Shift {
  const {
    startMinute: _,
    endMinute: __,
    nightSteps: ___,
    weighted420: ____,
    ownTimes: _____,
    ...shift
  } = withDerived(row)
  return shift
}

/** Shifts that are not deleted and match the conditions on `s`, by day. Callers limit the days. */
export const readStored = (db: Db, where: SQL[], lock = false): Promise<Stored[]> =>
  rows<Stored>(
    db,
    sql`select ${columns} from shifts s left join users u on u.user_id = s.user_id
      where s.deleted_at is null and ${sql.join(where, sql` and `)}
      order by s.starts_at, s.shift_id ${lock ? sql`for update of s` : sql``}`,
  )

/** Deleted shifts, such as those that a leave freed. */
export const readDeleted = (db: Db, where: SQL): Promise<Stored[]> =>
  rows<Stored>(
    db,
    sql`select ${columns} from shifts s left join users u on u.user_id = s.user_id
      where s.deleted_at is not null and ${where} order by s.starts_at, s.shift_id`,
  )

export const readShifts = async (db: Db, where: SQL[]): Promise<Shift[]> => (await readStored(db, where)).map(shown)

const select = rowsByIds<Stored>(
  (isWanted) => sql`select ${columns} from shifts s left join users u on u.user_id = s.user_id
    where s.deleted_at is null and ${isWanted(sql`s.shift_id`)}`,
)

/** Shifts in the order of `ids`. */
export async function shiftsById(db: Db, ids: number[]): Promise<Shift[]> {
  return inOrder(ids, (await select(db, ids)).map(shown))
}

/** Like `shiftsById`, for the answer of a list, which drops unknown fields: leaving them out here takes twice as long. */
export async function shiftsToAnswer(db: Db, ids: number[]): Promise<Shift[]> {
  return inOrder(ids, (await select(db, ids)).map(withDerived))
}

/**
 * Locks one shift until the transaction ends; 404 if it is missing. Before the row, locks the plans of its person and
 * of `next`, who will get the shift. Every plan locks in this order; another order could deadlock.
 */
export async function holdShift(db: Db, id: number, next?: number): Promise<Stored> {
  const [seen] = await readStored(db, [sql`s.shift_id = ${id}`])
  if (!seen) throw notFound('shift', id)
  await holdPeople(
    db,
    [seen.userId, next].flatMap((one) => one ?? []),
  )
  const [found] = await readStored(db, [sql`s.shift_id = ${id}`], true)
  if (!found) throw notFound('shift', id)
  if (found.userId !== seen.userId) throw conflict('This shift was changed by somebody else meanwhile')
  return found
}
