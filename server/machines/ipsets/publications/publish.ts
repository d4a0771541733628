import { eq, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import { type PlanStep, step } from '../../../kit/work/action.ts'
import { start } from '../../../kit/work/workflow.ts'
import { packagesEnsure } from '../../servers/actions.ts'
import { ipSetEnsure, ipSetRemove } from '../actions.ts'
import { ipSetServers, ipSets } from '../tables.ts'
import { partsSince } from './delta.ts'

export type KeptSet = typeof ipSets.$inferSelect
type OnServer = typeof ipSetServers.$inferSelect
export interface By {
  id: number | null
  name: string
}
export const itself: By = { id: null, name: 'Innkeeper' }

/**
 * Starts workflows on all servers that lack changes of a set, or must no longer have the set; runs in the caller's
 * transaction. Each server has at most one open workflow; when it ends, lifecycle.ts starts the next. So an offline
 * server has a single waiting workflow, however many bans are added meanwhile. Returns the workflows that were started.
 */
export async function settle(tx: Db, set: KeptSet, by: By): Promise<number[]> {
  await tx.execute(sql`insert into ip_set_servers (set_id, server_id)
    select ${set.id}::int, server_id from servers where ${isWanted(set)} order by server_id on conflict do nothing`)
  const standing = await rows<{ serverId: number; wanted: boolean }>(
    tx,
    sql`select t.server_id as "serverId", (${isWanted(set)}) as wanted from ip_set_servers t
      join servers on servers.server_id = t.server_id
      where t.set_id = ${set.id} order by t.server_id for update of t`,
  )
  const begun: number[] = []
  const parts = partsOnce(tx, set)
  for (const { serverId, wanted } of standing) {
    const workflowId = await settleOne(tx, set, serverId, wanted, by, parts)
    if (workflowId !== null) begun.push(workflowId)
  }
  return begun
}

/** As `settle`, for one server; the caller has locked the row. */
export async function settleOn(tx: Db, set: KeptSet, serverId: number, by: By): Promise<number | null> {
  const [found] = await rows<{ wanted: boolean }>(
    tx,
    sql`select (${isWanted(set)}) as wanted from servers where server_id = ${serverId}`,
  )
  return settleOne(tx, set, serverId, found?.wanted ?? false, by, partsOnce(tx, set))
}

/** Computes the parts once for all servers that have the same change. */
type Parts = (applied: number | null) => ReturnType<typeof partsSince>
function partsOnce(tx: Db, { id }: KeptSet): Parts {
  const known = new Map<number | null, ReturnType<typeof partsSince>>()
  return (applied) => {
    const parts = known.get(applied) ?? partsSince(tx, id, applied)
    known.set(applied, parts)
    return parts
  }
}

/**
 * SQL condition on `servers`: the server should have the set. A set for all servers omits servers that have not
 * enrolled, which get the set during provisioning; a set for chosen servers includes them.
 */
const isWanted = ({ deletedAt, everywhere, serverIds, ports }: KeptSet) => {
  if (deletedAt) return sql`false`
  // an older agent would drop packets to all ports
  if (ports)
    return sql`(servers.deleted_at is null and servers.server_id = any(${sql.param(serverIds)}::int[]) and exists (
      select from server_states t where t.server_id = servers.server_id and 'mail-guesses.read' = any(t.operations)))`
  return everywhere
    ? sql`(servers.deleted_at is null and servers.credential_hash is not null and servers.type <> 'adopted')`
    : sql`(servers.deleted_at is null and servers.server_id = any(${sql.param(serverIds)}::int[]))`
}

async function settleOne(
  tx: Db,
  set: KeptSet,
  serverId: number,
  wanted: boolean,
  by: By,
  parts: Parts,
): Promise<number | null> {
  const which = sql`${ipSetServers.setId} = ${set.id} and ${ipSetServers.serverId} = ${serverId}`
  const [row] = await tx.select().from(ipSetServers).where(which)
  if (!row || (await isAtWork(tx, row))) return null
  if (!wanted && !row.told) {
    await tx.delete(ipSetServers).where(which)
    return null
  }
  if (wanted && row.applied !== null && row.applied >= set.change) return null
  const workflowId = await (wanted ? publish(tx, set, row, by, parts) : withdraw(tx, set, serverId, by))
  await tx
    .update(ipSetServers)
    .set({ workflowId, told: true, ...(!wanted && { applied: null }) })
    .where(which)
  return workflowId
}

async function isAtWork(tx: Db, { workflowId }: OnServer): Promise<boolean> {
  if (workflowId === null) return false
  const [open] = await rows(
    tx,
    sql`select from workflows where workflow_id = ${workflowId} and status in ('running', 'waiting')`,
  )
  return open !== undefined
}

async function publish(
  tx: Db,
  set: KeptSet,
  { serverId: server, applied }: OnServer,
  by: By,
  partsOf: Parts,
): Promise<number> {
  const { whole, parts } = await partsOf(applied)
  const { name, change, ports } = set
  const resource = resourceOf(set)
  const plan = parts.map((some) =>
    step(ipSetEnsure, { set: name, change, whole, ...(ports && { ports }), parts: some }, { server, resource }),
  )
  const first = step(packagesEnsure, { packages: ['nftables'] }, { server, resource })
  return begin(tx, set, 'ip-set.publish', applied === null ? [first, ...plan] : plan, by)
}

const withdraw = (tx: Db, set: KeptSet, server: number, by: By): Promise<number> =>
  begin(tx, set, 'ip-set.withdraw', [step(ipSetRemove, { set: set.name }, { server, resource: resourceOf(set) })], by)

const resourceOf = ({ id, name }: KeptSet) => ({ type: 'ip-set', id, name })

/** No locks: each server has one open workflow at a time, which publishes all missing changes. */
const begin = (tx: Db, set: KeptSet, kind: string, plan: PlanStep[], by: By): Promise<number> =>
  start(tx, { kind, subject: resourceOf(set), holder: by.name, startedById: by.id, plan, locks: [] })

/** Raises the change number of a set whose bans have changed, and starts publishing. The caller has locked the row. */
export async function changeSet(
  tx: Db,
  set: KeptSet,
  bans: number,
  by: By,
): Promise<{ set: KeptSet; workflowIds: number[] }> {
  const [after] = await tx
    .update(ipSets)
    .set({ change: set.change + 1, bans: sql`bans + ${bans}::int`, updatedAt: sql`now()` })
    .where(eq(ipSets.id, set.id))
    .returning()
  if (!after) throw new Error(`the set ${set.name} was deleted despite its lock`)
  const workflowIds = await settle(tx, after, by)
  await changed(tx, 'ipsets', set.id)
  return { set: after, workflowIds }
}
