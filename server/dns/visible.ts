import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Staff } from '../kit/access/sessions.ts'
import { workflows } from '../kit/work/tables.ts'
import { dnsDepartments, zones } from './tables.ts'

interface Viewer {
  isAdmin: boolean
  departmentId: number | null | Placeholder
}

/**
 * Which zones somebody may see and change: administrators all; others those that are not for administrators alone and
 * are given to nobody, or to their department as long as that is promoted.
 */
export function visibleTo(staff: Viewer): SQL {
  const live = sql`${zones.deletedAt} is null`
  if (staff.isAdmin) return live
  const mine = sql`(${zones.departmentIds} @> array[${staff.departmentId}::int]
    and exists (select from ${dnsDepartments} d where d.department_id = ${staff.departmentId}::int))`
  return sql`${live} and not ${zones.adminOnly} and (cardinality(${zones.departmentIds}) = 0 or ${mine})`
}

/** Workflows about a zone that somebody may see; of one that is deleted only its own doer and administrators. */
export const isOfVisibleZone = (staff: Pick<Staff, 'id' | 'isAdmin' | 'departmentId'>): SQL =>
  staff.isAdmin
    ? sql`true`
    : sql`(${workflows.startedById} = ${staff.id}
        or exists (select from ${zones} where ${zones.id} = ${workflows.subjectId} and ${visibleTo(staff)}))`
