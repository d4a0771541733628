import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Network } from '@innkeeper/contract/net/vhosts/shapes'
import { and, eq, getTableColumns, inArray, isNull } from 'drizzle-orm'
import { readSites } from '../../../hosting/websites/site.ts'
import type { Site } from '../../../hosting/websites/siteSteps.ts'
import { websites } from '../../../hosting/websites/tables.ts'
import type { Db } from '../../../kit/db/db.ts'
import { refused } from '../../../kit/http/errors.ts'
import { type PlanStep, step } from '../../../kit/work/action.ts'
import { nginxCacheEnsure, packagesEnsure } from '../../../machines/servers/actions.ts'
import { CACHE_MB, EDGE_PACKAGES } from '../../../machines/servers/services.ts'
import { servers } from '../../../machines/servers/tables.ts'
import { servedBy } from '../../ssl/certificates/served.ts'
import { onEdge } from '../../ssl/siteEdges.ts'
import { edgeCacheClear } from '../../ssl/workflow/actions.ts'
import { followsTo, goesFrom } from '../../ssl/workflow/edges.ts'
import { edgeProbe, edgeSiteEnsure, edgeSiteRemove } from '../actions.ts'
import type { Behind, Edge } from './behind.ts'
import { trusting } from './proxies.ts'
import { rulesInStep } from './rules.ts'
import { type StoredRules, vhosts } from './tables.ts'
import { edgesOf } from './view.ts'

/** The edge vhosts of these websites, with their edges, origin and certificate. */
export async function readBehind(db: Db, websiteIds: number[]): Promise<Behind[]> {
  if (!websiteIds.length) return []
  const found = await db
    .select({ ...getTableColumns(vhosts), website: websites.status })
    .from(vhosts)
    .innerJoin(websites, eq(websites.id, vhosts.websiteId))
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
  const served = await servedBy(db, websiteIds)
  return found.flatMap(({ id, websiteId, website, ...settings }) => {
    const site = sites.get(websiteId)
    const origin = site && origins.get(site.server.id)
    if (!site || !origin) return []
    const own = edges.filter(({ vhostId }) => vhostId === id)
    const { cdn, minutes, stale, rules } = settings
    const suspended = website === 'suspended'
    return { id, site, origin, cdn, minutes, stale, rules, edges: own, suspended, served: served.get(websiteId) }
  })
}

/** As `readBehind`, for one website. */
export async function behindOf(db: Db, websiteId: number): Promise<Behind> {
  const [behind] = await readBehind(db, [websiteId])
  return behind ?? unreachable()
}

/** The address at which edges reach an origin server; 422 if the server has none. */
export const originOf = async (db: Db, serverId: number): Promise<string> =>
  (await addressesOf(db, [serverId])).get(serverId) ?? unreachable()

const unreachable = (): never => {
  throw refused('The server of the website has no address that an edge could ask')
}

/** Addresses by server id; servers without an address are left out. */
export async function addressesOf(db: Db, ids: number[]): Promise<Map<number, string>> {
  if (!ids.length) return new Map()
  const found = await db
    .select({ id: servers.id, address: servers.address })
    .from(servers)
    .where(inArray(servers.id, ids))
  return new Map(found.flatMap(({ id, address }): [number, string][] => (address ? [[id, address]] : [])))
}

/** The desired state of a website on an edge, with all its names, including those that only redirect. */
export const edgeInput = ({
  id,
  site,
  origin,
  cdn,
  minutes,
  stale,
}: Behind): Omit<OperationInput<'edge-site.ensure'>, 'rules'> => ({
  vhostId: id,
  names: namesOf(site),
  origin,
  cache: cdn,
  keepMinutes: minutes,
  stale,
})

const on = ({ id, site }: Pick<Behind, 'id' | 'site'>, edge: Edge) => onEdge(site, { ...edge, vhostId: id })
const ofSite = ({ id }: Pick<Behind, 'id'>, edges: readonly Edge[]) => edges.map((edge) => ({ ...edge, vhostId: id }))

