import { sql } from 'drizzle-orm'
import { type Db, rows } from '../kit/db/db.ts'
import { retreatWhen } from '../kit/work/workflow.ts'

/** Whether a workflow has closed its website and not opened it again. */
async function isClosed(tx: Db, id: number): Promise<boolean> {
  const [found] = await rows<{ closed: boolean }>(
    tx,
    sql`select bool_or(input ->> 'state' = 'maintenance' and attempt > 0)
        and not bool_or(input ->> 'before' = 'maintenance' and status = 'done') as closed
      from actions where workflow_id = ${id} and name in ('nginx-site.ensure', 'apache-site.ensure')`,
  )
  return found?.closed === true
}

/** A workflow of this kind rolls back by itself when it fails while visitors get 503. */
export const opensAgain = (kind: string) => retreatWhen(kind, (tx, { id }) => isClosed(tx, id))
