import type { ipsets as contract } from '@innkeeper/contract/machines/ipsets/calls'
import { eq, isNull, type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { nameOrder } from '../../kit/db/nameOrder.ts'
import { contains, pageKeys } from '../../kit/db/page.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { conflict, refused } from '../../kit/http/errors.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { startCompare } from './publications/compare.ts'
import { type KeptSet, settle } from './publications/publish.ts'
import { ipSets } from './tables.ts'
import { findSet, holdSet, readSets, viewSet } from './view.ts'

const sorts = {
  name: { column: nameOrder(ipSets.name), type: 'text', direction: 'ASC' },
  bans: { column: ipSets.bans, type: 'int', direction: 'DESC' },
  createdAt: { column: ipSets.createdAt, type: 'instant', direction: 'DESC' },
} as const

/** The sets, and the servers that have them. */
export const setsHandlers: Pick<Handlers<typeof contract>, 'sets' | 'create' | 'set' | 'update' | 'remove' | 'sync'> = {
  async sets(input, { db }) {
    const where: SQL[] = [isNull(ipSets.deletedAt)]
    if (input.search)
      where.push(contains(sql`${ipSets.name} || ' ' || coalesce(${ipSets.description}, '')`, input.search))
    if (input.server)
      where.push(sql`(${ipSets.everywhere} or ${ipSets.serverIds} && ${sql.param(input.server)}::int[])`)
    const order = sorts[input.sort ?? 'name']
    const { ids, ...page } = await pageKeys(db, input, { from: sql`${ipSets}`, where, key: ipSets.id, order })
    return { items: await readSets(db, ids), ...page }
  },

  async create({ name, description, serverIds = [], everywhere = serverIds.length === 0, maxElements }, context) {
    const { db, staff, audit } = context
    await checkPlace(db, everywhere, serverIds)
    await checkName(db, name)
    const [made] = await db
      .insert(ipSets)
      .values({
        name,
        description: description ?? null,
        everywhere,
        serverIds: everywhere ? [] : [...new Set(serverIds)],
        ...(maxElements !== undefined && { maxElements }),
        createdBy: staff.id,
      })
      .returning()
    if (!made) throw new Error('a set was not saved')
    const [workflowId] = await settle(db, made, staff)
    if (workflowId !== undefined) audit.workflow(workflowId)
    audit.of('ip-set', made.id)
    audit.after(spoken(made))
    await changed(db, 'ipsets', made.id)
    return viewSet(db, made.id)
  },

  set: async ({ id: key }, { db }) => viewSet(db, (await findSet(db, key)).id),

  async update({ id: key, version, ...change }, { db, staff, audit }) {
    const set = await holdSet(db, key, version)
    const everywhere = change.everywhere ?? (change.serverIds ? false : set.everywhere)
    const serverIds = everywhere ? [] : [...new Set(change.serverIds ?? set.serverIds)]
    await checkPlace(db, everywhere, serverIds)
    if (change.maxElements !== undefined && change.maxElements < set.bans)
      throw refused(`${set.name} already has ${set.bans} bans`, { maxElements: `The set already has ${set.bans} bans` })
    const [after] = await db
      .update(ipSets)
      .set({
        everywhere,
        serverIds,
        ...(change.description !== undefined && { description: change.description }),
        ...(change.maxElements !== undefined && { maxElements: change.maxElements }),
        ...nextVersion,
      })
      .where(eq(ipSets.id, set.id))
      .returning()
    if (!after) throw new Error(`the set ${set.name} was deleted despite its lock`)
    const [workflowId] = await settle(db, after, staff)
    if (workflowId !== undefined) audit.workflow(workflowId)
    audit.of('ip-set', set.id)
    audit.before(spoken(set))
    audit.after(spoken(after))
    await changed(db, 'ipsets', set.id)
    return viewSet(db, set.id)
  },

  async remove({ id: key, version }, { db, staff, audit, status }) {
    const set = await holdSet(db, key, version)
    const [gone] = await db
      .update(ipSets)
      .set({ deletedAt: sql`now()`, version: sql`version + 1` })
      .where(eq(ipSets.id, set.id))
      .returning()
    if (!gone) throw new Error(`the set ${set.name} was deleted despite its lock`)
    const workflowIds = await settle(db, gone, staff)
    if (workflowIds[0] !== undefined) audit.workflow(workflowIds[0])
    audit.of('ip-set', set.id)
    audit.before(spoken(set))
    audit.after(null)
    await changed(db, 'ipsets', set.id)
    status(workflowIds.length ? 202 : 204)
    return workflowIds.length ? { workflowIds } : undefined
  },

  async sync({ set: key, serverId }, { db, staff, audit }) {
    const set = await holdSet(db, key)
    if (serverId !== undefined) await checkOn(db, set, serverId)
    // publishes to servers that lack changes, and compares the others
    const published = await settle(db, set, staff)
    const compared = await startCompare(db, set, staff, serverId)
    const workflowIds = [...published, ...compared]
    if (workflowIds[0] !== undefined) audit.workflow(workflowIds[0])
    audit.of('ip-set', set.id)
    return { workflowIds, servers: workflowIds.length }
  },
}

async function checkOn(db: Db, { id, name }: KeptSet, serverId: number): Promise<void> {
  const found = await rows(db, sql`select from ip_set_servers where set_id = ${id} and server_id = ${serverId}`)
  if (!found.length)
    throw refused(`${name} is not on server ${serverId}`, { serverId: 'The set is not on this server' })
}

/** The fields of a set for the action log. Bans have log rows of their own. */
const spoken = ({ name, description, everywhere, serverIds, maxElements }: KeptSet) => ({
  ...{ name, description, everywhere, serverIds, maxElements },
})

async function checkPlace(db: Db, everywhere: boolean, serverIds: readonly number[]): Promise<void> {
  if (everywhere) return
  if (!serverIds.length) throw refused('A set needs at least one server', { serverIds: 'Choose a server' })
  const known = await rows<{ id: number }>(
    db,
    sql`select server_id as id from servers where deleted_at is null and server_id = any(${sql.param(serverIds)}::int[])`,
  )
  const other = serverIds.find((id) => !known.some((one) => one.id === id))
  if (other !== undefined) throw refused(`There is no server ${other}`, { serverIds: `No server ${other}` })
}

/** Refuses a name that exists, or that a deleted set still has on a server. */
async function checkName(db: Db, name: string): Promise<void> {
  const [taken] = await rows<{ live: boolean; server: string | null }>(
    db,
    sql`select s.deleted_at is null as live, min(v.name) as server from ip_sets s
      left join ip_set_servers t on t.set_id = s.ip_set_id left join servers v on v.server_id = t.server_id
      where s.name = ${name} group by s.ip_set_id, s.deleted_at
      having s.deleted_at is null or count(t.server_id) > 0 order by 1 desc limit 1`,
  )
  if (taken?.live) throw conflict(`There is a set ${name} already`, { fields: { name: 'There is one already' } })
  if (taken)
    throw conflict(`The deleted set ${name} is still being removed from ${taken.server}`, {
      fields: { name: `A deleted set of this name is still being removed from ${taken.server}` },
    })
}
