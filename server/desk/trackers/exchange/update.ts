import { sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import type { Former } from './tables.ts'

/** Sets the columns that an import may change of each item, in one statement. */
export async function setColumns(db: Db, items: readonly { id: number; values: Former }[]): Promise<void> {
  if (!items.length) return
  const text = JSON.stringify(items.map(({ id, values }) => ({ ...values, id })))
  await db.execute(sql`update tracker_items i set title = r.title, description = r.description, steps = r.steps,
      expected = r.expected, status_id = r.status_id, status_group = r.status_group, priority_id = r.priority_id,
      urgency = r.urgency, component_id = r.component_id, folder_id = r.folder_id, department_id = r.department_id,
      assignee_id = r.assignee_id, due_on = r.due_on, estimate_minutes = r.estimate_minutes,
      completed_at = r.completed_at, archived_at = r.archived_at, duplicate_of_id = r.duplicate_of_id,
      version = i.version + 1, updated_at = now()
    from json_to_recordset(${text}::json) as r(id int, title text, description text, steps text, expected text,
      status_id int, status_group text, priority_id int, urgency smallint, component_id int, folder_id int,
      department_id int, assignee_id int, due_on date, estimate_minutes int, completed_at timestamptz,
      archived_at timestamptz, duplicate_of_id int)
    where i.tracker_item_id = r.id`)
}
