import type { databases as contract } from '@innkeeper/contract/hosting/databases/calls'
import { type DumpFinding, MOST_DUMP_BYTES } from '@innkeeper/contract/hosting/databases/dumps'
import { eq, sql } from 'drizzle-orm'
import { findFile } from '../../../desk/files/view.ts'
import { rows } from '../../../kit/db/db.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { invalid, refused } from '../../../kit/http/errors.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { step } from '../../../kit/work/action.ts'
import { checkDisk } from '../../plans/room.ts'
import { withinHome } from '../../websites/folders.ts'
import { dumpFetch, dumpLook } from '../actions.ts'
import { readDatabase } from '../read.ts'
import { engineOf } from '../steps.ts'
import { databaseImports } from '../tables.ts'
import { accountsOn } from '../trash.ts'
import { beginDump, beginImport, changeable, confirmed, discard, locked, serverOf } from './beginImport.ts'
import { BEFORE, beforeOf, fileOf, importSteps, onDump, scratchOf } from './steps.ts'
import { exportsOf, importsOf, readImport } from './view.ts'

type Calls = 'dumps' | 'lookAtDump' | 'readDumpAs' | 'importDump' | 'revertImport' | 'discardImport'

/** Names that are read as the database of an import. */
const MOST_FORMER = 20

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
    const within = path === undefined ? undefined : withinHome(site, path)
    if (path !== undefined && within === undefined)
      throw refused(`${path} is not in /home/${site.systemUser.username}`, { path: 'Belongs to another account' })
    await checkDisk(db, site.systemUser.id, fileId === undefined ? 'path' : 'fileId')
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
      : { home: { username: site.systemUser.username, path: within ?? '' } }
    const on = onDump(database)
    const plan = [
      step(dumpFetch, { file: name, ...from }, on),
      step(
        dumpLook,
        { ...engineOf(database), file: name, mostBytes: MOST_DUMP_BYTES, scratch: scratchOf(made.id, database) },
        on,
      ),
    ]
    return beginDump(context, made.id, 'database.look', plan, [`database-dump:${id}`])
  },

  async readDumpAs({ id, version, former }, context) {
    const { db } = context
    const wanted = await locked(context, id, version)
    const { look } = wanted
    if ((wanted.status !== 'ready' && wanted.status !== 'failed') || !look)
      throw refused(`This import is ${wanted.status}: read the dump first`)
    const isFound = ({ topic, what }: DumpFinding) => topic === 'other database' && what === former
    const readAs = look.readAs ?? []
    if (!look.findings.some(isFound)) throw refused(`The dump names no database ${former}`, { former: 'Is not named' })
    if (readAs.length >= MOST_FORMER) throw refused(`At most ${MOST_FORMER} names`, { former: 'Too many' })
    const { database } = await changeable(db, wanted.databaseId)
    if (database.engine !== 'mariadb') throw refused('Only dumps of MariaDB and MySQL name databases before tables')
    if ((await serverOf(db, wanted)) !== database.serverId)
      throw refused(`${database.name} has moved to ${database.serverName} since: look at the dump again`)
    await db
      .update(databaseImports)
      .set({ status: 'looking', ...nextVersion })
      .where(eq(databaseImports.id, id))
    const again = {
      file: fileOf(id),
      mostBytes: MOST_DUMP_BYTES,
      readAs: [...readAs, former],
      scratch: scratchOf(id, database),
    }
    const plan = [step(dumpLook, { ...engineOf(database), ...again }, onDump(database))]
    context.status(202)
    return beginDump(context, id, 'database.look', plan, [`database-dump:${database.id}`])
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
    const foreign = {
      ...{ file: fileOf(id), sha256: look.sha256, mostBytes: MOST_DUMP_BYTES, definer: owner.username },
      ...(look.readAs?.length && { readAs: look.readAs }),
    }
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
