import type { vhosts as contract, EdgeDiff } from '@innkeeper/contract/vhosts'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Context, Handlers } from '../kit/api.ts'
import type { Db } from '../kit/db.ts'
import { Refusal } from '../kit/errors.ts'
import { changed } from '../kit/live.ts'
import { liveRead } from '../kit/liveRead.ts'
import { start } from '../kit/workflow.ts'
import { websites } from '../websites/tables.ts'
import { diffOf } from './diff.ts'
import { type Behind, type Edge, edgeInput, ensured, readBehind } from './edgeSteps.ts'
import { vhostEdges, vhosts } from './tables.ts'

const Answer = z.object({
  differing: z.array(z.object({ vhostId: z.int(), file: z.string(), is: z.string(), wanted: z.string() })),
})
type Asked = { edge: Edge; behinds: Behind[] }
type Found = { edge: Edge; behinds: Behind[]; differing: EdgeDiff[] } | { edge: Edge; reason: string }

/** Every edge is asked once for all that it has; what differs is written anew, in a workflow for each website. */
export const resync: Handlers<typeof contract>['resync'] = async ({ ids, dryRun = false }, context) => {
  const { db } = context
  const found = await Promise.all((await edgesToAsk(db, ids)).map((asked) => compare(context, asked)))
  const compared = found.flatMap((one) => ('behinds' in one ? [one] : []))
  const differing = compared.flatMap((one) => one.differing)
  const silent = found.flatMap((one) =>
    'reason' in one ? [{ serverName: one.edge.serverName, reason: one.reason }] : [],
  )
  const workflowIds = await context.lastly(async (tx) => {
    for (const one of compared) await remember(tx, one)
    const began: number[] = []
    if (!dryRun) for (const behind of drifted(compared)) began.push(await repair(context, tx, behind))
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

/** Those that nobody is at work on, by edge. */
async function edgesToAsk(db: Db, ids: number[] | undefined): Promise<Asked[]> {
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
      ),
    )
  const behinds = await readBehind(
    db,
    found.map(({ websiteId }) => websiteId),
  )
  const byServer = new Map<number, Asked>()
  for (const behind of behinds)
    for (const edge of behind.edges) {
      const asked = byServer.get(edge.serverId) ?? { edge, behinds: [] }
      asked.behinds.push(behind)
      byServer.set(edge.serverId, asked)
    }
  return [...byServer.values()]
}

/** An agent takes so many in one question. */
const AT_ONCE = 500

async function compare({ app }: Context, { edge, behinds }: Asked): Promise<Found> {
  const differing: EdgeDiff[] = []
  for (let from = 0; from < behinds.length; from += AT_ONCE) {
    const some = behinds.slice(from, from + AT_ONCE)
    const said = await liveRead(app, edge.serverId, 'edge-sites.compare', { sites: some.map(edgeInput) }).catch(
      (error: unknown) => {
        if (error instanceof Refusal) return error
        throw error
      },
    )
    if (said instanceof Refusal) return { edge, reason: said.message }
    for (const { vhostId, file, is, wanted } of Answer.parse(said).differing)
      differing.push({
        vhostId,
        domain: some.find(({ id }) => id === vhostId)?.site.domain ?? '',
        network: edge.network,
        serverName: edge.serverName,
        file,
        lines: diffOf(is, wanted),
      })
  }
  return { edge, behinds, differing }
}

type Compared = Extract<Found, { behinds: Behind[] }>

async function remember(tx: Db, { edge, behinds, differing }: Compared): Promise<void> {
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

/** With the edges on which they differ, and no other. */
function drifted(compared: Compared[]): Behind[] {
  const byId = new Map<number, Behind>()
  for (const { edge, behinds, differing } of compared)
    for (const { vhostId } of differing) {
      const behind = behinds.find(({ id }) => id === vhostId)
      if (!behind) continue
      const known = byId.get(vhostId) ?? { ...behind, edges: [] }
      byId.set(vhostId, { ...known, edges: [...known.edges, edge] })
    }
  return [...byId.values()]
}

async function repair({ staff }: Context, tx: Db, behind: Behind): Promise<number> {
  const { id, site } = behind
  const workflowId = await start(tx, {
    kind: 'vhost.resync',
    subject: { type: 'vhost', id, name: site.domain },
    holder: staff.name,
    startedById: staff.id,
    plan: ensured(behind),
    locks: [`vhost:${id}`, `website:${site.id}`],
  })
  await tx.update(vhosts).set({ workflowId }).where(eq(vhosts.id, id))
  return workflowId
}
