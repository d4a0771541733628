import type { adoptions as contract } from '@innkeeper/contract/recovery/adoptions/calls'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { conflict, refused } from '../../kit/http/errors.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { step } from '../../kit/work/action.ts'
import { start } from '../../kit/work/workflow.ts'
import { servers } from '../../machines/servers/tables.ts'
import { machineLook } from './actions.ts'
import { bring } from './bring.ts'
import { listAdoptions } from './list.ts'
import { placesHandlers } from './places/handlers.ts'
import { adoptionPlaces, adoptions } from './tables.ts'
import { held, readAdoption, viewAdoption } from './view.ts'

/** A list of names that is older says nothing about now. */
const FRESH_MS = 2 * 3_600_000

export const adoptionsHandlers: Handlers<typeof contract> = {
  list: listAdoptions,
  one: ({ id }, { db }) => viewAdoption(db, id),

  async look({ serverId }, context) {
    const { db, staff } = context
    const [server] = await db
      .select()
      .from(servers)
      .where(and(eq(servers.id, serverId), isNull(servers.deletedAt)))
    if (!server) throw refused(`No server ${serverId}`, { serverId: `No server ${serverId}` })
    const [known] = await db.select({ id: adoptions.id }).from(adoptions).where(eq(adoptions.serverId, serverId))
    if (known)
      throw conflict(`${server.name} was looked at before: look again`, { fields: { serverId: 'Is on the list' } })
    const [made] = await db
      .insert(adoptions)
      .values({ serverId, staffName: staff.name, createdBy: staff.id })
      .returning()
    if (!made) throw new Error('an insert answered no row')
    return begin(context, made)
  },

  async lookAgain({ id, version }, context) {
    const row = await held(context, id, version)
    if (row.status === 'looking' || row.status === 'retired') throw refused(`This server is ${row.status}`)
    return begin(context, row)
  },

  bring,
  ...placesHandlers,

  async check({ id }, context) {
    const { db, audit } = context
    const row = await held(context, id)
    if (row.status !== 'ready')
      throw refused(`This server is ${row.status}: only a server that was looked at is checked`)
    audit.before({ checkedAt: row.checkedAt })
    await db
      .update(adoptions)
      .set({ checkedAt: null, ...nextVersion })
      .where(eq(adoptions.id, id))
    audit.after({ checkedAt: null })
    await changed(db, 'adoptions', id)
    return { data: await readAdoption(db, id) }
  },

  async retire({ id, version }, context) {
    const { db, audit } = context
    const row = await held(context, id, version)
    if (row.status !== 'ready') throw refused(`This server is ${row.status}`)
    if (!row.checkedAt || Date.now() - Date.parse(row.checkedAt) > FRESH_MS)
      throw refused('Which names lead to this server was not looked up within two hours: look them up first')
    const [first] = row.elsewhere ?? []
    if (first)
      throw refused(`${row.elsewhere?.length} names and records still lead to this server, such as ${first.name}`)
    const [open] = await db
      .select({ domain: adoptionPlaces.domain, status: adoptionPlaces.status })
      .from(adoptionPlaces)
      .where(and(eq(adoptionPlaces.adoptionId, id), inArray(adoptionPlaces.status, ['taking', 'taken', 'failed'])))
      .limit(1)
    if (open) throw refused(`${open.domain} is ${open.status}: accept it or give it back first`)
    audit.before({ status: row.status })
    await db
      .update(adoptions)
      .set({ status: 'retired', ...nextVersion })
      .where(eq(adoptions.id, id))
    const data = await readAdoption(db, id)
    audit.after(data)
    await changed(db, 'adoptions', id)
    return { data }
  },

  async remove({ id }, context) {
    const { db, audit } = context
    const row = await held(context, id)
    if (row.status === 'looking') throw refused('The server is being looked at: wait for the end')
    audit.before({ serverId: row.serverId, status: row.status })
    await db.delete(adoptions).where(eq(adoptions.id, id))
    await changed(db, 'adoptions', id)
  },
}

async function begin(context: Context, { id, serverId }: { id: number; serverId: number }) {
  const { db, staff, audit } = context
  const [server] = await db.select({ name: servers.name }).from(servers).where(eq(servers.id, serverId))
  const resource = { type: 'adoption', id, name: server?.name ?? `server ${serverId}` }
  const workflowId = await start(db, {
    ...{ kind: 'adoption.look', subject: resource, holder: staff.name, startedById: staff.id },
    plan: [step(machineLook, {}, { server: serverId, resource })],
    locks: [`adoption:${id}`],
  })
  await db
    .update(adoptions)
    .set({ status: 'looking', reason: null, workflowId, ...nextVersion })
    .where(eq(adoptions.id, id))
  const data = await readAdoption(db, id)
  audit.of('adoption', id)
  audit.workflow(workflowId)
  audit.after(data)
  await changed(db, 'adoptions', id)
  return { data, workflowId }
}
