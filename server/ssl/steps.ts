import { eq } from 'drizzle-orm'
import type { Db } from '../kit/db/db.ts'
import { outputOf, type PlanStep, secret, step } from '../kit/work/action.ts'
import { onSite, renaming, type Site } from '../websites/steps.ts'
import {
  acmeAnswer,
  order,
  probe,
  released,
  type SiteSettings,
  taken,
  tlsSiteEnsure,
  tlsSiteRemove,
} from './actions.ts'
import { challengesAt, comesTo, forgotten, goesFrom } from './edges.ts'
import { shownNames, type Wanted } from './names.ts'
import { certificatesIn, fingerprintOf, namesOf } from './read.ts'
import type { SiteEdge } from './siteEdges.ts'
import { siteCertificates } from './tables.ts'

export type State = 'active' | 'suspended'
/** Of the certificates table, what steps need. */
export interface Kept {
  id: number
  domain: string
}
/** How a website is to answer over https. */
export interface Https {
  redirect: boolean
  hstsDays: number
}
const DAY = 86_400

const onCertificate = ({ id }: Kept, { domain }: Site) => ({ resource: { type: 'certificate', id, name: domain } })
const onServer = (certificate: Kept, site: Site) => ({ server: site.server.id, ...onCertificate(certificate, site) })

/** What a website answers with now; null: nothing but http. */
export async function settingsOf(db: Db, websiteId: number): Promise<SiteSettings | null> {
  const [row] = await db.select().from(siteCertificates).where(eq(siteCertificates.websiteId, websiteId))
  return row ? { certificateId: row.certificateId, redirect: row.redirect, hstsDays: row.hstsDays } : null
}

/** Its site file as this version writes it, names and all: one of an older version knows nothing of certificates. */
export const refreshed = (site: Site, state: State): PlanStep[] => renaming(site, site, state)

/** What is issued already is installed and asked for. `chain` and `key` are those of the order, or of the certificate. */
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
  /** What visitors come by meanwhile. */
  served: string[]
  key: string
  https: Https
  before: SiteSettings | null
  edges: readonly SiteEdge[]
  force: boolean
}

/** Signed by an authority or by itself, installed, asked for. */
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

/** Before anything is ordered for a website: its server and its edges answer what the authority will ask. */
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
 * On the website's own server and on its edges; then our rows say so. Where http is to lead to https from now on, edges have
 * the certificate first: whoever comes by one is led there as well.
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
  // what was kept tells browsers of before
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

/** Edges last: until its own server leads nobody to https any more, whoever comes by one is led there. */
export const uninstallSteps = (site: Site, before: SiteSettings, edges: readonly SiteEdge[]): PlanStep[] => {
  const certificate = { id: before.certificateId, domain: site.domain }
  return [
    step(tlsSiteRemove, { domain: site.domain }, onServer(certificate, site)),
    ...goesFrom(site, edges),
    ...(before.redirect ? forgotten(site, edges) : []),
    step(released, { websiteId: site.id, before }, onCertificate(certificate, site)),
  ]
}

/** The files alone, of a website that goes or leaves a server: what it answers with is remembered. */
export const filesGo = (site: Site, type: 'certificate' | 'old-certificate', certificateId: number): PlanStep =>
  step(
    tlsSiteRemove,
    { domain: site.domain },
    { ...onSite(site, type), resource: { type, id: certificateId, name: site.domain } },
  )

/** And of one that comes: before it is served, so that it is from its first answer on. */
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
