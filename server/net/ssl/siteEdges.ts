import type { Network } from '@innkeeper/contract/net/vhosts/shapes'
import type { Site } from '../../hosting/websites/siteSteps.ts'
import type { Db } from '../../kit/db/db.ts'
import { refused } from '../../kit/http/errors.ts'

/** An edge that needs the website's certificate. */
export interface SiteEdge {
  vhostId: number
  network: Network
  serverId: number
  serverName: string
}

/** A domain that puts edges in front of websites. Each such domain exports this as `siteEdges` in `domain.ts`. */
export interface SiteEdgeSource {
  /** The edges of a website, those of the CDN first. */
  edges(db: Db, websiteId: number): Promise<SiteEdge[]>
  /** Whether edges fetch the website over TLS: without a certificate that they can verify, visitors would get 502. */
  fetchOverTls(db: Db, websiteId: number): Promise<boolean>
}

let sources: readonly SiteEdgeSource[] = []

/** Sets the sources of all domains; called by `registry.ts`. */
export function useSiteEdges(all: readonly SiteEdgeSource[]): void {
  sources = all
}

export async function edgesOfSite(db: Db, websiteId: number): Promise<SiteEdge[]> {
  const found: SiteEdge[] = []
  for (const one of sources) found.push(...(await one.edges(db, websiteId)))
  return found
}

export async function fetchedOverTls(db: Db, websiteId: number): Promise<boolean> {
  for (const one of sources) if (await one.fetchOverTls(db, websiteId)) return true
  return false
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
