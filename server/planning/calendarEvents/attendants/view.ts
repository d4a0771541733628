import { holds } from '@innkeeper/contract/kit/access'
import type { Attendance, Attendant } from '@innkeeper/contract/planning/calendarEvents/event'
import { type SQL, sql } from 'drizzle-orm'
import type { Staff } from '../../../kit/access/sessions.ts'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import type { Db } from '../../../kit/db/db.ts'
import { contains, inOrder } from '../../../kit/db/page.ts'
import { personName } from '../../../kit/db/people.ts'
import { notFound } from '../../../kit/http/errors.ts'
import type { attendances, attendants } from '../tables.ts'

/** Attendants with their users: the source of search and sort order in both lists. */
export const withPeople = (table: typeof attendants | typeof attendances): SQL =>
  sql`${table} join users on users.user_id = ${table.userId} and users.deleted_at is null`
const nameOf = personName('users')
export const byName = sql`lower(${nameOf})`
export const isNamed = (search: string) => contains(nameOf, search)

const iso = (column: SQL) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const selectAttendants = rowsByIds<Attendant>(
  (
    isWanted,
  ) => sql`select a.attendant_id as id, a.version, ${iso(sql`a.created_at`)} as "createdAt", ${iso(sql`a.updated_at`)} as "updatedAt",
        a.event_id as "eventId", a.user_id as "userId", ${personName('u')} as "userName",
        d.name as "departmentName", a.rsvp, ${personName('i')} as "invitedBy",
        ${iso(sql`a.answered_at`)} as "answeredAt",
        case when a.rsvp = 'waitlisted' then (select count(*)::int from attendants w
          join users p on p.user_id = w.user_id and p.deleted_at is null
          where w.event_id = a.event_id and w.rsvp = 'waitlisted'
            and (w.waiting_since, w.attendant_id) <= (a.waiting_since, a.attendant_id)) end as "waitingPlace",
        coalesce(t.attendance, 'unknown') as attendance, t.attendance_id as "attendanceId"
      from attendants a
      join users u on u.user_id = a.user_id
      left join departments d on d.department_id = u.department_id
      left join users i on i.user_id = a.invited_by_id
      left join attendances t on t.event_id = a.event_id and t.user_id = a.user_id
      where ${isWanted(sql`a.attendant_id`)}`,
)

/**
 * Attendants in the order of `ids`, with their position on the waiting list. Who attended is known to whoever may read
 * attendance, and to people about themselves.
 */
export async function readAttendants(db: Db, staff: Staff, ids: number[]): Promise<Attendant[]> {
  if (!ids.length) return []
  const found = inOrder(ids, await selectAttendants(db, ids))
  if (holds(staff, 'calendar:attendance:read')) return found
  return found.map((one) => (one.userId === staff.id ? one : { ...one, attendance: 'unknown', attendanceId: null }))
}

export async function readAttendant(db: Db, staff: Staff, eventId: number, id: number): Promise<Attendant> {
  const [found] = await readAttendants(db, staff, [id])
  if (found?.eventId !== eventId) throw notFound('attendant', id)
  return found
}

const selectAttendances = rowsByIds<Attendance>(
  (
    isWanted,
  ) => sql`select t.attendance_id as id, t.version, ${iso(sql`t.created_at`)} as "createdAt", ${iso(sql`t.updated_at`)} as "updatedAt",
        t.event_id as "eventId", t.user_id as "userId", ${personName('u')} as "userName",
        d.name as "departmentName", t.attendance, t.note, ${personName('n')} as "notedBy"
      from attendances t
      join users u on u.user_id = t.user_id
      left join departments d on d.department_id = u.department_id
      join users n on n.user_id = t.noted_by_id
      where ${isWanted(sql`t.attendance_id`)}`,
)

/** Attendances in the order of `ids`. */
export async function readAttendances(db: Db, ids: number[]): Promise<Attendance[]> {
  if (!ids.length) return []
  const found = await selectAttendances(db, ids)
  return inOrder(ids, found)
}

export async function readAttendance(db: Db, eventId: number, id: number): Promise<Attendance> {
  const [found] = await readAttendances(db, [id])
  if (found?.eventId !== eventId) throw notFound('attendance', id)
  return found
}
