import type { archiveImports as contract } from '@innkeeper/contract/recovery/archiveImports/calls'
import { eq, sql } from 'drizzle-orm'
import { findFile } from '../../desk/files/view.ts'
import { findServer, type Problems } from '../../hosting/systemUsers/place.ts'
import { noteMaker } from '../../hosting/websites/arriving.ts'
import type { App } from '../../kit/app/app.ts'
import type { Db } from '../../kit/db/db.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { conflict, invalid, refused } from '../../kit/http/errors.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { type PlanStep, type Resource, secret, setting, step } from '../../kit/work/action.ts'
import { cancel, insertLatest, pause, resume, start } from '../../kit/work/workflow.ts'
import { packagesEnsure } from '../../machines/servers/actions.ts'
import { noteWorkflow } from '../../net/mailboxes/arriving.ts'
import { addressOf, archiveDownload, archiveDrop, archiveFetch, archiveLook, loginOf } from './actions.ts'
import { cutOver } from './cutOver/handler.ts'
import { type Asked, type Drawn, draw } from './drawing/draw.ts'
import { endFetches, lateMailHandlers } from './lateMail/handlers.ts'
import { listImports } from './list.ts'
import { makeAgain } from './making/again.ts'
import { make } from './making/make.ts'
import { dropPasswords } from './newPasswords/bring.ts'
import { passwordLinkHandlers } from './newPasswords/handlers.ts'
import { archiveImports } from './tables.ts'
import { held, nameOf, readImport, rowOf, viewImport } from './view.ts'

export const archiveImportsHandlers: Handlers<typeof contract> = {
  list: listImports,
  one: ({ id }, { db }) => viewImport(db, id),

  async look({ serverId, path, fileId, address, login, hostKey, domain }, context) {
    const { app, db, staff } = context
    if ([path, fileId, address].filter((one) => one !== undefined).length !== 1)
      throw invalid({ [path === undefined ? 'path' : 'fileId']: 'Type a path or an address, or choose a file' })
    const isSftp = address?.startsWith('sftp:') ?? false
    if (isSftp !== (login !== undefined))
      throw refused('A password or a private key belongs to an address with SFTP', {
        login: isSftp ? 'SFTP needs a password or a private key' : 'Only an address with SFTP has one',
      })
    await checkServer(db, serverId)
    const file = fileId === undefined ? undefined : await findFile(db, staff, fileId)
    if (file?.size === 0) throw refused(`${file.name} is empty`, { fileId: 'Is empty' })
    const [made] = await db
      .insert(archiveImports)
      .values({
        serverId,
        source: file ? 'upload' : address ? 'address' : 'path',
        fileName: file?.name ?? path ?? withoutQuery(address ?? ''),
        staffName: staff.name,
        createdBy: staff.id,
      })
      .returning()
    if (!made) throw new Error('an insert answered no row')
    const { id } = made
    const on = { server: serverId, resource: { type: 'archive-import', id, name: nameOf(made) } }
    const plan = [
      ...(file
        ? [step(archiveFetch, { importId: id, blob: { key: file.path, size: file.size, sha256: file.sha256 } }, on)]
        : []),
      ...(address === undefined ? [] : await download(app, db, { id, address, login, hostKey }, on)),
      step(archiveLook, { importId: id, ...(path !== undefined && { archive: path }), ...(domain && { domain }) }, on),
    ]
    return begin(context, made, 'archive-import.look', plan)
  },

  async plan({ id, userId, plan, replace }, { db }) {
    const { lines, problems, username } = await drawn(db, await rowOf(db, id), {
      ...{ ownerId: userId, planId: plan, replace },
    })
    return { lines, problems, username: username ?? null }
  },

  async start({ id, version, userId, plan: planId, leaveOut, replace }, context) {
    const { db, audit } = context
    const row = await held(context, id, version)
    if (row.status !== 'ready' && row.status !== 'rolled-back')
      throw refused(`This import is ${row.status}: only an archive that was looked at can be imported`)
    const made = await drawn(db, row, { ownerId: userId, planId, leaveOut, replace })
    if (Object.keys(made.problems).length) throw refused(Object.values(made.problems).join('\n'), made.problems)
    if (made.lines.every(({ verdict }) => verdict === 'left out'))
      throw refused('Nothing of the archive would be imported', { leaveOut: 'Leaves out everything' })
    audit.before({ status: row.status })
    const {
      steps,
      locks,
      pauseAfter,
      begun,
      made: things,
      of,
    } = await (isAgain(made)
      ? makeAgain(context, row, made)
      : make({ context, row, drawn: made, choices: { ownerId: userId, planId } }))
    await db
      .update(archiveImports)
      .set({ status: 'importing', ownerId: userId, plan: made.lines, made: things, report: null, reason: null })
      .where(eq(archiveImports.id, id))
    const answer = await begin(context, row, 'archive-import.run', steps, { locks, pauseAfter })
    const { workflowId } = answer
    await begun(workflowId)
    await noteMaker(
      db,
      things.websites.flatMap((one) => [one.id, ...one.aliases]),
      workflowId,
    )
    if (things.mailboxes.length)
      await noteWorkflow(
        db,
        things.mailboxes.map((one) => one.id),
        workflowId,
      )
    await db.execute(
      insertLatest(sql`(select a.action_id, a.workflow_id, a.server_id, a.resource_type, a.resource_id, m.website_id from actions a
        join jsonb_to_recordset(${JSON.stringify(of)}::jsonb) as m (resource_type text, resource_id int, website_id int)
          on m.resource_type = a.resource_type and m.resource_id = a.resource_id
        where a.workflow_id = ${workflowId}) made`),
    )
    return answer
  },

  async accept({ id }, context) {
    const { db } = context
    const row = await held(context, id)
    if (row.status !== 'verified' || row.workflowId === null)
      throw refused(`This import is ${row.status}: only a verified import can be accepted`)
    if (!(await resume(db, row.workflowId)))
      throw conflict('Somebody else has just accepted or rolled back this import')
    await db
      .update(archiveImports)
      .set({ status: 'importing', ...nextVersion })
      .where(eq(archiveImports.id, id))
    return answered(context, id, row.workflowId)
  },

  async pause({ id }, context) {
    const { db } = context
    const row = await held(context, id)
    if (row.status !== 'importing' || row.workflowId === null)
      throw refused(`This import is ${row.status}: only a running one can be paused`)
    if ((await readImport(db, id)).undoing) throw refused('This import is being rolled back')
    if (!(await pause(db, row.workflowId))) throw conflict('This import is paused already')
    return answered(context, id, row.workflowId)
  },

  async resume({ id }, context) {
    const row = await held(context, id)
    const { paused } = await readImport(context.db, id)
    if (!paused || row.workflowId === null || !(await resume(context.db, row.workflowId)))
      throw refused('This import is not paused')
    return answered(context, id, row.workflowId)
  },

  async rollBack({ id }, context) {
    const { db, staff } = context
    const row = await held(context, id)
    const { paused } = await readImport(db, id)
    if (!(paused || ['verified', 'failed'].includes(row.status)) || row.workflowId === null)
      throw refused(`This import is ${row.status}: there is nothing to roll back`)
    // before the roll back, which is over at once if no step had begun
    await db
      .update(archiveImports)
      .set({ status: 'importing', ...nextVersion })
      .where(eq(archiveImports.id, id))
    if (!(await cancel(db, row.workflowId, staff.name)))
      throw conflict('This import has ended or is already being rolled back')
    return answered(context, id, row.workflowId)
  },

  cutOver,
  ...lateMailHandlers,
  ...passwordLinkHandlers,

  async remove({ id }, context) {
    const { db, staff, audit } = context
    const row = await held(context, id)
    if (row.status === 'looking' || row.status === 'importing' || row.status === 'verified' || row.status === 'failed')
      throw refused(`This import is ${row.status}: end it first`)
    audit.before({ fileName: row.fileName, status: row.status })
    if (row.made) await endFetches(db, row.made)
    await dropPasswords(db, id)
    await db.delete(archiveImports).where(eq(archiveImports.id, id))
    const workflowId = await start(db, {
      ...{
        kind: 'archive-import.drop',
        subject: { type: 'archive-import', id, name: nameOf(row) },
        locks: [`archive-import:${id}`],
      },
      ...{ holder: staff.name, startedById: staff.id },
      plan: [
        step(
          archiveDrop,
          { importId: id },
          { server: row.serverId, resource: { type: 'archive-import', id, name: nameOf(row) } },
        ),
      ],
    })
    audit.workflow(workflowId)
    await changed(db, 'archiveImports', id)
  },
}

