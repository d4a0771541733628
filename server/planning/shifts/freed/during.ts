import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { addDays } from '../../calendar/days.ts'
import { readPlaces } from '../../calendar/places.ts'
import { windowOf } from '../../leaves/days/halfDays.ts'
import type { AsIf, Asked, LeaveSpan, Rostered } from '../../leaves/followers.ts'
import { readStored, type Stored } from '../roster/view.ts'
import { readSettings } from '../settings.ts'

/**
 * Condition on `shifts s` for the shifts that a leave frees: they touch its days, including a night shift of the day
 * before. Shifts of an automation that continues during leaves stay, and so do those of closed months.
 */
const isDuring = (leave: LeaveSpan, halfDayMinute: number): SQL => {
  const { userId, startDate, endDate } = leave
  const [from, to] = [windowOf(leave, startDate, halfDayMinute).from, windowOf(leave, endDate, halfDayMinute).to]
  return sql`s.user_id = ${userId} and s.status in ('draft', 'published')
    and s.date between ${addDays(startDate, -1)}::date and ${endDate}::date
    and (s.date - ${startDate}::date) * 1440 + s.end_minute > ${from}::int
    and (s.date - ${endDate}::date) * 1440 + s.start_minute < ${to}::int
    and not exists (select from shift_months m where m.month = date_trunc('month', s.date)::date)
    and (s.edited or not exists (select from shift_automations a
      where a.shift_automation_id = s.automation_id and a.on_leave = 'work'))`
}

/**
 * Published shifts from which the days that leaves cost are counted, by leave. A shift that the leave has freed or cut
 * counts whole, and its rest does not, so that a leave costs the same before and after its approval. Shifts that another
 * leave has freed say so.
 */
export async function rosteredShifts(db: Db, asked: readonly Asked[], asIf?: AsIf): Promise<Map<number, Rostered[]>> {
  const { dayNormMinutes } = await readSettings(db)
  const mark = asIf ? sql`, ${asIf.which} as "isMarked"` : sql``
  const counts = asIf?.areDrafts ? sql`(s.status = 'published' or ${asIf.which})` : sql`s.status = 'published'`
  // two statements in one, because each has an index of its own: planned shifts, and those that leaves have freed
  const shifts = (which: SQL) => sql`select a.id as "leaveId", s.date::text as date, s.start_minute as "startMinute",
      s.end_minute as "endMinute", s.end_minute - s.start_minute - s.break_minutes as "workMinutes",
      s.deleted_at is not null and s.leave_id <> a.id as "isFreed", s.rest_of_id is not null as "isRest" ${mark}
    from a join shifts s on s.user_id = a."userId" and s.date between a."from" and a."to" and ${counts}
    where ${which} and (s.rest_of_id is null or not exists (select from shifts o
      where o.shift_id = s.rest_of_id and o.leave_id = a.id))`
  const found = await rows<Omit<Rostered, 'normMinutes'> & { leaveId: number }>(
    db,
    sql`with a as (select * from json_to_recordset(${JSON.stringify(asked)}::json) as a(id int, "userId" int, "from" date, "to" date))
      ${shifts(sql`s.deleted_at is null`)}
      union all ${shifts(sql`s.deleted_at is not null and s.leave_id is not null`)}
      order by "leaveId", date, "startMinute"`,
  )
  const adds = Map.groupBy(asIf?.adds ?? [], ({ userId }) => userId)
  const added = asked.flatMap(({ id: leaveId, userId, from, to }) =>
    (adds.get(userId) ?? [])
      .filter(({ date }) => from <= date && date <= to)
      .map((shift) => ({ ...shift, leaveId, isAdded: true })),
  )
  const all = [...found, ...added].map((shift) => ({ ...shift, normMinutes: dayNormMinutes }))
  if (added.length) all.sort((a, b) => (a.date === b.date ? a.startMinute - b.startMinute : a.date < b.date ? -1 : 1))
  return Map.groupBy(all, ({ leaveId }) => leaveId)
}

/** Minutes after midnight that halve the days of a person, by the workplace. */
export async function halfDayMinuteOf(db: Db, userId: number): Promise<number> {
  const [person] = await rows<{ departmentId: number | null }>(
    db,
    sql`select department_id as "departmentId" from users where user_id = ${userId}`,
  )
  return (await readPlaces(db))(person?.departmentId ?? null).halfDayMinute
}

/** Shifts that a leave frees, or cuts, by start. */
export const shiftsDuring = async (db: Db, leave: LeaveSpan, lock = false): Promise<Stored[]> =>
  readStored(db, [isDuring(leave, await halfDayMinuteOf(db, leave.userId))], lock)

/** All shifts of the people of these leaves on their days and the day before. */
export const plannedDuring = (db: Db, leaves: readonly LeaveSpan[]): Promise<Stored[]> =>
  readStored(db, [
    sql`s.shift_id in (select o.shift_id
      from json_to_recordset(${JSON.stringify(leaves)}::json) as l("userId" int, "startDate" date, "endDate" date)
      join shifts o on o.user_id = l."userId" and o.date between l."startDate" - 1 and l."endDate" and o.deleted_at is null)`,
  ])
