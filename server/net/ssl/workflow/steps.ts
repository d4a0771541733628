import { eq } from 'drizzle-orm'
import { onSite, type Site } from '../../../hosting/websites/siteSteps.ts'
import { renaming } from '../../../hosting/websites/steps.ts'
import type { Db } from '../../../kit/db/db.ts'
import { outputOf, type PlanStep, secret, step } from '../../../kit/work/action.ts'
import { shownNames, type Wanted } from '../certificates/names.ts'
import { certificatesIn, fingerprintOf, namesOf } from '../certificates/read.ts'
import type { SiteEdge } from '../siteEdges.ts'
import { siteCertificates } from '../tables.ts'
import {
  acmeAnswer,
  bring,
  order,
  probe,
  released,
  type SiteSettings,
  taken,
  tlsSiteEnsure,
  tlsSiteRemove,
} from './actions.ts'
import { challengesAt, comesTo, forgotten, goesFrom } from './edges.ts'

export type State = 'active' | 'suspended'
/** The columns of a certificate that steps need. */
export interface Kept {
  id: number
  domain: string
}
/** The https settings of a website. */
export interface Https {
  redirect: boolean
  hstsDays: number
}
const DAY = 86_400

const onCertificate = ({ id }: Kept, { domain }: Site) => ({ resource: { type: 'certificate', id, name: domain } })
const onServer = (certificate: Kept, site: Site) => ({ server: site.server.id, ...onCertificate(certificate, site) })

/** The current https settings of a website; null when it serves http only. */
export async function settingsOf(db: Db, websiteId: number): Promise<SiteSettings | null> {
  const [row] = await db.select().from(siteCertificates).where(eq(siteCertificates.websiteId, websiteId))
  return row ? { certificateId: row.certificateId, redirect: row.redirect, hstsDays: row.hstsDays } : null
}

/**
 * Rewrites the site file in the current format with all names, because a file from an older version cannot include a
 * certificate.
 */
export const refreshed = (site: Site, state: State): PlanStep[] => renaming(site, site, state)

/** Installs and probes an issued certificate. `chain` and `key` come from the order or from the certificate. */
export function installSteps(
  site: Site,
  certificate: Kept,
  what: {
    chain: string
    key: string
    https: Https
    before: SiteSettings | null
    edges: readonly SiteEdge[]
    isNew?: boolean
  },
): PlanStep[] {
  const [leaf] = certificatesIn(what.chain) ?? []
  if (!leaf) throw new Error('a chain without a certificate is not installed')
  const names = shownNames(site, namesOf(leaf))
  const install = step(
    tlsSiteEnsure,
    {
      domain: site.domain,
      names,
      chain: what.chain,
      privateKey: secret(what.key),
      redirect: what.https.redirect,
      hsts: what.https.hstsDays * DAY,
    },
    onServer(certificate, site),
  )
  return installed(
    site,
    certificate,
    install,
    { names, chain: what.chain, fingerprint: fingerprintOf(leaf), key: what.key },
    { ...what, keyName: what.isNew ? what.key : null },
  )
}

export interface Ordering {
  wanted: Wanted
  /** Names that visitors use while the order runs. */
  served: string[]
  key: string
  https: Https
  before: SiteSettings | null
  edges: readonly SiteEdge[]
  force: boolean
}

/** Orders or signs a certificate, installs and probes it. */
export function orderSteps(
  site: Site,
  certificate: Kept,
  { wanted, served, key, https, before, edges, force }: Ordering,
): PlanStep[] {
  const ordering = step(
    order,
    { certificateId: certificate.id, keyName: key, serverId: site.server.id, ...wanted, served, force },
    onCertificate(certificate, site),
  )
  return issuedSteps(site, certificate, ordering, { key, https, before, edges })
}

/** Restores a certificate of a backup, whose settings an earlier step writes into the secret `from`. */
export function bringSteps(
  site: Site,
  certificate: Kept,
  { from, served, ...what }: Pick<Ordering, 'served' | 'key' | 'https' | 'before' | 'edges'> & { from: string },
): PlanStep[] {
  const on = onCertificate(certificate, site)
  const bringing = step(bring, { certificateId: certificate.id, keyName: what.key, from, served }, on)
  return issuedSteps(site, certificate, bringing, what)
}

