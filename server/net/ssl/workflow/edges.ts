import type { Site } from '../../../hosting/websites/siteSteps.ts'
import { type OutputReference, type PlanStep, secret, step } from '../../../kit/work/action.ts'
import { shownNames } from '../certificates/names.ts'
import { certificatesIn, namesOf } from '../certificates/read.ts'
import type { Served } from '../certificates/served.ts'
import { onEdge, type SiteEdge } from '../siteEdges.ts'
import { acmeAnswer, edgeCacheClear, edgeTlsEnsure, edgeTlsRemove, probe } from './actions.ts'

type At = Pick<Site, 'domain'>
interface Shown {
  names: string[] | OutputReference
  chain: string | OutputReference
  fingerprint: string | OutputReference
  /** Name of the secret that holds the private key. */
  key: string
  redirect: boolean
}

/** Prepares the edges to answer challenges before an order: the authority may reach an edge instead of the origin. */
export const challengesAt = (site: At, edges: readonly SiteEdge[], thumbprint: string): PlanStep[] =>
  edges.map((edge) => step(acmeAnswer, { thumbprint }, onEdge(site, edge)))

/** Installs the certificate on each edge and probes it from outside. */
export const comesTo = (site: At & Pick<Site, 'id'>, edges: readonly SiteEdge[], shown: Shown): PlanStep[] =>
  edges.flatMap((edge) => [
    step(
      edgeTlsEnsure,
      {
        ...{ vhostId: edge.vhostId, domain: site.domain },
        ...{ names: shown.names, chain: shown.chain, privateKey: secret(shown.key), redirect: shown.redirect },
      },
      onEdge(site, edge),
    ),
    step(
      probe,
      { serverId: edge.serverId, domain: site.domain, fingerprint: shown.fingerprint, edge: edge.serverName },
      { resource: { type: 'website', id: site.id, name: site.domain }, optional: true },
    ),
  ])

export const goesFrom = (site: At, edges: readonly Omit<SiteEdge, 'serverName'>[]): PlanStep[] =>
  edges.map((edge) => step(edgeTlsRemove, { vhostId: edge.vhostId, domain: site.domain }, onEdge(site, edge)))

/** Clears the cached pages of the website on its edges. */
export const forgotten = (site: At, edges: readonly SiteEdge[]): PlanStep[] =>
  edges.map((edge) => step(edgeCacheClear, { vhostId: edge.vhostId }, onEdge(site, edge)))

/** Installs the website's current certificate on its new edges. */
export function followsTo(site: Site, edges: readonly SiteEdge[], { certificate, https, thumbprint }: Served) {
  const [leaf] = certificatesIn(certificate.chain) ?? []
  const { chain, fingerprint, secret: key } = certificate
  const names = leaf ? shownNames(site, namesOf(leaf)) : []
  return [
    ...(thumbprint ? challengesAt(site, edges, thumbprint) : []),
    ...comesTo(site, edges, { names, chain, fingerprint, key, redirect: https.redirect }),
  ]
}