/** Writes the website's files on each edge. */
export const ensured = (behind: Behind, edges = behind.edges): PlanStep[] =>
  edges.map((edge) => step(edgeSiteEnsure, { ...edgeInput(behind), ...rulesInStep(behind) }, on(behind, edge)))

/** Installs the website's certificate on each edge, if it has one. */
export const secured = (behind: Behind, edges = behind.edges): PlanStep[] =>
  behind.served ? followsTo(behind.site, ofSite(behind, edges), behind.served) : []

export const unsecured = (behind: Behind, edges = behind.edges): PlanStep[] =>
  goesFrom(behind.site, ofSite(behind, edges))

/**
 * Steps that set up a website on new edges. First the origin trusts the edges; then each edge gets the cache, the files
 * and the certificate, and is probed.
 */
export const arriving = (behind: Behind, edges = behind.edges): PlanStep[] => [
  ...trusting(
    behind.site.server,
    edges.map(({ address = null }) => address),
  ),
  ...edges.flatMap((edge) => [
    step(packagesEnsure, { packages: EDGE_PACKAGES }, on(behind, edge)),
    step(
      nginxCacheEnsure,
      { maxSizeMb: CACHE_MB },
      { server: edge.serverId, resource: { type: 'nginx-cache', id: edge.serverId, name: edge.serverName } },
    ),
    ...ensured(behind, [edge]),
    ...secured(behind, [edge]),
    asked(behind, edge),
  ]),
]

export const asked = ({ site: { id, domain }, cdn, served, rules }: Behind, { serverId }: Edge): PlanStep =>
  step(
    edgeProbe,
    { serverId, domain, ...(!answersItself(rules) && { cache: cdn }), ...(served && { https: true }) },
    { resource: { type: 'website', id, name: domain }, optional: true },
  )

/** True if the edge may refuse or redirect a request for `/` before it looks into its cache. */
const answersItself = ({ locked, allow = [], deny = [], redirects = [] }: StoredRules) =>
  Boolean(locked) || allow.length > 0 || deny.length > 0 || redirects.some(({ from }) => from === '/')

/** Clears cached pages: these URLs, those with these prefixes, or all. */
export const cleared = (
  behind: Behind,
  which: { urls?: string[] | undefined; prefixes?: string[] | undefined } = {},
  edges = behind.edges,
): PlanStep[] => edges.map((edge) => step(edgeCacheClear, { vhostId: behind.id, ...which }, on(behind, edge)))

/**
 * Clears the pages of names whose answer changes; all pages if a wildcard is involved, because the names below it are
 * unknown.
 */
export function forgotten(behind: Behind, before: Site, after: Site): PlanStep[] {
  const names = [...new Set([...namesOf(before), ...namesOf(after)])].filter((name) => {
    const was = answerOf(before, name)
    return was !== undefined && was !== answerOf(after, name)
  })
  if (!names.length) return []
  const prefixes = names.flatMap((name) => [`http://${name}/`, `https://${name}/`])
  const isMany = prefixes.length > MOST_PREFIXES || names.some((name) => name.startsWith('*'))
  return cleared(behind, isMany ? {} : { prefixes })
}
const namesOf = ({ domain, aliases, redirects }: Site) => [domain, ...aliases, ...redirects]

function answerOf({ domain, aliases, redirects }: Site, name: string): string | undefined {
  if (redirects.includes(name)) return `301 to ${domain}`
  const isServed = [domain, ...aliases].some(
    (one) => one === name || (one.startsWith('*.') && name.endsWith(one.slice(1))),
  )
  return isServed ? 'served' : undefined
}
/** Maximum number of prefixes per request to an agent. */
const MOST_PREFIXES = 20

/** Removes the website's files, its key and its cached pages from the edges. */
export const leaving = (behind: Behind, edges = behind.edges): PlanStep[] => [
  ...edges.map((edge) => step(edgeSiteRemove, { vhostId: behind.id }, on(behind, edge))),
  ...(behind.served ? unsecured(behind, edges) : []),
  ...cleared(behind, {}, edges),
]

export const onNetwork = ({ edges }: Behind, network: Network) => edges.filter((edge) => edge.network === network)
