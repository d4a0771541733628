import { type SQL, sql } from 'drizzle-orm'
import type { Staff } from '../../kit/access/sessions.ts'
import { outOfReach } from '../../kit/http/errors.ts'
import { events, repeatableEvents } from './tables.ts'

/** Who looks, as far as events depend on it. */
export type Viewer = Pick<Staff, 'id' | 'departmentId' | 'isAdmin'>

/**
 * Condition for the events that a person may see: those for everybody, for their department, organised or created by them,
 * or with them on the list. Administrators see all.
 */
export function visibleTo(staff: Staff): SQL {
  if (staff.isAdmin) return sql`${events.deletedAt} is null`
  return sql`${events.deletedAt} is null and (${events.departmentId} is null or ${events.departmentId} = ${staff.departmentId}
    or ${events.organizerId} = ${staff.id} or ${events.createdBy} = ${staff.id}
    or exists (select from attendants a where a.user_id = ${staff.id} and a.event_id = ${events.id}))`
}

/** Condition for repeatable events. They have no attendants. */
export function repeatablesVisibleTo(staff: Viewer): SQL {
  if (staff.isAdmin) return sql`${repeatableEvents.deletedAt} is null`
  return sql`${repeatableEvents.deletedAt} is null and (${repeatableEvents.departmentId} is null
    or ${repeatableEvents.departmentId} = ${staff.departmentId} or ${repeatableEvents.organizerId} = ${staff.id}
    or ${repeatableEvents.createdBy} = ${staff.id})`
}

type Owned = Pick<typeof events.$inferSelect, 'title' | 'departmentId' | 'organizerId' | 'createdBy'>

/**
 * Whose events somebody may change or delete: those of everybody, of their own department, and those that they organise or
 * created. Whoever is only on the list of an event reads it.
 */
export function mayChange(staff: Staff, { title, departmentId, organizerId, createdBy }: Owned): void {
  const isTheirs = organizerId === staff.id || createdBy === staff.id
  if (staff.isAdmin || isTheirs || departmentId === null || departmentId === staff.departmentId) return
  throw outOfReach(
    `${title} is for another department: somebody of that department, or an administrator, may change it`,
  )
}
