import type { backups as contract } from '@innkeeper/contract/recovery/backups/calls'
import { keepsNothing } from '@innkeeper/contract/recovery/backups/keep'
import { nextRun } from '@innkeeper/contract/recovery/backups/when'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { contains } from '../../../kit/db/page.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { conflict, invalid, notFound, refused } from '../../../kit/http/errors.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { step } from '../../../kit/work/action.ts'
import { start } from '../../../kit/work/workflow.ts'
import { servers } from '../../../machines/servers/tables.ts'
import { programEnsure, serverEnsure, serverRemove, storeLeave } from '../actions.ts'
import { given, pairOf } from '../list.ts'
import { shown, toForget } from '../repositories/maintenance.ts'
import { startForget, startPrune } from '../repositories/startMaintenance.ts'
import { backupServers } from '../tables.ts'
import { bucketsHandlers } from './buckets.ts'
import { endFailed, heldServer, usualKeep } from './held.ts'
import { readServer, readServersInOrder } from './view.ts'

type Calls = Handlers<typeof contract>
const name = sql`coalesce(backup_servers.name, (select s.name from servers s where s.server_id = backup_servers.server_id))`

export const serversHandlers = {
  ...bucketsHandlers,
  servers: (input, { db }) =>
    pairOf(
      db,
      input,
      {
        from: sql`${backupServers}`,
        where: given(isNull(backupServers.deletedAt), input.search !== undefined && contains(name, input.search)),
        key: backupServers.id,
        order:
          input.sort === 'createdAt'
            ? { column: backupServers.createdAt, type: 'instant', direction: 'DESC' }
            : { column: name, type: 'text', direction: 'ASC' },
      },
      readServersInOrder,
    ),
  server: ({ id }, { db }) => readServer(db, id),

  async createServer({ serverId, port, note, keep = usualKeep }, context) {
    const { db, staff, audit } = context
    const machine = await machineFor(db, serverId)
    if (keepsNothing(keep)) throw refused('This policy would remove every backup', { keep: 'Keep at least one' })
    const [made] = await db
      .insert(backupServers)
      .values({ serverId, port, note, keep, status: 'preparing', createdBy: staff.id })
      .returning({ id: backupServers.id })
    if (!made) throw new Error('an insert answered no row')
    const resource = { type: 'backup-server', id: made.id, name: machine.name }
    const on = { server: serverId, resource }
    const workflowId = await start(db, {
      ...{ kind: 'backup-server.prepare', subject: resource, holder: staff.name, startedById: staff.id },
      plan: [step(programEnsure, { server: true }, on), step(serverEnsure, { address: machine.address, port }, on)],
      locks: [`backup-server:${made.id}`],
    })
    await db.update(backupServers).set({ workflowId }).where(eq(backupServers.id, made.id))
    const data = await readServer(db, made.id)
    audit.of('backup-server', made.id)
    audit.workflow(workflowId)
    audit.after(data)
    await changed(db, 'backups')
    return { data, workflowId }
  },

  async updateServer({ id, version, note, keep, drillServerId }, context) {
    const { db, audit } = context
    await heldServer(context, id, version)
    if (drillServerId) await checkDrillServer(db, drillServerId)
    if (keep && keepsNothing(keep))
      throw refused('This policy would remove every backup', { keep: 'Keep at least one' })
    await db
      .update(backupServers)
      .set({ note, keep, drillServerId, ...nextVersion })
      .where(eq(backupServers.id, id))
    const after = await readServer(db, id)
    audit.after(after)
    await changed(db, 'backups')
    return after
  },

  async removeServer({ id, version }, context) {
    const { db, staff, audit } = context
    const server = await heldServer(context, id, version)
    if (server.repositories)
      throw refused(`${server.name} has ${server.repositories} repositories: delete them first, or keep the server`)
    const resource = { type: 'backup-server', id, name: server.name }
    const on = { server: server.serverId, resource }
    if (!server.address && !server.s3) throw refused(`${server.name} has no address`)
    if (server.status === 'failed') await endFailed(db, server.workflowId, staff.name)
    const workflowId = await start(db, {
      ...{ kind: 'backup-server.remove', subject: resource, holder: staff.name, startedById: staff.id },
      plan: [
        server.s3
          ? step(storeLeave, { what: server.name }, { resource })
          : step(serverRemove, { address: server.address ?? '', port: server.port }, on),
      ],
      locks: [`backup-server:${id}`],
    })
    await db
      .update(backupServers)
      .set({ status: 'removing', workflowId, ...nextVersion })
      .where(eq(backupServers.id, id))
    audit.workflow(workflowId)
    await changed(db, 'backups')
    return { workflowId }
  },

  async prune({ id, repositoryId, ...body }, context) {
    same(id, body.backupServerId)
    return startPrune(context.db, id, repositoryId, context.staff, context.audit)
  },
  async forget({ id, repositoryId, keep, expected, ...body }, context) {
    same(id, body.backupServerId)
    return startForget(context.db, id, { repositoryId, keep, expected }, context.staff, context.audit)
  },
  async forgetPreview({ id, repositoryId }, { db }) {
    await readServer(db, id)
    return shown(await toForget(db, id, { repositoryId }))
  },
  async schedulePrune({ id, when, ...body }, context) {
    same(id, body.backupServerId)
    const { db, audit, now } = context
    await heldServer(context, id, undefined)
    const set = { prune: when, pruneNextAt: when && nextRun(when, now).toISOString() }
    await db
      .update(backupServers)
      .set({ ...set, ...nextVersion })
      .where(eq(backupServers.id, id))
    const after = await readServer(db, id)
    audit.after(after)
    await changed(db, 'backups')
    return after
  },
  async scheduleForget({ id, when, keep, ...body }, context) {
    same(id, body.backupServerId)
    const { db, audit, now } = context
    await heldServer(context, id, undefined)
    if (keep && keepsNothing(keep))
      throw refused('This policy would remove every backup', { keep: 'Keep at least one' })
    const set = { forget: when, forgetNextAt: when && nextRun(when, now).toISOString(), ...(keep && { keep }) }
    await db
      .update(backupServers)
      .set({ ...set, ...nextVersion })
      .where(eq(backupServers.id, id))
    const after = await readServer(db, id)
    audit.after(after)
    await changed(db, 'backups')
    return after
  },
  async scheduleForgets({ when, keep }, { db, audit, now }) {
    if (keep && keepsNothing(keep))
      throw refused('This policy would remove every backup', { keep: 'Keep at least one' })
    const set = { forget: when, forgetNextAt: when && nextRun(when, now).toISOString(), ...(keep && { keep }) }
    const all = await db
      .update(backupServers)
      .set({ ...set, ...nextVersion })
      .where(isNull(backupServers.deletedAt))
      .returning({ id: backupServers.id })
    audit.after({ when, servers: all.map(({ id }) => id), ...(keep && { keep }) })
    await changed(db, 'backups')
    return [
      await readServersInOrder(
        db,
        all.map(({ id }) => id),
      ),
      all.length,
    ]
  },
} satisfies Partial<Calls>

