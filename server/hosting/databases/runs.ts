import type { databases as contract } from '@innkeeper/contract/hosting/databases/calls'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { readRunsOf } from '../../machines/workflows/runs.ts'

/** Condition for the latest workflow of each database and account, of these websites or of all. */
const latest = (websiteIds?: number[]): SQL => {
  const some = websiteIds ? sql`and website_id in (${sql.join(websiteIds, sql`, `)})` : sql``
  return sql`kind like 'database%' and workflow_id in (
    select workflow_id from databases where workflow_id is not null ${some}
    union select workflow_id from database_users where workflow_id is not null ${some})`
}

export const runsHandlers: Pick<Handlers<typeof contract>, 'runs' | 'dismiss' | 'dismissAll'> = {
  runs: async ({ websiteIds }, { db }) =>
    websiteIds && !websiteIds.length ? { items: [], total: 0 } : readRunsOf(db, latest(websiteIds)),

  async dismiss({ id }, { db, staff, audit }) {
    const [known] = await rows<{ websiteId: number; going: boolean }>(
      db,
      sql`select subject_id as "websiteId", status in ('running', 'waiting') as going from workflows
        where workflow_id = ${id} and kind like 'database%' and dismissed_at is null`,
    )
    if (!known) throw notFound('run', id)
    if (known.going) throw conflict('The task is running: wait for its end')
    audit.of('website', known.websiteId)
    audit.workflow(id)
    await db.execute(
      sql`update workflows set dismissed_at = now(), dismissed_by = ${staff.name} where workflow_id = ${id}`,
    )
    await changed(db, 'databases')
  },

  async dismissAll({ ids, websiteIds }, { db, staff, audit }) {
    if (websiteIds && !websiteIds.length) return
    if (ids) await checkEnded(db, ids)
    const these = ids ? sql`and workflow_id in (${sql.join(ids, sql`, `)})` : sql``
    const gone = await rows<{ id: number }>(
      db,
      sql`update workflows set dismissed_at = now(), dismissed_by = ${staff.name}
        where ${latest(websiteIds)} ${these} and dismissed_at is null and status not in ('running', 'waiting')
        returning workflow_id as id`,
    )
    audit.after({ dismissed: gone.map(({ id }) => id) })
    await changed(db, 'databases')
  },
}

/** Throws a 422 for a run that does not exist, and a 409 for one that goes on. */
async function checkEnded(db: Db, ids: readonly number[]): Promise<void> {
  const found = await rows<{ id: number; going: boolean }>(
    db,
    sql`select workflow_id as id, status in ('running', 'waiting') as going from workflows
      where workflow_id = any(${sql.param([...ids])}::int[]) and kind like 'database%'`,
  )
  const gone = ids.find((id) => !found.some((run) => run.id === id))
  if (gone !== undefined) throw refused(`There is no task ${gone}`, { ids: `No task ${gone}` })
  const running = found.find(({ going }) => going)
  if (running) throw conflict(`Task ${running.id} is running: wait for its end`)
}
