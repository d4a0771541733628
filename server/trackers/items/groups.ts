import { closed, type Group } from '@innkeeper/contract/trackers/values'
import { type SQL, sql } from 'drizzle-orm'

/**
 * Columns of items whose status belongs to another group now. Whoever opens many items at once by a setting gets the same
 * as somebody who opens one: an open item is not archived, and its assignee has not left.
 */
export function inGroup(given: Group | null): SQL {
  const group = given ?? 'open'
  if (closed.includes(group)) return sql`status_group = ${group}, completed_at = coalesce(completed_at, now())`
  return sql`status_group = ${group}, completed_at = null, archived_at = null,
    assignee_id = (select u.user_id from users u where u.user_id = assignee_id and u.deleted_at is null)`
}