/** Throws 422 if the id in the body differs from the id in the path. */
function same(id: number, backupServerId: number | undefined): void {
  if (backupServerId !== undefined && backupServerId !== id)
    throw invalid({ backupServerId: 'Differs from the id in the path' })
}

async function machineFor(db: Db, serverId: number) {
  const [machine] = await db
    .select()
    .from(servers)
    .where(and(eq(servers.id, serverId), isNull(servers.deletedAt)))
    .for('update')
  if (!machine) throw notFound('server', serverId)
  if (machine.type !== 'backup' && machine.type !== 'all-in-one')
    throw refused(`${machine.name} is a ${machine.type} server`, { serverId: 'Choose a server of the type backup' })
  if (!machine.address)
    throw refused(`${machine.name} has no address: machines could not reach it`, { serverId: 'Has no address' })
  const [taken] = await db
    .select()
    .from(backupServers)
    .where(and(eq(backupServers.serverId, serverId), isNull(backupServers.s3), isNull(backupServers.deletedAt)))
  if (taken) throw conflict(`${machine.name} is already a backup server`, { fields: { serverId: 'Is one already' } })
  return { name: machine.name, address: machine.address }
}

/** Throws 422 for a server without a web server, PHP and MariaDB, because a drill runs the website. */
async function checkDrillServer(db: Db, id: number): Promise<void> {
  const [server] = await db
    .select({ name: servers.name, type: servers.type })
    .from(servers)
    .where(and(eq(servers.id, id), isNull(servers.deletedAt)))
  const refuse = (why: string) => refused(why, { drillServerId: why })
  if (!server) throw refuse(`There is no server ${id}`)
  if (server.type !== 'web' && server.type !== 'all-in-one')
    throw refuse(`${server.name} is a ${server.type} server: a drill needs PHP and MariaDB`)
}
