import { closed, type Group } from '@innkeeper/contract/desk/trackers/values'
import { type SQL, sql } from 'drizzle-orm'

/**
 * Columns of items whose status now belongs to another group. Reopening many items by a setting has the same effect as
 * reopening one item: it leaves the archive, is no duplicate any more,
 * and a deleted assignee is removed.
 */
export function inGroup(given: Group | null): SQL {
  const group = given ?? 'open'
  if (closed.includes(group)) return sql`status_group = ${group}, completed_at = coalesce(completed_at, now())`
  return sql`status_group = ${group}, completed_at = null, archived_at = null, duplicate_of_id = null,
    assignee_id = (select u.user_id from users u where u.user_id = assignee_id and u.deleted_at is null)`
}
