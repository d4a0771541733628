import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { retain } from '../../kit/work/retention.ts'
import { good, openBackups } from './test/backups.ts'

let b: Awaited<ReturnType<typeof openBackups>>
let website: number
beforeAll(async () => {
  b = await openBackups()
  website = await b.s.site('kept.example', b.web)
})
afterAll(() => b?.t.close())

/** Makes a backup and says that all of it happened so many days ago. */
async function backupOf(days: number): Promise<number> {
  b.outputs['backup-files.run'] = good(days)
  const asked = { websiteId: website, backupServerId: b.backupServer, kind: 'file' }
  const { body } = await b.s.call('POST', '/backups/backups', asked)
  const id = Number(body.data.id)
  await b.work()
  const back = sql`make_interval(days => ${days}::int)`
  const { db } = b.t.app
  await db.execute(sql`update backup_logs set at = at - ${back}
    where backup_task_id in (select backup_task_id from backup_tasks where backup_id = ${id})`)
  await db.execute(
    sql`update backup_tasks set created_at = created_at - ${back}, ended_at = ended_at - ${back} where backup_id = ${id}`,
  )
  await db.execute(sql`update workflows set started_at = started_at - ${back}, ended_at = ended_at - ${back}
    where workflow_id = (select workflow_id from backups where backup_id = ${id})`)
  await db.execute(sql`update backups set created_at = created_at - ${back} where backup_id = ${id}`)
  return id
}

const removed = (id: number) => b.t.app.db.execute(sql`update backups set deleted_at = now() where backup_id = ${id}`)

/** What is left of a backup, as the names of its tables. */
async function left(id: number, workflow: number): Promise<string[]> {
  const found = await rows<{ name: string }>(
    b.t.app.db,
    sql`select 'backup' as name from backups where backup_id = ${id}
      union all select 'task' from backup_tasks where backup_id = ${id}
      union all select 'log' from backup_logs where website_id = ${website} and backup_task_id in
        (select backup_task_id from backup_tasks where backup_id = ${id}) group by 1
      union all select 'workflow' from workflows where workflow_id = ${workflow}`,
  )
  return found.map(({ name }) => name)
}

const workflowOf = async (id: number) =>
  (await rows<{ id: number }>(b.t.app.db, sql`select workflow_id as id from backups where backup_id = ${id}`))[0]!.id

test('the history of backups leaves in time, and a backup that exists or was restored stays', async () => {
  const ages = { young: 30, lines: 100, old: 400, kept: 401, restored: 402 }
  const ids = new Map<string, [id: number, workflow: number]>()
  for (const [name, days] of Object.entries(ages)) {
    const id = await backupOf(days)
    ids.set(name, [id, await workflowOf(id)])
  }
  const of = (name: keyof typeof ages) => ids.get(name)!
  for (const name of ['young', 'lines', 'old', 'restored'] as const) await removed(of(name)[0])
  await b.t.app.db.execute(sql`insert into backup_restores (backup_id, website_id, domain, scope, started_by)
    values (${of('restored')[0]}, ${website}, 'kept.example', 'full', 'Somebody')`)
  expect(await left(...of('old'))).toEqual(['backup', 'task', 'log', 'workflow'])
  await retain(b.t.app)
  expect(await left(...of('young'))).toEqual(['backup', 'task', 'log', 'workflow'])
  expect(await left(...of('lines'))).toEqual(['backup', 'task', 'workflow'])
  expect(await left(...of('old'))).toEqual([])
  // the workflow of a backup that exists is its history
  expect(await left(...of('kept'))).toEqual(['backup', 'workflow'])
  expect(await left(...of('restored'))).toEqual(['backup', 'workflow'])
})
