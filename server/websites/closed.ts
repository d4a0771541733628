import { sql } from 'drizzle-orm'
import { type Db, rows } from '../kit/db/db.ts'
import { retreatWhen } from '../kit/work/workflow.ts'

/** True if a workflow has closed its website for maintenance and not reopened it. */
async function isClosed(tx: Db, id: number): Promise<boolean> {
  const [found] = await rows<{ closed: boolean }>(
    tx,
    sql`select bool_or(input ->> 'state' = 'maintenance' and attempt > 0)
        and not bool_or(input ->> 'before' = 'maintenance' and status = 'done') as closed
      from actions where workflow_id = ${id} and name in ('nginx-site.ensure', 'apache-site.ensure')`,
  )
  return found?.closed === true
}

/** Makes workflows of this kind roll back automatically if they fail while visitors get 503. */
export const opensAgain = (kind: string) => retreatWhen(kind, (tx, { id }) => isClosed(tx, id))
