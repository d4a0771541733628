import type { WorkflowWithActions } from '@innkeeper/contract/machines/workflows'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { withActions } from './read.ts'

const SHOWN = 50

type Runs = { items: WorkflowWithActions[]; total: number }

/** The newest workflows of a subject that nobody has dismissed from its page. */
export const readRuns = (db: Db, subjectType: string, subjectId: number): Promise<Runs> =>
  readRunsOf(db, sql`subject_type = ${subjectType} and subject_id = ${subjectId}`)

/** As `readRuns`, for the rows of `workflows` that match `which`. */
export async function readRunsOf(db: Db, which: SQL): Promise<Runs> {
  const found = await rows<{ id: number }>(
    db,
    sql`select workflow_id as id from workflows where ${which} and dismissed_at is null
      order by workflow_id desc limit ${SHOWN}`,
  )
  const items = await withActions(
    db,
    found.map(({ id }) => id),
  )
  return { items, total: items.length }
}
