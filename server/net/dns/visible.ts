import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Staff } from '../../kit/access/sessions.ts'
import { workflows } from '../../kit/work/tables.ts'
import { dnsDepartments, zones } from './tables.ts'

interface Viewer {
  isAdmin: boolean
  departmentId: number | null | Placeholder
}

/**
 * Which zones a staff member may see and change. Administrators: all. Others: zones that are not admin-only and are
 * either assigned to no department, or to the member's own department while that is promoted.
 */
export function visibleTo(staff: Viewer): SQL {
  const live = sql`${zones.deletedAt} is null`
  if (staff.isAdmin) return live
  const mine = sql`(${zones.departmentIds} @> array[${staff.departmentId}::int]
    and exists (select from ${dnsDepartments} d where d.department_id = ${staff.departmentId}::int))`
  return sql`${live} and not ${zones.adminOnly} and (cardinality(${zones.departmentIds}) = 0 or ${mine})`
}

/**
 * Condition for workflows about zones that the staff member may see, and workflows that the member started.
 * Administrators see all, including those of deleted zones.
 */
export const isOfVisibleZone = (staff: Pick<Staff, 'id' | 'isAdmin' | 'departmentId'>): SQL =>
  staff.isAdmin
    ? sql`true`
    : sql`(${workflows.startedById} = ${staff.id}
        or exists (select from ${zones} where ${zones.id} = ${workflows.subjectId} and ${visibleTo(staff)}))`
