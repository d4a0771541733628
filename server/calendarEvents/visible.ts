import { holds } from '@innkeeper/contract/access'
import { type SQL, sql } from 'drizzle-orm'
import type { Staff } from '../kit/access/sessions.ts'
import { events, repeatableEvents } from './tables.ts'

/**
 * Condition for the events that a person may see: those for everybody, for their department, organised or created by them,
 * or with them on the list. People who may change events see all.
 */
export function visibleTo(staff: Staff): SQL {
  if (holds(staff, 'calendar:event:update')) return sql`${events.deletedAt} is null`
  return sql`${events.deletedAt} is null and (${events.departmentId} is null or ${events.departmentId} = ${staff.departmentId}
    or ${events.organizerId} = ${staff.id} or ${events.createdBy} = ${staff.id}
    or exists (select from attendants a where a.user_id = ${staff.id} and a.event_id = ${events.id}))`
}

/** Condition for repeatable events. They have no attendants. */
export function repeatablesVisibleTo(staff: Staff): SQL {
  if (holds(staff, 'calendar:repeatable-event:update')) return sql`${repeatableEvents.deletedAt} is null`
  return sql`${repeatableEvents.deletedAt} is null and (${repeatableEvents.departmentId} is null
    or ${repeatableEvents.departmentId} = ${staff.departmentId} or ${repeatableEvents.organizerId} = ${staff.id}
    or ${repeatableEvents.createdBy} = ${staff.id})`
}
