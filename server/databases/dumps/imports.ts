import type { databases as contract } from '@innkeeper/contract/databases'
import { type DatabaseImport, MOST_DUMP_BYTES } from '@innkeeper/contract/databases/dumps'
import { eq, sql } from 'drizzle-orm'
import { findFile } from '../../files/view.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { invalid, notFound, refused } from '../../kit/http/errors.ts'
import { checkVersion, risen } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { type PlanStep, step } from '../../kit/work/action.ts'
import { start } from '../../kit/work/workflow.ts'
import { stepsIn } from '../../websites/parts/parts.ts'
import { readSite } from '../../websites/site.ts'
import { startOn } from '../../websites/startWorkflow.ts'
import { readWebsite } from '../../websites/view.ts'
import { dumpDrop, dumpFetch, dumpLook } from '../actions.ts'
import { readDatabase } from '../read.ts'
import { engineOf } from '../steps.ts'
import { databaseImports, databases } from '../tables.ts'
import { accountsOn } from '../trash.ts'
import { BEFORE, beforeOf, fileOf, importSteps, onDump } from './steps.ts'
import { exportsOf, importsOf, readImport } from './view.ts'

type Calls = 'dumps' | 'lookAtDump' | 'importDump' | 'revertImport' | 'discardImport'

export const importHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async dumps({ id }, { db }) {
    await readDatabase(db, id)
    return { imports: await importsOf(db, id), exports: await exportsOf(db, id) }
  },

  async lookAtDump({ id, fileId, path }, context) {
    const { db, staff } = context
    const { database, site } = await changeable(db, id)
    if ((fileId === undefined) === (path === undefined))
      throw invalid({ [fileId === undefined ? 'fileId' : 'path']: 'Choose a file or type a path' })
    const file = fileId === undefined ? undefined : await findFile(db, staff, fileId)
    if (file?.size === 0) throw refused(`${file.name} is empty`, { fileId: 'Is empty' })
    const [made] = await db
      .insert(databaseImports)
      .values({
        databaseId: id,
        source: file ? 'upload' : 'folder',
        fileName: file?.name ?? path ?? '',
        size: file?.size,
        status: 'looking',
        staffName: staff.name,
        createdBy: staff.id,
      })
      .returning({ id: databaseImports.id })
    if (!made) throw new Error('an insert answered no row')
    const name = fileOf(made.id)
    const from = file
      ? { blob: { key: file.path, size: file.size, sha256: file.sha256 } }
      : { home: { username: site.systemUser.username, path: path ?? '' } }
    const on = onDump(database)
    const plan = [
      step(dumpFetch, { file: name, ...from }, on),
      step(dumpLook, { ...engineOf(database), file: name, mostBytes: MOST_DUMP_BYTES }, on),
    ]
    return beginDump(context, made.id, 'database.look', plan, [`database-dump:${id}`])
  },

  async importDump({ id, version, name }, context) {
    const { db, app, audit } = context
    const wanted = await locked(context, id, version)
    if (wanted.status !== 'ready' && wanted.status !== 'failed') throw refused(`This import is ${wanted.status}`)
    const { look } = wanted
    if (!look) throw refused('This dump cannot be imported: reading it failed')
    const bad = look.findings.filter(({ effect }) => effect === 'refused')
    if (bad.length)
      throw refused(
        `The dump is refused: ${bad.map(({ topic, what }) => `${topic}, ${what}`).join('; ')}`.slice(0, 1000),
      )
    const { database, ...open } = await changeable(db, wanted.databaseId)
    confirmed(name, database.name)
    if ((await serverOf(db, wanted)) !== database.serverId)
      throw refused(`${database.name} has moved to ${database.serverName} since: look at the dump again`)
    const accounts = (await accountsOn(db, database.id)).filter(({ host }) => host === 'localhost')
    const isAll = ({ grants }: (typeof accounts)[number]) =>
      grants.some((one) => one.database === database.name && one.privileges === 'all')
    const owner = accounts.find(isAll) ?? accounts[0]
    if (!owner)
      throw refused(
        `${database.name} has no account of its own server, as which views and triggers could run: create one first`,
      )
    const foreign = { file: fileOf(id), sha256: look.sha256, mostBytes: MOST_DUMP_BYTES, definer: owner.username }
    const keepDays = app.settings.trashDays
    audit.before({ status: wanted.status })
    return beginImport(context, wanted, importSteps({ id, database, from: { foreign }, ...open, keepDays }))
  },

  async revertImport({ id, version, name }, context) {
    const { db, app, staff, now } = context
    const done = await locked(context, id, version)
    if (done.status !== 'done') throw refused(`This import is ${done.status}`)
    if (!done.beforeUntil || Date.parse(done.beforeUntil) < now.getTime())
      throw refused('The former contents are no longer in the trash')
    const { database, ...open } = await changeable(db, done.databaseId)
    confirmed(name, database.name)
    const taken = await rows<{ id: number; serverId: number }>(
      db,
      sql`select action_id::float8 as id, server_id as "serverId" from actions where workflow_id = ${done.workflowId}
        and name = 'database.remove' and resource_type = ${BEFORE} and status = 'done'`,
    )
    const here = taken.filter(({ serverId }) => serverId === database.serverId)
    if (!here.length)
      throw refused(`The former contents are in the trash of another server than ${database.serverName}`)
    const [made] = await db
      .insert(databaseImports)
      .values({
        databaseId: database.id,
        source: 'before',
        revertsId: id,
        fileName: `Contents before ${done.fileName}`.slice(0, 250),
        status: 'importing',
        staffName: staff.name,
        createdBy: staff.id,
      })
      .returning({ id: databaseImports.id })
    if (!made) throw new Error('an insert answered no row')
    const former = { taken: here.map((one) => one.id), was: beforeOf(id) }
    const plan = importSteps({
      id: made.id,
      database,
      from: { former },
      ...open,
      keepDays: app.settings.trashDays,
    })
    return beginImport(context, await readImport(db, made.id), plan)
  },

  async discardImport({ id }, context) {
    const { db } = context
    const found = await locked(context, id)
    if (found.status !== 'ready' && found.status !== 'failed') throw refused(`This import is ${found.status}`)
    const { workflowId } = await discard(db, found, { id: context.staff.id, name: context.staff.name })
    if (workflowId) context.audit.workflow(workflowId)
  },
}

