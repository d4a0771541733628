import { randomBytes } from 'node:crypto'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Site } from '../../../hosting/websites/siteSteps.ts'
import type { App } from '../../../kit/app/app.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { PlanStep } from '../../../kit/work/action.ts'
import { readThumbprint } from '../acme/account.ts'
import { wantedNames } from '../certificates/names.ts'
import { certificatesIn, factsOf } from '../certificates/read.ts'
import type { KeptCertificate } from '../certificates/view.ts'
import { edgesOfSite } from '../siteEdges.ts'
import { certificateOrders, certificates } from '../tables.ts'
import { challengeSteps, type Https, orderSteps, settingsOf } from './steps.ts'

export interface RequestedCertificate {
  kind: KeptCertificate['kind']
  extraNames: string[]
  email: string | null
  autoRenew: boolean
  vhostAliases: boolean
}

/** Creates the row of a new certificate; nothing is issued yet. */
export async function makeCertificate(
  db: Db,
  site: Site,
  requested: RequestedCertificate,
  by: number | null,
): Promise<KeptCertificate> {
  const { required, others } = wantedNames(site, requested)
  const names = requested.kind === 'custom' ? requested.extraNames : [...required, ...others]
  const [made] = await db
    .insert(certificates)
    .values({
      websiteId: site.id,
      domain: site.domain,
      names,
      search: [site.domain, ...names].join(' '),
      state: 'ordering',
      createdBy: by,
      ...requested,
    })
    .returning()
  if (!made) throw new Error('a certificate was not saved')
  return made
}

export const newKeyName = ({ id }: Pick<KeptCertificate, 'id'>): string =>
  `certificate:${id}:${randomBytes(6).toString('hex')}`

/**
 * Saves an already issued certificate as an order and its key as a secret; returns the name of that secret and the
 * chain.
 */
export async function keepIssued(
  app: Pick<App, 'secrets'>,
  db: Db,
  certificate: Pick<KeptCertificate, 'id'>,
  { chain, key: keyText }: { chain: string; key: string },
): Promise<{ key: string; chain: string }> {
  const [leaf, ...rest] = certificatesIn(chain) ?? []
  if (!leaf) throw new Error('a chain without a certificate is not kept')
  const { names, fingerprint, notAfter, chain: pem } = factsOf([leaf, ...rest])
  const key = newKeyName(certificate)
  await db
    .insert(certificateOrders)
    .values({ certificateId: certificate.id, secret: key, outcome: 'issued', names, fingerprint, notAfter, chain: pem })
  await app.secrets.write(db, key, keyText)
  return { key, chain: pem }
}

/**
 * The steps that order or sign a certificate again, for the current names of `site`. `https` defaults to the current
 * settings of the website; without any, http redirects to https unless the certificate is self-signed.
 */
export async function issue(
  app: Pick<App, 'secrets'>,
  db: Db,
  site: Site,
  certificate: KeptCertificate,
  { https = {}, force = false }: { https?: Partial<Https>; force?: boolean } = {},
): Promise<PlanStep[]> {
  const before = await settingsOf(db, site.id)
  const edges = await edgesOfSite(db, site.id)
  const wanted = wantedNames(site, certificate)
  const key = newKeyName(certificate)
  const ordered = certificate.kind === 'lets-encrypt'
  await db.insert(certificateOrders).values({
    certificateId: certificate.id,
    secret: key,
    outcome: 'running',
    names: [...wanted.required, ...wanted.others],
  })
  return [
    ...(ordered ? challengeSteps(site, certificate, await readThumbprint(app, db), edges) : []),
    ...orderSteps(site, certificate, {
      ...{ wanted, key, before, edges, force },
      served: [site.domain, ...site.aliases, ...site.redirects],
      https: { ...usual(certificate, before), ...https },
    }),
  ]
}

export const usual = ({ kind }: Pick<KeptCertificate, 'kind'>, before: Https | null): Https =>
  before ? { redirect: before.redirect, hstsDays: before.hstsDays } : { redirect: kind !== 'self-signed', hstsDays: 0 }

/** Only the settings that the request contains. */
export const defined = (
  https: { redirect?: boolean | undefined; hstsDays?: number | undefined } | undefined,
): Partial<Https> => ({
  ...(https?.redirect !== undefined && { redirect: https.redirect }),
  ...(https?.hstsDays !== undefined && { hstsDays: https.hstsDays }),
})

/** Links the certificate and its open order to the workflow. */
export async function noteWorkflow(db: Db, certificateId: number, workflowId: number): Promise<void> {
  await db.update(certificates).set({ workflowId }).where(eq(certificates.id, certificateId))
  await db
    .update(certificateOrders)
    .set({ workflowId })
    .where(
      and(
        eq(certificateOrders.certificateId, certificateId),
        isNull(certificateOrders.workflowId),
        inArray(certificateOrders.outcome, ['running', 'issued']),
      ),
    )
}
