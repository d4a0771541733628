import { holds } from '@innkeeper/contract/kit/access'
import { type SQL, sql } from 'drizzle-orm'
import type { Staff } from '../../kit/access/sessions.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { personName } from '../../kit/db/people.ts'
import { outOfReach } from '../../kit/http/errors.ts'

/**
 * The one rule about who sees which audit (decision 53), as a condition on `scrum_audits a`: always the auditor; after
 * submission the audited person, and people in that person's department who may read audits. Administrators see every
 * audit.
 */
export function visibleTo(staff: Staff): SQL {
  if (staff.isAdmin) return sql`a.deleted_at is null`
  const near =
    staff.departmentId !== null && holds(staff, 'scrums:audit:read')
      ? sql`or exists (select from users v where v.user_id = a.user_id and v.department_id = ${staff.departmentId})`
      : sql``
  return sql`a.deleted_at is null and (a.auditor_id = ${staff.id}
    or (a.status <> 'draft' and (a.user_id = ${staff.id} ${near})))`
}

/** Refuses audits of people in other departments and of oneself. */
export async function mayAudit(db: Db, staff: Staff, userId: number): Promise<void> {
  if (userId === staff.id) throw outOfReach('Nobody can audit themselves')
  const [person] = await rows<{ name: string; departmentId: number | null }>(
    db,
    sql`select ${personName()} as name, department_id as "departmentId" from users
      where user_id = ${userId} and deleted_at is null`,
  )
  if (!person) return
  if (!staff.isAdmin && (person.departmentId === null || person.departmentId !== staff.departmentId))
    throw outOfReach(
      `${person.name} works in another department: only somebody of that department or an administrator can audit`,
    )
}
