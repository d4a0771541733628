import type { LeavePart } from '@innkeeper/contract/planning/leaves/values'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { personName } from '../../../kit/db/people.ts'

/** An absence as shifts and calendars need it: days and status, without the reason. */
export interface Absence {
  leaveId: number
  userId: number
  name: string
  departmentId: number | null
  /** Days, both inclusive. */
  from: string
  to: string
  /** Parts of the first and of the last day: `full` or the half day of the absence. Equal for a single day. */
  startPart: LeavePart
  endPart: LeavePart
  status: 'approved' | 'pending'
}

export interface Range {
  /** Days, both inclusive. */
  from: string
  to: string
  /** Absent: everybody. */
  userIds?: readonly number[]
  departmentId?: number | null
  /** True: includes leaves that wait for a decision. */
  pending?: boolean
}

/** Absences that overlap a range of days, approved and, with `pending`, requested; by day, then by name. */
export async function awayBetween(
  db: Db,
  { from, to, userIds, departmentId, pending = false }: Range,
): Promise<Absence[]> {
  if (userIds?.length === 0) return []
  const where: SQL[] = [
    pending ? sql`r.status in ('approved', 'pending')` : sql`r.status = 'approved'`,
    sql`r.start_date <= ${to}::date and r.end_date >= ${from}::date`,
  ]
  if (userIds) where.push(sql`r.user_id = any(${sql.param([...userIds])}::int[])`)
  if (departmentId !== undefined) where.push(sql`u.department_id is not distinct from ${departmentId}::int`)
  return rows<Absence>(
    db,
    sql`select r.leave_id as "leaveId", r.user_id as "userId", ${personName('u')} as name,
        u.department_id as "departmentId", r.start_date::text as "from", r.end_date::text as "to",
        r.start_part as "startPart", r.end_part as "endPart", r.status
      from leaves r join users u on u.user_id = r.user_id and u.deleted_at is null
      where ${sql.join(where, sql` and `)}
      order by r.start_date, lower(${personName('u')}), r.leave_id`,
  )
}

/** True if the absence includes this day. */
export const isAwayOn = ({ from, to }: Pick<Absence, 'from' | 'to'>, day: string): boolean => from <= day && day <= to
