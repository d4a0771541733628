import { eq } from 'drizzle-orm'
import { outputOf, type PlanStep, secret, step } from '../kit/action.ts'
import type { Db } from '../kit/db.ts'
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
import { shownNames, type Wanted } from './names.ts'
import { certificatesIn, fingerprintOf, namesOf } from './read.ts'
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
  what: { chain: string; key: string; https: Https; before: SiteSettings | null; isNew?: boolean },
): PlanStep[] {
  const [leaf] = certificatesIn(what.chain) ?? []
  if (!leaf) throw new Error('a chain without a certificate is not installed')
  const install = step(
    tlsSiteEnsure,
    {
      domain: site.domain,
      names: shownNames(site, namesOf(leaf)),
      chain: what.chain,
      privateKey: secret(what.key),
      redirect: what.https.redirect,
      hsts: what.https.hstsDays * DAY,
    },
    onServer(certificate, site),
  )
  return [
    install,
    ...afterwards(site, certificate, fingerprintOf(leaf), { ...what, keyName: what.isNew ? what.key : null }),
  ]
}

export interface Ordering {
  wanted: Wanted
  /** What visitors come by meanwhile. */
  served: string[]
  key: string
  https: Https
  before: SiteSettings | null
  force: boolean
}

/** Signed by an authority or by itself, installed, asked for. */
export function orderSteps(
  site: Site,
  certificate: Kept,
  { wanted, served, key, https, before, force }: Ordering,
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
  return [
    ordering,
    install,
    ...afterwards(site, certificate, outputOf(ordering, 'fingerprint'), { https, before, keyName: key }),
  ]
}

/** Before anything is ordered for a website: its server answers what the authority will ask. */
export const challengeStep = (site: Site, certificate: Kept, thumbprint: string): PlanStep =>
  step(acmeAnswer, { thumbprint }, onServer(certificate, site))

function afterwards(
  site: Site,
  certificate: Kept,
  fingerprint: string | ReturnType<typeof outputOf>,
  { https, before, keyName }: { https: Https; before: SiteSettings | null; keyName: string | null },
): PlanStep[] {
  return [
    step(
      probe,
      { serverId: site.server.id, domain: site.domain, fingerprint },
      { ...onCertificate(certificate, site), optional: true },
    ),
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

export const uninstallSteps = (site: Site, before: SiteSettings): PlanStep[] => {
  const certificate = { id: before.certificateId, domain: site.domain }
  return [
    step(tlsSiteRemove, { domain: site.domain }, onServer(certificate, site)),
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
