import type { Vhost, VhostEdge } from '@innkeeper/contract/net/vhosts/shapes'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { owners } from '../../../hosting/owners/tables.ts'
import { websites } from '../../../hosting/websites/tables.ts'
import { inUnicode } from '../../../hosting/websites/view.ts'
import { byIds, rowsByIds } from '../../../kit/db/byIds.ts'
import type { Db } from '../../../kit/db/db.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { servers } from '../../../machines/servers/tables.ts'
import { vhostEdges, vhosts } from './tables.ts'
import { visibleRules } from './visibleRules.ts'

const selectVhosts = byIds((db, isWanted) =>
  db
    .select({
      row: vhosts,
      domain: websites.domain,
      ownerName: owners.name,
      originAddress: servers.address,
      originName: servers.name,
    })
    .from(vhosts)
    .innerJoin(websites, eq(websites.id, vhosts.websiteId))
    .innerJoin(owners, eq(owners.id, websites.ownerId))
    .innerJoin(servers, eq(servers.id, websites.serverId))
    .where(and(isWanted(vhosts.id), isNull(vhosts.deletedAt), isNull(websites.deletedAt))),
)

/** Vhosts in the form of the contract, in the order of `ids`; deleted ones are left out. */
export async function readVhosts(db: Db, ids: number[]): Promise<Vhost[]> {
  const found = await selectVhosts(db, ids)
  const edges = await edgesOf(db, ids)
  const traffic = await trafficOf(db, ids)
  const shown = found.flatMap(({ row, domain, ...origin }) => {
    const { pending: _, createdBy: __, deletedAt: ___, ...vhost } = row
    const own = edges.filter(({ vhostId }) => vhostId === row.id)
    const [first] = own
    if (!first) return [] // cannot happen: each vhost is created with an edge
    return {
      ...vhost,
      rules: visibleRules(vhost.rules),
      domain,
      unicode: inUnicode(domain),
      ...origin,
      serverId: first.serverId,
      serverName: first.serverName,
      xdn: own.some(({ network }) => network === 'xdn'),
      edges: own.map(({ vhostId: _, ...edge }) => edge),
      ...(traffic.get(row.id) ?? { hits: 0, misses: 0, bytes: 0 }),
    }
  })
  return inOrder(ids, shown)
}

/** One vhost; throws 404 if it does not exist. */
export async function readVhost(db: Db, id: number): Promise<Vhost> {
  const [found] = await readVhosts(db, [id])
  if (!found) throw notFound('vhost', id)
  return found
}

export type EdgeRow = VhostEdge & { vhostId: number }

/** The edge servers of vhosts, those of the CDN first. */
export const edgesOf: (db: Db, vhostIds: number[]) => Promise<EdgeRow[]> = byIds((db, isWanted) =>
  db
    .select({
      vhostId: vhostEdges.vhostId,
      network: vhostEdges.network,
      serverId: vhostEdges.serverId,
      serverName: servers.name,
      address: servers.address,
      state: vhostEdges.state,
      seen: vhostEdges.seen,
      seenAt: vhostEdges.seenAt,
    })
    .from(vhostEdges)
    .innerJoin(servers, eq(servers.id, vhostEdges.serverId))
    .where(isWanted(vhostEdges.vhostId))
    .orderBy(asc(vhostEdges.vhostId), asc(vhostEdges.network)),
)

const selectTraffic = rowsByIds<{ id: number; hits: number; misses: number; bytes: number }>(
  (
    isWanted,
  ) => sql`select vhost_id as id, sum(hits)::float8 as hits, sum(misses)::float8 as misses, sum(bytes)::float8 as bytes
      from vhost_traffic where ${isWanted(sql`vhost_id`)} and at > now() - interval '24 hours' group by vhost_id`,
)

async function trafficOf(db: Db, ids: number[]): Promise<Map<number, Pick<Vhost, 'hits' | 'misses' | 'bytes'>>> {
  const sums = await selectTraffic(db, ids)
  return new Map(sums.map(({ id, ...figures }) => [id, figures]))
}
