import type { OperationInput } from '@innkeeper/contract/agent'
import type { Network } from '@innkeeper/contract/vhosts'
import { and, inArray, isNull } from 'drizzle-orm'
import { type PlanStep, step } from '../kit/action.ts'
import type { Db } from '../kit/db.ts'
import { nginxCacheEnsure } from '../servers/actions.ts'
import { CACHE_MB } from '../servers/services.ts'
import { servers } from '../servers/tables.ts'
import { readSites } from '../websites/site.ts'
import type { Site } from '../websites/steps.ts'
import { edgeCacheClear, edgeProbe, edgeSiteEnsure, edgeSiteRemove } from './actions.ts'
import { type EdgeRow, edgesOf } from './edgeView.ts'
import { vhosts } from './tables.ts'

/** A vhost with what its steps need: its website as it is served, where that is, and the edges that have it. */
export interface Behind {
  id: number
  site: Site
  /** The address of the server that the website is on. */
  origin: string
  cdn: boolean
  minutes: number
  stale: boolean
  edges: readonly Edge[]
}
export type Edge = Pick<EdgeRow, 'serverId' | 'serverName' | 'network'>

/** Those of these websites that are behind edges. */
export async function readBehind(db: Db, websiteIds: number[]): Promise<Behind[]> {
  if (!websiteIds.length) return []
  const found = await db
    .select()
    .from(vhosts)
    .where(and(inArray(vhosts.websiteId, websiteIds), isNull(vhosts.deletedAt)))
    .orderBy(vhosts.id)
  const ids = found.map(({ id }) => id)
  const edges = ids.length ? await edgesOf(db, ids) : []
  const sites = new Map(
    (await readSites(db, [...new Set(found.map((row) => row.websiteId))])).map((one) => [one.id, one]),
  )
  const origins = await addressesOf(
    db,
    [...sites.values()].map(({ server }) => server.id),
  )
  return found.flatMap(({ id, websiteId, cdn, minutes, stale }) => {
    const site = sites.get(websiteId)
    const origin = site && origins.get(site.server.id)
    if (!site || !origin) return []
    return { id, site, origin, cdn, minutes, stale, edges: edges.filter(({ vhostId }) => vhostId === id) }
  })
}

/** Where servers are; those without an address are left out. */
export async function addressesOf(db: Db, ids: number[]): Promise<Map<number, string>> {
  if (!ids.length) return new Map()
  const found = await db
    .select({ id: servers.id, address: servers.address })
    .from(servers)
    .where(inArray(servers.id, ids))
  return new Map(found.flatMap(({ id, address }): [number, string][] => (address ? [[id, address]] : [])))
}

/** What an edge is to have of it. All names of the website, also those that it only sends on. */
export const edgeInput = ({ id, site, origin, cdn, minutes, stale }: Behind): OperationInput<'edge-site.ensure'> => ({
  vhostId: id,
  names: [site.domain, ...site.aliases, ...site.redirects],
  origin,
  cache: cdn,
  keepMinutes: minutes,
  stale,
})

/** One resource for each edge: a vhost may have two. */
const on = ({ id, site: { domain } }: Pick<Behind, 'id' | 'site'>, { serverId, network }: Edge) => ({
  server: serverId,
  resource: { type: network === 'cdn' ? 'edge' : 'second-edge', id, name: domain },
})

/** Each edge has it as it should be. */
export const ensured = (behind: Behind, edges = behind.edges): PlanStep[] =>
  edges.map((edge) => step(edgeSiteEnsure, edgeInput(behind), on(behind, edge)))

/** For the first time: the cache itself is there, and each edge is asked for the website. */
export const arriving = (behind: Behind, edges = behind.edges): PlanStep[] =>
  edges.flatMap((edge) => [
    step(
      nginxCacheEnsure,
      { maxSizeMb: CACHE_MB },
      { server: edge.serverId, resource: { type: 'nginx-cache', id: edge.serverId, name: edge.serverName } },
    ),
    ...ensured(behind, [edge]),
    asked(behind, edge),
  ])

export const asked = ({ site: { id, domain }, cdn }: Behind, { serverId }: Edge): PlanStep =>
  step(edgeProbe, { serverId, domain, cache: cdn }, { resource: { type: 'website', id, name: domain }, optional: true })

/** They forget what they keep of it: these pages, those that begin so, or all. */
export const cleared = (
  behind: Behind,
  which: { urls?: string[] | undefined; prefixes?: string[] | undefined } = {},
  edges = behind.edges,
): PlanStep[] => edges.map((edge) => step(edgeCacheClear, { vhostId: behind.id, ...which }, on(behind, edge)))

/** They answer for it no more, and keep nothing of it. */
export const leaving = (behind: Behind, edges = behind.edges): PlanStep[] => [
  ...edges.map((edge) => step(edgeSiteRemove, { vhostId: behind.id }, on(behind, edge))),
  ...cleared(behind, {}, edges),
]

export const onNetwork = ({ edges }: Behind, network: Network) => edges.filter((edge) => edge.network === network)
