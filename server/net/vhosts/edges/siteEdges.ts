import { and, asc, eq, isNull, ne, sql } from 'drizzle-orm'
import { servers } from '../../../machines/servers/tables.ts'
import type { SiteEdgeSource } from '../../ssl/siteEdges.ts'
import { vhostEdges, vhosts } from './tables.ts'

/** The edges in front of a website, which need its certificate. */
export const siteEdges: SiteEdgeSource = {
  edges: (db, websiteId) =>
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
      .orderBy(asc(vhostEdges.network)),
  async fetchOverTls(db, websiteId) {
    const [found] = await db
      .select({ id: vhosts.id })
      .from(vhosts)
      .where(and(eq(vhosts.websiteId, websiteId), isNull(vhosts.deletedAt), sql`${vhosts.rules} ->> 'fetch' = 'https'`))
    return found !== undefined
  },
}
