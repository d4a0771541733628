import { holds } from '@innkeeper/contract/access'
import { type SQL, sql } from 'drizzle-orm'
import type { Staff } from '../kit/access/sessions.ts'
import { events, repeatableEvents } from './tables.ts'

/**
 * Which events a person sees: those for everybody and for their department, what they organise, and what they are on the
 * list of. Who may change events plans for others, and sees all.
 */
export function visibleTo(staff: Staff): SQL {
  if (holds(staff, 'calendar:event:update')) return sql`${events.deletedAt} is null`
  return sql`${events.deletedAt} is null and (${events.departmentId} is null or ${events.departmentId} = ${staff.departmentId}
    or ${events.organizerId} = ${staff.id}
    or exists (select from attendants a where a.user_id = ${staff.id} and a.event_id = ${events.id}))`
}

/** The same of what is repeated: nobody is asked to those one by one. */
export function repeatablesVisibleTo(staff: Staff): SQL {
  if (holds(staff, 'calendar:repeatable-event:update')) return sql`${repeatableEvents.deletedAt} is null`
  return sql`${repeatableEvents.deletedAt} is null and (${repeatableEvents.departmentId} is null
    or ${repeatableEvents.departmentId} = ${staff.departmentId} or ${repeatableEvents.organizerId} = ${staff.id})`
}