/** An address may have a key after its question mark: nobody reads it in a list. */
const withoutQuery = (address: string) => address.split('?')[0] ?? ''

/** Steps that fetch an archive. What opens the other server is in a secret until the look has ended. */
async function download(
  app: App,
  db: Db,
  of: { id: number; address: string; login?: string | undefined; hostKey?: string | undefined },
  on: { server: number; resource: Resource },
): Promise<PlanStep[]> {
  const { id, address, login, hostKey } = of
  if (login !== undefined) await app.secrets.write(db, loginOf(id), login)
  await app.secrets.write(db, addressOf(id), address)
  const input = {
    ...{ importId: id, from: secret(addressOf(id)) as unknown as string },
    privateTargets: setting('privateTargets') as unknown as string[], // filled in when the agent claims the action
    ...(login !== undefined && { login: secret(loginOf(id)) as unknown as string }),
    ...(hostKey !== undefined && { hostKey }),
  }
  return [
    ...(login === undefined ? [] : [step(packagesEnsure, { packages: ['openssh-client'] }, on)]),
    step(archiveDownload, input, on),
  ]
}

type Row = Awaited<ReturnType<typeof rowOf>>

async function checkServer(db: Db, serverId: number): Promise<void> {
  const problems: Problems = {}
  await findServer(db, serverId, problems)
  if (problems.originServer) throw refused(problems.originServer, { serverId: problems.originServer })
}

async function drawn(
  db: Db,
  { id: importId, serverId, inventory }: Row,
  choices: Omit<Asked, 'importId' | 'serverId' | 'inventory'>,
) {
  if (!inventory) throw refused('The archive was not looked at yet, or cannot be read')
  return draw(db, { importId, serverId, inventory, ...choices })
}

const isAgain = ({ again }: Drawn) => again.websites.length + again.mail.length + again.databases.length > 0

async function begin(
  context: Context,
  row: Row,
  kind: string,
  plan: Parameters<typeof start>[1]['plan'],
  { locks = [], pauseAfter }: { locks?: string[]; pauseAfter?: number } = {},
) {
  const { db, staff } = context
  const workflowId = await start(db, {
    ...{ kind, plan, pauseAfter, holder: staff.name, startedById: staff.id },
    subject: { type: 'archive-import', id: row.id, name: nameOf(row) },
    locks: [`archive-import:${row.id}`, ...locks],
  })
  await db
    .update(archiveImports)
    .set({ workflowId, ...nextVersion })
    .where(eq(archiveImports.id, row.id))
  return answered(context, row.id, workflowId)
}

async function answered({ db, audit }: Context, id: number, workflowId: number) {
  const data = await readImport(db, id)
  audit.of('archive-import', id)
  audit.workflow(workflowId)
  audit.after(data)
  await changed(db, 'archiveImports', id)
  return { data, workflowId }
}
