import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { rollBackWhen } from '../../kit/work/workflow.ts'

/**
 * True if a workflow has closed its website for maintenance and not reopened it, or if the website answered before the
 * changes of the workflow and no longer does.
 */
export async function isDown(tx: Db, id: number): Promise<boolean> {
  const [found] = await rows<{ down: boolean }>(
    tx,
    sql`select coalesce(bool_or(input ->> 'state' = 'maintenance' and attempt > 0)
          and not bool_or(coalesce(input ->> 'beforeState', input ->> 'before') = 'maintenance' and status = 'done'), false)
        or coalesce(bool_or(name = 'website.probe-before' and output ->> 'served' = 'true')
          and bool_or(name = 'website.probe' and status = 'failed'), false) as down
      from actions where workflow_id = ${id}
        and name in ('nginx-site.ensure', 'apache-site.ensure', 'nginx-site.rename', 'apache-site.rename',
          'website.probe-before', 'website.probe')`,
  )
  return found?.down === true
}

/** Makes workflows of this kind roll back automatically if they fail while visitors get 503, or errors that are new. */
export const opensAgain = (kind: string) => rollBackWhen(kind, (tx, { id }) => isDown(tx, id))
