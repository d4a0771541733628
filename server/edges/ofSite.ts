import type { Network } from '@innkeeper/contract/vhosts'
import { and, asc, eq, isNull, ne } from 'drizzle-orm'
import type { Db } from '../kit/db/db.ts'
import { servers } from '../servers/tables.ts'
import type { Site } from '../websites/steps.ts'
import { vhostEdges, vhosts } from './tables.ts'

/** An edge that needs the website's certificate. */
export interface SiteEdge {
  vhostId: number
  network: Network
  serverId: number
  serverName: string
}

/** The edges of a website, those of the first network first. */
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

/** One resource per edge: a website may have two edges. */
export const onEdge = (
  { domain }: Pick<Site, 'domain'>,
  { vhostId, network, serverId }: Omit<SiteEdge, 'serverName'>,
) => ({
  server: serverId,
  resource: { type: network === 'cdn' ? 'edge' : 'second-edge', id: vhostId, name: domain },
})
