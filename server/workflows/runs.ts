import type { WorkflowWithActions } from '@innkeeper/contract/workflows'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../kit/db.ts'
import { withActions } from './read.ts'

const SHOWN = 50

/** The newest workflows of a thing that nobody dismissed from its page. */
export async function readRuns(
  db: Db,
  subjectType: string,
  subjectId: number,
): Promise<{ items: WorkflowWithActions[]; total: number }> {
  const found = await rows<{ id: number }>(
    db,
    sql`select workflow_id as id from workflows
      where subject_type = ${subjectType} and subject_id = ${subjectId} and dismissed_at is null
      order by workflow_id desc limit ${SHOWN}`,
  )
  const items = await withActions(
    db,
    found.map(({ id }) => id),
  )
  return { items, total: items.length }
}
