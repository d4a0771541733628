import type { vhosts as contract } from '@innkeeper/contract/net/vhosts/calls'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { websites } from '../../../hosting/websites/tables.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { start } from '../../../kit/work/workflow.ts'
import type { Behind, Edge } from './behind.ts'
import { type Asked, type Compared, compare, shown } from './compare.ts'
import { ensured, readBehind, secured, unsecured } from './steps.ts'
import { vhostEdges, vhosts } from './tables.ts'

/** Compares all edges with the desired files and repairs differences, with one workflow per website. */
export const resync: Handlers<typeof contract>['resync'] = async ({ ids, dryRun = false }, context) => {
  const { db } = context
  if (ids) await checkVhosts(db, ids)
  const found = await Promise.all((await edgesToAsk(db, { ids })).map((asked) => compare(context.app, asked)))
  const compared = found.flatMap((one) => ('behinds' in one ? [one] : []))
  const { differing, silent } = shown(found)
  const workflowIds = await context.lastly(async (tx) => {
    for (const one of compared) await remember(tx, one)
    const began: number[] = []
    if (!dryRun) for (const one of drifted(compared)) began.push(await repair(tx, one, context.staff))
    await changed(tx, 'vhosts')
    if (began[0] !== undefined) context.audit.workflow(began[0])
    context.audit.after({
      compared: compared.length,
      differing: differing.map(({ domain }) => domain),
      workflowIds: began,
    })
    return began
  })
  return { compared: compared.reduce((sum, { behinds }) => sum + behinds.length, 0), differing, silent, workflowIds }
}

async function checkVhosts(db: Db, ids: readonly number[]): Promise<void> {
  const found = await db
    .select({ id: vhosts.id })
    .from(vhosts)
    .where(and(inArray(vhosts.id, [...ids]), isNull(vhosts.deletedAt)))
  const gone = ids.find((id) => !found.some((one) => one.id === id))
  if (gone !== undefined) throw refused(`There is no vhost ${gone}`, { ids: `No vhost ${gone}` })
}

/** Websites without a running workflow, grouped by edge; limited to these vhosts or to one edge server. */
export async function edgesToAsk(
  db: Db,
  { ids, serverId }: { ids?: number[] | undefined; serverId?: number },
): Promise<Asked[]> {
  const onServer = db
    .select({ id: vhostEdges.vhostId })
    .from(vhostEdges)
    .where(eq(vhostEdges.serverId, serverId ?? 0))
  const found = await db
    .select({ websiteId: vhosts.websiteId })
    .from(vhosts)
    .innerJoin(websites, eq(websites.id, vhosts.websiteId))
    .where(
      and(
        eq(vhosts.status, 'active'),
        isNull(vhosts.deletedAt),
        eq(websites.status, 'active'),
        ids && inArray(vhosts.id, ids),
        serverId === undefined ? undefined : inArray(vhosts.id, onServer),
      ),
    )
  const behinds = await readBehind(
    db,
    found.map(({ websiteId }) => websiteId),
  )
  const byServer = new Map<number, Asked>()
  for (const behind of behinds)
    for (const edge of behind.edges) {
      if (serverId !== undefined && edge.serverId !== serverId) continue
      const asked = byServer.get(edge.serverId) ?? { edge, behinds: [] }
      asked.behinds.push(behind)
      byServer.set(edge.serverId, asked)
    }
  return [...byServer.values()]
}

export async function remember(tx: Db, { edge, behinds, differing }: Compared): Promise<void> {
  const drifted = differing.map(({ vhostId }) => vhostId)
  const isDrifted = drifted.length ? inArray(vhostEdges.vhostId, drifted) : sql`false`
  await tx
    .update(vhostEdges)
    .set({ seen: sql`case when ${isDrifted} then 'differs' else 'same' end`, seenAt: sql`now()` })
    .where(
      and(
        eq(vhostEdges.serverId, edge.serverId),
        inArray(
          vhostEdges.vhostId,
          behinds.map(({ id }) => id),
        ),
      ),
    )
}

/**
 * The vhosts that differ, each only with the edges on which it differs. `strange`: edges that use a certificate
 * although the website has none.
 */
export function drifted(compared: Compared[]): { behind: Behind; strange: Edge[] }[] {
  const byId = new Map<number, { behind: Behind; strange: Edge[] }>()
  for (const { edge, behinds, differing } of compared)
    for (const [vhostId, files] of Map.groupBy(differing, (one) => one.vhostId)) {
      const behind = behinds.find(({ id }) => id === vhostId)
      if (!behind) continue
      const known = byId.get(vhostId) ?? { behind: { ...behind, edges: [] }, strange: [] }
      const isStrange = !behind.served && files.some(({ certificate }) => certificate)
      byId.set(vhostId, {
        behind: { ...behind, edges: [...known.behind.edges, edge] },
        strange: [...known.strange, ...(isStrange ? [edge] : [])],
      })
    }
  return [...byId.values()]
}

export async function repair(
  tx: Db,
  { behind, strange }: ReturnType<typeof drifted>[number],
  by: { id: number | null; name: string },
): Promise<number> {
  const { id, site } = behind
  const workflowId = await start(tx, {
    kind: 'vhost.resync',
    subject: { type: 'vhost', id, name: site.domain },
    holder: by.name,
    startedById: by.id,
    plan: [...ensured(behind), ...secured(behind), ...unsecured(behind, strange)],
    locks: [`vhost:${id}`, `website:${site.id}`],
  })
  await tx.update(vhosts).set({ workflowId }).where(eq(vhosts.id, id))
  return workflowId
}
