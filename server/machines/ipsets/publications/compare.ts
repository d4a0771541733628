import { and, eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import { step } from '../../../kit/work/action.ts'
import { eachOf, failedLast } from '../../../kit/work/round.ts'
import { start } from '../../../kit/work/workflow.ts'
import { ipSetsCompare } from '../actions.ts'
import { ipSets } from '../tables.ts'
import { digestOf } from './delta.ts'
import { type By, itself, type KeptSet, settle } from './publish.ts'

/** Title of the round. */
const ROUND = 'an IP set could not be compared'

/** Entries that expire within this time are not compared. */
const MARGIN_S = 300
const EVERY_HOURS = 6

const Compared = z.object({
  sets: z.array(
    z.object({ set: z.string(), seen: z.enum(['same', 'different', 'missing']), elements: z.int(), packets: z.int() }),
  ),
})
const Asked = z.object({ sets: z.array(z.object({ set: z.string() })) })

/**
 * Starts a comparison on each server that has the newest change of the set. Differences are published when the result
 * arrives.
 */
export async function startCompare(tx: Db, set: KeptSet, by: By, serverId?: number): Promise<number[]> {
  const standing = await rows<{ serverId: number }>(
    tx,
    sql`select server_id as "serverId" from ip_set_servers where set_id = ${set.id} and applied = ${set.change}
      and (${serverId ?? null}::int is null or server_id = ${serverId ?? null}::int) order by server_id`,
  )
  if (!standing.length) return []
  const at = Math.floor(Date.now() / 1000) + MARGIN_S
  const sets = [{ set: set.name, sum: await digestOf(tx, set.id, at) }]
  const { id, name } = set
  const resource = { type: 'ip-set', id, name }
  const begun: number[] = []
  for (const { serverId: server } of standing)
    begun.push(
      await start(tx, {
        kind: 'ip-set.compare',
        subject: resource,
        holder: by.name,
        startedById: by.id,
        plan: [step(ipSetsCompare, { at, sets }, { server, resource })],
        locks: [],
      }),
    )
  return begun
}

/**
 * Saves the result of a comparison. Skips servers that were updated since the comparison started: their result is
 * outdated.
 */
export async function noteCompared(tx: Db, workflowId: number): Promise<void> {
  const [found] = await rows<{ serverId: number; input: unknown; output: unknown; startedAt: string }>(
    tx,
    sql`select a.server_id as "serverId", a.input, a.output, w.started_at as "startedAt" from actions a
      join workflows w on w.workflow_id = a.workflow_id
      where a.workflow_id = ${workflowId} and a.name = 'ip-sets.compare' and a.status = 'done'`,
  )
  const asked = Asked.safeParse(found?.input)
  const compared = Compared.safeParse(found?.output)
  if (!found || !asked.success || !compared.success) return
  for (const { set, seen, elements, packets } of compared.data.sets) {
    const [held] = await tx.select().from(ipSets).where(sql`${ipSets.name} = ${set} and ${ipSets.deletedAt} is null`)
    if (!held || !asked.data.sets.some((one) => one.set === set)) continue
    const [noted] = await rows(
      tx,
      sql`update ip_set_servers t set seen = ${seen}, elements = ${elements}, packets = ${packets}, at = now(),
          applied = case when ${seen} = 'same' then applied end
        where set_id = ${held.id} and server_id = ${found.serverId} and applied = ${held.change}
          and not exists (select from actions a where a.workflow_id = t.workflow_id and a.ended_at > ${found.startedAt}::timestamptz)
        returning set_id`,
    )
    if (noted && seen !== 'same') await settle(tx, held, itself)
    await changed(tx, 'ipsets', held.id)
  }
}

const isOverdue = sql`${ipSets.deletedAt} is null and exists (select from ip_set_servers t where t.set_id = ${ipSets.id}
  and t.applied = ${ipSets.change} and t.at < now() - make_interval(hours => ${sql.raw(String(EVERY_HOURS))}))`

/** Compares each set with its servers again after EVERY_HOURS. */
export async function compareOverdue(app: App): Promise<void> {
  const { db } = app
  const overdue = await db
    .select()
    .from(ipSets)
    .where(isOverdue)
    .orderBy(failedLast(app, ROUND, sql`${ipSets.id}`), ipSets.id)
    .limit(20)
  await eachOf(app, ROUND, overdue, ({ id }) =>
    db.transaction(async (tx) => {
      const own = eq(ipSets.id, id)
      const [held] = await tx.select({ id: ipSets.id }).from(ipSets).where(own).for('update', { skipLocked: true })
      // a statement of its own sees what another worker began before the lock
      const [set] = held ? await tx.select().from(ipSets).where(and(own, isOverdue)) : []
      if (!set) return
      await tx.execute(sql`update ip_set_servers set at = now() where set_id = ${id}`)
      await startCompare(tx, set, itself)
    }),
  )
}