/** Installs and probes the certificate that an earlier step returns. */
function issuedSteps(
  site: Site,
  certificate: Kept,
  ordering: PlanStep,
  { key, https, before, edges }: Pick<Ordering, 'key' | 'https' | 'before' | 'edges'>,
): PlanStep[] {
  const install = step(
    tlsSiteEnsure,
    {
      domain: site.domain,
      names: outputOf(ordering, 'shown'),
      chain: outputOf(ordering, 'chain'),
      privateKey: secret(key),
      redirect: https.redirect,
      hsts: https.hstsDays * DAY,
    },
    onServer(certificate, site),
  )
  const shown = {
    names: outputOf(ordering, 'shown'),
    chain: outputOf(ordering, 'chain'),
    fingerprint: outputOf(ordering, 'fingerprint'),
    key,
  }
  return [ordering, ...installed(site, certificate, install, shown, { https, before, edges, keyName: key })]
}

/** Prepares the server and the edges of a website to answer challenges before the order. */
export const challengeSteps = (
  site: Site,
  certificate: Kept,
  thumbprint: string,
  edges: readonly SiteEdge[] = [],
): PlanStep[] => [
  step(acmeAnswer, { thumbprint }, onServer(certificate, site)),
  ...challengesAt(site, edges, thumbprint),
]

/**
 * Installs a certificate on the origin and the edges, then saves that it is served. When http starts to redirect to
 * https, the edges get the certificate first, because visitors through an edge are redirected as well.
 */
function installed(
  site: Site,
  certificate: Kept,
  install: PlanStep,
  shown: Omit<Parameters<typeof comesTo>[2], 'redirect'>,
  what: { https: Https; before: SiteSettings | null; edges: readonly SiteEdge[]; keyName: string | null },
): PlanStep[] {
  const { https, before, edges, keyName } = what
  const there = [
    install,
    step(
      probe,
      { serverId: site.server.id, domain: site.domain, fingerprint: shown.fingerprint },
      { ...onCertificate(certificate, site), optional: true },
    ),
  ]
  const onEdges = comesTo(site, edges, { ...shown, redirect: https.redirect })
  const edgesFirst = https.redirect && !before?.redirect
  // cached pages still carry the previous redirect and HSTS headers
  const isOther = before !== null && (before.redirect !== https.redirect || before.hstsDays !== https.hstsDays)
  return [
    ...(edgesFirst ? [...onEdges, ...there] : [...there, ...onEdges]),
    ...(isOther ? forgotten(site, edges) : []),
    step(
      taken,
      {
        websiteId: site.id,
        certificateId: certificate.id,
        keyName,
        redirect: https.redirect,
        hstsDays: https.hstsDays,
        before,
      },
      onCertificate(certificate, site),
    ),
  ]
}

/**
 * Removes the certificate from the origin first: while the origin redirects to https, the edges still need the
 * certificate.
 */
export const uninstallSteps = (site: Site, before: SiteSettings, edges: readonly SiteEdge[]): PlanStep[] => {
  const certificate = { id: before.certificateId, domain: site.domain }
  return [
    step(tlsSiteRemove, { domain: site.domain }, onServer(certificate, site)),
    ...goesFrom(site, edges),
    ...(before.redirect ? forgotten(site, edges) : []),
    step(released, { websiteId: site.id, before }, onCertificate(certificate, site)),
  ]
}

/** Removes only the files of a website that is deleted or leaves a server; the settings stay saved. */
export const filesGo = (site: Site, type: 'certificate' | 'old-certificate', certificateId: number): PlanStep =>
  step(
    tlsSiteRemove,
    { domain: site.domain },
    { ...onSite(site, type), resource: { type, id: certificateId, name: site.domain } },
  )

/** Installs the files on the new server before the website is served there. */
export const filesCome = (
  site: Site,
  certificate: Kept & { chain: string; secret: string },
  { redirect, hstsDays }: Https,
): PlanStep => {
  const [leaf] = certificatesIn(certificate.chain) ?? []
  return step(
    tlsSiteEnsure,
    {
      domain: site.domain,
      names: leaf ? shownNames(site, namesOf(leaf)) : [],
      chain: certificate.chain,
      privateKey: secret(certificate.secret),
      redirect,
      hsts: hstsDays * DAY,
    },
    onServer(certificate, site),
  )
}
