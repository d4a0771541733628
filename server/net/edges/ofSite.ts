import type { Network } from '@innkeeper/contract/net/vhosts/shapes'
import { and, asc, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Site } from '../../hosting/websites/siteSteps.ts'
import type { Db } from '../../kit/db/db.ts'
import { refused } from '../../kit/http/errors.ts'
import { servers } from '../../machines/servers/tables.ts'
import { vhostEdges, vhosts } from './tables.ts'

/** An edge that needs the website's certificate. */
export interface SiteEdge {
  vhostId: number
  network: Network
  serverId: number
  serverName: string
}

/** The edges of a website, those of the CDN first. */
export const edgesOfSite = (db: Db, websiteId: number): Promise<SiteEdge[]> =>
  db
    .select({
      vhostId: vhosts.id,
      network: vhostEdges.network,
      serverId: vhostEdges.serverId,
      serverName: servers.name,
    })
    .from(vhosts)
    .innerJoin(vhostEdges, eq(vhostEdges.vhostId, vhosts.id))
    .innerJoin(servers, eq(servers.id, vhostEdges.serverId))
    .where(and(eq(vhosts.websiteId, websiteId), isNull(vhosts.deletedAt), ne(vhostEdges.state, 'going')))
    .orderBy(asc(vhostEdges.network))

/** Whether edges fetch the website over TLS: without a certificate that they can verify, visitors would get 502. */
export async function fetchedOverTls(db: Db, websiteId: number): Promise<boolean> {
  const [found] = await db
    .select({ id: vhosts.id })
    .from(vhosts)
    .where(and(eq(vhosts.websiteId, websiteId), isNull(vhosts.deletedAt), sql`${vhosts.rules} ->> 'fetch' = 'https'`))
  return found !== undefined
}
export const LET_THEM_FETCH_OVER_HTTP = 'let them fetch over http first (Rules of its edges)'

/** 422 if edges fetch the website over TLS. */
export async function refuseUncheckable(db: Db, websiteId: number): Promise<void> {
  if (await fetchedOverTls(db, websiteId))
    throw refused(`The edges of this website fetch over TLS and check its certificate: ${LET_THEM_FETCH_OVER_HTTP}`)
}

/** Options of a step on one edge. A website may have two edges, each with its own resource. */
export const onEdge = (
  { domain }: Pick<Site, 'domain'>,
  { vhostId, network, serverId }: Omit<SiteEdge, 'serverName'>,
) => ({
  server: serverId,
  resource: { type: network === 'cdn' ? 'edge' : 'second-edge', id: vhostId, name: domain },
})
