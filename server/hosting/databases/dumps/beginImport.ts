import type { DatabaseImport } from '@innkeeper/contract/hosting/databases/dumps'
import { eq, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { notFound, refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { type PlanStep, step } from '../../../kit/work/action.ts'
import { start } from '../../../kit/work/workflow.ts'
import { stepsIn } from '../../websites/parts/parts.ts'
import { readSite } from '../../websites/site.ts'
import { startOn } from '../../websites/startWorkflow.ts'
import { readWebsite } from '../../websites/view.ts'
import { dumpDrop } from '../actions.ts'
import { readDatabase } from '../read.ts'
import { databaseImports, databases } from '../tables.ts'
import { fileOf, onDump } from './steps.ts'
import { readImport } from './view.ts'

/** Marks an import as discarded, and deletes its dump from the server that has it. */
export async function discard(db: Db, found: DatabaseImport, by: { id: number | null; name: string }) {
  const serverId = await serverOf(db, found)
  await db
    .update(databaseImports)
    .set({ status: 'discarded', ...nextVersion })
    .where(eq(databaseImports.id, found.id))
  await changed(db, 'databases', found.databaseId)
  if (!serverId) return {}
  const { databaseId: id, databaseName: name } = found
  const workflowId = await start(db, {
    kind: 'database.discard-dump',
    subject: { type: 'database', id, name },
    holder: by.name,
    startedById: by.id,
    plan: [step(dumpDrop, { file: fileOf(found.id) }, onDump({ id, name, serverId }))],
    locks: [],
  })
  return { workflowId }
}
/** Locks and reads an import, so that two calls cannot begin the same one. */
export async function locked({ db, audit }: Context, id: number, version?: number): Promise<DatabaseImport> {
  await db.execute(sql`select 1 from database_imports where database_import_id = ${id} for update`)
  const found = await readImport(db, id)
  if (found.status === 'discarded') throw notFound('import', id)
  audit.of('database', found.databaseId)
  checkVersion(found, version, found.fileName)
  return found
}
/** A database whose contents may change now, with its website. */
export async function changeable(db: Db, id: number) {
  const database = await readDatabase(db, id)
  if (database.status !== 'active') throw refused(`${database.name} is ${database.status}`)
  const { status, domain } = await readWebsite(db, database.websiteId)
  if (status !== 'active' && status !== 'suspended')
    throw refused(`${domain} is ${status}: dumps can be imported only while it is active or suspended`)
  const site = await readSite(db, database.websiteId)
  return { database, site, isOpen: status === 'active', forget: await stepsIn('forget', db, site) }
}
export function confirmed(typed: string, name: string): void {
  if (typed !== name) throw refused(`${typed} is not ${name}`, { name: `Type ${name}` })
}
/** The server that has the dump; undefined if the dump was never copied to a server. */
export async function serverOf(db: Db, { id, databaseId }: DatabaseImport): Promise<number | undefined> {
  const [found] = await rows<{ serverId: number }>(
    db,
    sql`select server_id as "serverId" from actions where resource_type = 'database-dump' and resource_id = ${databaseId}
      and name = 'dump.fetch' and input ->> 'file' = ${fileOf(id)} order by action_id desc limit 1`,
  )
  return found?.serverId
}
/** Starts a workflow on the website. It locks the website against other changes. */
export async function beginImport(context: Context, wanted: DatabaseImport, plan: PlanStep[]) {
  const { db, staff, audit } = context
  const { domain } = await readWebsite(db, wanted.websiteId)
  const site = { id: wanted.websiteId, domain }
  const locks = [`database-dump:${wanted.databaseId}`]
  const workflowId = await startOn(db, site, 'database.import', plan, staff, { locks })
  await db.update(databases).set({ workflowId }).where(eq(databases.id, wanted.databaseId))
  await db
    .update(databaseImports)
    .set({ status: 'importing', reason: null, workflowId, ...nextVersion })
    .where(eq(databaseImports.id, wanted.id))
  const data = await readImport(db, wanted.id)
  audit.of('database', wanted.databaseId)
  audit.workflow(workflowId)
  audit.after({ ...data, look: undefined })
  await changed(db, 'databases', wanted.databaseId)
  return { data, workflowId }
}
/** Starts a workflow without a lock on the website. */
export async function beginDump(context: Context, id: number, kind: string, plan: PlanStep[], locks: string[]) {
  const { db, staff, audit } = context
  const { databaseId, databaseName: name } = await readImport(db, id)
  const workflowId = await start(db, {
    kind,
    subject: { type: 'database', id: databaseId, name },
    holder: staff.name,
    startedById: staff.id,
    plan,
    locks,
  })
  await db.update(databaseImports).set({ workflowId }).where(eq(databaseImports.id, id))
  const data = await readImport(db, id)
  audit.of('database', databaseId)
  audit.workflow(workflowId)
  audit.after(data)
  await changed(db, 'databases', databaseId)
  return { data, workflowId }
}