/** Marks an import as discarded, and deletes its dump from the server that has it. */
export async function discard(db: Db, found: DatabaseImport, by: { id: number | null; name: string }) {
  const serverId = await serverOf(db, found)
  await db
    .update(databaseImports)
    .set({ status: 'discarded', ...risen })
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
async function locked({ db, audit }: Context, id: number, version?: number): Promise<DatabaseImport> {
  await db.execute(sql`select 1 from database_imports where database_import_id = ${id} for update`)
  const found = await readImport(db, id)
  if (found.status === 'discarded') throw notFound('import', id)
  audit.of('database', found.databaseId)
  checkVersion(found, version, found.fileName)
  return found
}

/** A database whose contents may change now, with its website. */
async function changeable(db: Db, id: number) {
  const database = await readDatabase(db, id)
  if (database.status !== 'active') throw refused(`${database.name} is ${database.status}`)
  const { status, domain } = await readWebsite(db, database.websiteId)
  if (status !== 'active' && status !== 'suspended')
    throw refused(`${domain} is ${status}: dumps can be imported only while it is active or suspended`)
  const site = await readSite(db, database.websiteId)
  return { database, site, isOpen: status === 'active', forget: await stepsIn('forget', db, site) }
}

function confirmed(typed: string, name: string): void {
  if (typed !== name) throw refused(`${typed} is not ${name}`, { name: `Type ${name}` })
}

/** The server that has the dump; undefined if the dump was never copied to a server. */
async function serverOf(db: Db, { id, databaseId }: DatabaseImport): Promise<number | undefined> {
  const [found] = await rows<{ serverId: number }>(
    db,
    sql`select server_id as "serverId" from actions where resource_type = 'database-dump' and resource_id = ${databaseId}
      and name = 'dump.fetch' and input ->> 'file' = ${fileOf(id)} order by action_id desc limit 1`,
  )
  return found?.serverId
}

/** Starts a workflow on the website. It locks the website against other changes. */
async function beginImport(context: Context, wanted: DatabaseImport, plan: PlanStep[]) {
  const { db, staff, audit } = context
  const { domain } = await readWebsite(db, wanted.websiteId)
  const site = { id: wanted.websiteId, domain }
  const locks = [`database-dump:${wanted.databaseId}`]
  const workflowId = await startOn(db, site, 'database.import', plan, staff, { locks })
  await db.update(databases).set({ workflowId }).where(eq(databases.id, wanted.databaseId))
  await db
    .update(databaseImports)
    .set({ status: 'importing', reason: null, workflowId, ...risen })
    .where(eq(databaseImports.id, wanted.id))
  const data = await readImport(db, wanted.id)
  audit.of('database', wanted.databaseId)
  audit.workflow(workflowId)
  audit.after({ ...data, look: undefined })
  await changed(db, 'databases', wanted.databaseId)
  return { data, workflowId }
}

/** Starts a workflow without a lock on the website. */
async function beginDump(context: Context, id: number, kind: string, plan: PlanStep[], locks: string[]) {
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
