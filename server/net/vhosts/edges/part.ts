import type { Finding } from '@innkeeper/contract/hosting/moves/shapes'
import { sql } from 'drizzle-orm'
import type { Part } from '../../../hosting/websites/parts/parts.ts'
import type { Site } from '../../../hosting/websites/siteSteps.ts'
import { stateBefore } from '../../../hosting/websites/stateBefore.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Behind } from './behind.ts'
import { trusting, trustingNoMore } from './proxies.ts'
import { addressesOf, cleared, ensured, forgotten, leaving, readBehind, secured } from './steps.ts'

/** The steps for the edges of a website; none if the website has no edge. */
async function behindEdges<T>(db: Db, { id }: Site, then: (behind: Behind) => T[]): Promise<T[]> {
  const [behind] = await readBehind(db, [id])
  return behind ? then(behind) : []
}

/** Keeps the edges of a website up to date when it is renamed, moved, suspended, deleted or restored. */
export const edgePart: Part = {
  kind: 'edge',
  title: 'Edges',
  order: 97,
  along: {
    backup: 'Settings of edges are in no backup',
    newWebsite: 'A new website is behind no edge',
    copy: 'A copy is behind no edge',
    move: true,
  },
  async list(db, ids) {
    return rows(
      db,
      sql`select v.website_id as "websiteId", case e.network when 'cdn' then 'edge' else 'second-edge' end as type, v.vhost_id as id,
          w.domain as name, s.name as where,
          upper(e.network) || case when v.cdn then ', keeps pages ' || v.minutes || ' min' else ', keeps nothing' end as detail
        from vhosts v join vhost_edges e on e.vhost_id = v.vhost_id join websites w on w.website_id = v.website_id
        join servers s on s.server_id = e.server_id
        where v.website_id in ${ids} and v.deleted_at is null order by v.vhost_id, e.network`,
    )
  },
  /** Stops caching and clears the cache, so that the edges show the page of suspension instead of cached pages. */
  suspend: (db, site) =>
    behindEdges(db, site, (behind) => [...ensured({ ...behind, cdn: false, suspended: true }), ...cleared(behind)]),
  activate: (db, site) => behindEdges(db, site, (behind) => ensured({ ...behind, suspended: false })),
  remove: (db, site) => behindEdges(db, site, leaving),
  async restore(db, site) {
    const suspended = (await stateBefore(db, site.id)) === 'suspended'
    return behindEdges(db, site, (behind) => [
      ...ensured({ ...behind, cdn: behind.cdn && !suspended, suspended }),
      ...secured(behind),
    ])
  },
  names: (db, before, after, state) =>
    behindEdges(db, after, (behind) => [
      ...ensured({ ...behind, site: after, cdn: behind.cdn && state === 'active', suspended: state !== 'active' }),
      ...forgotten(behind, before, after),
    ]),
  rename: async (db, site, to) => ({
    changes: await behindEdges(db, site, ({ edges }) =>
      edges.map(({ serverName }) => ({ title: `Edge ${serverName}`, before: site.domain, after: to.domain })),
    ),
    steps: await behindEdges(db, site, (behind) =>
      ensured({ ...behind, site: to, cdn: behind.cdn && !behind.suspended }),
    ),
    // clears the cached pages of both names, because the old name now redirects to the new one
    after: await behindEdges(db, site, (behind) => forgotten(behind, site, to)),
  }),
  async moveCheck(db, site, targetServerId): Promise<Finding[]> {
    const [behind] = await readBehind(db, [site.id])
    const edge = behind?.edges.find(({ serverId }) => serverId === targetServerId)
    if (!edge) return []
    return [
      {
        key: `edge-${site.id}`,
        title: 'Edges',
        level: 'blocker',
        text: `${edge.serverName} is an edge of ${site.domain}: remove the website from it first`,
      },
    ]
  },
  /**
   * Edges switch to the new server only after the old server forwards requests, so that visitors see the new server
   * only after the copied data was compared.
   */
  async move(db, { from, to, state }) {
    const origin = (await addressesOf(db, [to.server.id])).get(to.server.id)
    const after = await behindEdges(db, from, (behind) =>
      ensured({
        ...{ ...behind, site: to, origin: origin ?? behind.origin },
        ...{ cdn: behind.cdn && state === 'active', suspended: state !== 'active' },
      }),
    )
    const edges = await behindEdges(db, from, (behind) => behind.edges.map(({ address = null }) => address))
    const old = (await addressesOf(db, [from.server.id])).get(from.server.id) ?? null
    return { files: [], prepare: trusting(to.server, [...edges, old]), frozen: [], after }
  },
  leave: (db, site) => trustingNoMore(db, site.id, site.server.id),
}
