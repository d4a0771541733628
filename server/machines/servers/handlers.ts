import type { servers as contract } from '@innkeeper/contract/machines/servers/calls'
import type { Server, WebServer } from '@innkeeper/contract/machines/servers/shapes'
import { and, asc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { nameOrder } from '../../kit/db/nameOrder.ts'
import { contains, pageKeys } from '../../kit/db/page.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { updateAgent, updateAgents } from './agents/updates.ts'
import { enrolmentFor } from './enrolment/enrolment.ts'
import { practiceHandlers } from './enrolment/practice.ts'
import { provision, repair } from './enrolment/provision.ts'
import { addPhp } from './php.ts'
import { isEdge } from './services.ts'
import { serverStates, servers, serverTypes } from './tables.ts'
import { typesHandlers } from './types.ts'
import { impactOf, observed, place, readServer, readServers, viewServer } from './view.ts'

const sorts = {
  name: { column: nameOrder(servers.name), type: 'text', direction: 'ASC' },
  type: { column: servers.type, type: 'text', direction: 'ASC' },
  // sorts servers that never reported before servers that have been silent longest
  lastSeenAt: { column: sql`coalesce(${serverStates.lastSeenAt}, 'epoch')`, type: 'instant', direction: 'DESC' },
  createdAt: { column: servers.createdAt, type: 'instant', direction: 'DESC' },
  place: { column: place, type: 'int', direction: 'ASC' },
} as const

export const serversHandlers: Handlers<typeof contract> = {
  ...practiceHandlers,
  ...typesHandlers,

  async list(input, { db, app }) {
    const where: SQL[] = [isNull(servers.deletedAt)]
    if (input.ids) where.push(inArray(servers.id, input.ids))
    if (input.type) where.push(inArray(servers.type, input.type))
    if (input.status) where.push(eq(servers.status, input.status))
    if (input.observed) where.push(inArray(observed, input.observed))
    if (input.search)
      where.push(contains(sql`${servers.name} || ' ' || coalesce(${servers.address}, '')`, input.search))
    const { ids, ...page } = await pageKeys(db, input, {
      from: sql`${servers} left join ${serverStates} on ${serverStates.serverId} = ${servers.id}`,
      where,
      key: servers.id,
      order: sorts[input.sort ?? 'name'],
    })
    return { items: await readServers(app, db, ids), ...page }
  },

  view: ({ id }, { db, app }) => viewServer(app, db, id),

  async impact({ id }, { db, app }) {
    await readServer(app, db, id)
    return impactOf(db, id)
  },

  async create(input, context) {
    const { db, app, staff, request, audit } = context
    await checkName(db, input.name)
    await checkWebServer(db, input)
    const [made] = await db
      .insert(servers)
      .values({ ...input, createdBy: staff.id })
      .returning({ id: servers.id })
    const id = made!.id
    const enrolment = await enrolmentFor(app, db, id, staff.name, request.host)
    const server = await readServer(app, db, id)
    audit.after(server)
    await changed(db, 'servers', id)
    return { ...server, enrolment }
  },

  async update({ id, version, ...fields }, context) {
    const { db } = context
    const before = await find(context, id, version)
    if (fields.name) await checkName(db, fields.name, id)
    const [row] = await db.select().from(servers).where(eq(servers.id, id))
    const webServer = row?.webServer ?? 'nginx'
    const after = { type: fields.type ?? before.type, webServer: fields.webServer ?? webServer }
    if (after.type !== before.type && (after.type === 'adopted' || (before.type === 'adopted' && after.type !== 'web')))
      throw refused('An adopted server becomes a web server, or stays: its services belong to somebody else', {
        type: 'Add the machine anew, once it is empty',
      })
    if (after.type !== before.type) await checkStoresNone(context, before)
    await checkWebServer(db, after)
    if (after.webServer === webServer) return write(context, id, fields)
    await checkServesNone(db, before)
    // accepts no websites until the new web server is provisioned
    return write(context, id, { ...fields, provisionedAt: null })
  },

  async status({ id, status, version }, context) {
    const { staff, db } = context
    await find(context, id, version)
    const server = await write(context, id, { status, statusSetBy: staff.name, statusSetAt: sql`now()` })
    // wakes the workers, which continue the actions that waited for the server
    if (status === 'up')
      for (const lane of ['short', 'long']) await db.execute(sql`select pg_notify('actions', ${`${id}/${lane}`})`)
    await changed(db, 'workflows')
    return server
  },

  async enrol({ id }, context) {
    const { db, app, staff, request } = context
    await find(context, id)
    return enrolmentFor(app, db, id, staff.name, request.host)
  },

  async revoke({ id }, context) {
    await find(context, id)
    await write(context, id, { credentialRevokedAt: sql`now()`, enrolTokenHash: null })
    await changed(context.db, 'workflows')
  },

  async provision({ id }, context) {
    return work(context, id, (server) => provision(context.db, server, context.staff))
  },

  async repair({ id, service }, context) {
    context.audit.after({ service })
    return work(context, id, (server) => repair(context.db, server, service, context.staff))
  },

  async addPhp({ id, phpVersion }, context) {
    const { app, db, staff, audit } = context
    audit.after({ phpVersion })
    return work(context, id, async () => addPhp(app, db, await readServer(app, db, id), phpVersion, staff))
  },

  async updateAgent({ id, force }, context) {
    const { app, db, staff } = context
    return work(context, id, () => updateAgent(app, db, id, staff, force))
  },

  async updateAgents(_, { app, db, staff, audit }) {
    const begun = await updateAgents(app, db, staff)
    audit.workflow(begun.workflowId)
    await changed(db, 'servers')
    return begun
  },

  async remove({ id, version }, context) {
    const { db } = context
    const server = await find(context, id, version)
    await checkEmpty(context, server)
    await db
      .update(servers)
      .set({ deletedAt: sql`now()`, credentialRevokedAt: sql`now()`, enrolTokenHash: null, ...nextVersion })
      .where(eq(servers.id, id))
    await changed(db, 'servers', id)
  },
}

/**
 * Locks the server row until the transaction ends, so that concurrent writes run in sequence. 404, or 409 with the
 * current data.
 */
async function find({ db, app, audit }: Context, id: number, version?: number): Promise<Server> {
  await db.select({ id: servers.id }).from(servers).where(eq(servers.id, id)).for('update')
  const server = await readServer(app, db, id)
  audit.before(server)
  checkVersion(server, version, server.name)
  return server
}

/** Starts a workflow on a server for the caller. */
async function work(
  { db, audit }: Context,
  id: number,
  start: (server: typeof servers.$inferSelect) => Promise<number>,
) {
  const [server] = await db
    .select()
    .from(servers)
    .where(and(eq(servers.id, id), isNull(servers.deletedAt)))
  if (!server) throw notFound('server', id)
  const workflowId = await start(server)
  audit.workflow(workflowId)
  await changed(db, 'servers', id)
  return { workflowId }
}

type Fields = { [K in keyof typeof servers.$inferInsert]?: (typeof servers.$inferInsert)[K] | SQL }

async function write({ db, app, audit }: Context, id: number, fields: Fields): Promise<Server> {
  await db
    .update(servers)
    .set({ ...fields, ...nextVersion })
    .where(eq(servers.id, id))
  const server = await readServer(app, db, id)
  audit.after(server)
  await changed(db, 'servers', id)
  return server
}

async function checkName(db: Db, name: string, except = 0): Promise<void> {
  const [taken] = await db
    .select({ id: servers.id })
    .from(servers)
    .where(and(eq(servers.name, name), isNull(servers.deletedAt)))
    .orderBy(asc(servers.id))
  if (taken && taken.id !== except)
    throw conflict(`${name} is taken`, { fields: { name: `Server ${taken.id} has this name` } })
}

/** Refuses Apache on an edge, because only nginx caches pages, and on a server type without a web server. */
async function checkWebServer(
  db: Db,
  { type, webServer }: { type: Server['type']; webServer?: WebServer | undefined },
): Promise<void> {
  if (webServer !== 'apache') return
  const [row] = await db.select().from(serverTypes).where(eq(serverTypes.name, type))
  const refuse = (why: string) => refused(why, { webServer: why })
  if (isEdge({ type })) throw refuse('An edge needs nginx, because Apache does not cache pages here')
  if (!row?.services.includes('nginx')) throw refuse(`A ${type} server has no web server`)
}

async function checkServesNone(db: Db, { id, name }: Server): Promise<void> {
  const { accounts: _, ...holds } = await holdingsOf(db, id)
  if (!Object.values(holds).some(Boolean)) return
  const why = `${name} holds ${inWords(holds)}: the web server can only be changed without them. Move them to another server first`
  throw refused(why, { webServer: why })
}

interface Holdings {
  websites: number
  trash: number
  accounts: number
  workflows: number
}

async function holdingsOf(db: Db, id: number): Promise<Holdings> {
  const [holds] = await rows<Holdings>(
    db,
    sql`select (select count(*)::int from websites where server_id = ${id} and deleted_at is null) as websites,
      (select count(*)::int from websites where server_id = ${id} and deleted_at is not null and purged_at is null) as trash,
      (select count(*)::int from system_users where server_id = ${id} and deleted_at is null) as accounts,
      (select count(distinct w.workflow_id)::int from workflows w join actions a on a.workflow_id = w.workflow_id
        where a.server_id = ${id} and w.ended_at is null) as workflows`,
  )
  return holds ?? { websites: 0, trash: 0, accounts: 0, workflows: 0 }
}

const nouns = {
  websites: 'website',
  trash: 'deleted website',
  accounts: 'system user',
  workflows: 'open workflow',
}
const inWords = (holds: Partial<Holdings>): string =>
  Object.entries(nouns)
    .flatMap(([what, noun]) => {
      const n = holds[what as keyof Holdings] // the keys of Holdings
      return n ? `${n} ${noun}${n === 1 ? '' : 's'}` : []
    })
    .join(', ')

/** Refuses a new type while the server stores objects that only services of its present type can restore. */
async function checkStoresNone({ app, db }: Context, { id, name, type }: Server): Promise<void> {
  const stored = await app.storedOn(db, id)
  if (!stored.length) return
  const why = `${name} stores ${stored.join(' and ')}: its type ${type} can only be changed without them`
  throw refused(why, { type: why })
}

async function checkEmpty({ app, db }: Context, { id, name }: Server): Promise<void> {
  const stored = await app.storedOn(db, id)
  if (stored.length) throw conflict(`${name} still stores ${stored.join(' and ')}`)
  const holds = await holdingsOf(db, id)
  if (Object.values(holds).some(Boolean)) throw conflict(`${name} still holds ${inWords(holds)}`, { current: holds })
}
