import { missing } from '@innkeeper/contract/kit/access'
import { and, eq, isNull } from 'drizzle-orm'
import * as z from 'zod'
import type { Bringing, Kept } from '../../../hosting/websites/parts/parts.ts'
import type { Site } from '../../../hosting/websites/siteSteps.ts'
import type { App } from '../../../kit/app/app.ts'
import { namesText } from '../../../kit/app/namesText.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { denied } from '../../../kit/http/errors.ts'
import { covers } from '../certificates/names.ts'
import { servedWith } from '../certificates/served.ts'
import { edgesOfSite } from '../siteEdges.ts'
import { certificateOrders, certificates } from '../tables.ts'
import { makeCertificate, newKeyName, noteWorkflow } from './issue.ts'
import { bringSteps, settingsOf } from './steps.ts'

const Facts = z.object({
  certificateId: z.int(),
  kind: z.enum(['custom', 'self-signed', 'lets-encrypt']),
  names: z.array(z.string()),
  notAfter: z.string().nullable(),
  fingerprint: z.string(),
  extraNames: z.array(z.string()),
  email: z.string().nullable(),
  autoRenew: z.boolean(),
  vhostAliases: z.boolean(),
  redirect: z.boolean(),
  hstsDays: z.int(),
})
type Facts = z.output<typeof Facts>
const textOf = ({ names, notAfter }: Pick<Facts, 'names' | 'notAfter'>) =>
  `certificate for ${namesText(names, 4)}, until ${notAfter?.slice(0, 10) ?? 'nobody knows when'}`

/** Facts of a certificate that comes from elsewhere. `renews`: Innkeeper orders the next one. */
export const foreignFacts = (
  { names, notAfter }: Pick<Facts, 'names' | 'notAfter'>,
  { renews }: { renews: boolean },
): Facts => ({
  ...{ certificateId: 0, kind: renews ? 'lets-encrypt' : 'custom', names, notAfter, fingerprint: '', email: null },
  ...{ extraNames: renews ? [] : names, autoRenew: renews, vhostAliases: true, redirect: false, hstsDays: 0 },
})

/** The certificate that a website serves, with its key, for a backup. */
export async function keepCertificate(
  { secrets }: Pick<App, 'secrets'>,
  db: Db,
  site: Site,
): Promise<Kept | undefined> {
  const served = await servedWith(db, site.id)
  const key = served && (await secrets.read(db, served.certificate.secret))
  if (!key) return undefined
  const { certificate, https } = served
  const facts = Facts.parse({ ...certificate, ...https, certificateId: certificate.id })
  return { text: textOf(facts), facts, content: { chain: certificate.chain, key } }
}

export async function certificateClosed(db: Db, { id, domain }: Pick<Site, 'id' | 'domain'>, kept: unknown) {
  const { names, notAfter, fingerprint } = Facts.parse(kept)
  if (notAfter && Date.parse(notAfter) <= Date.now())
    return `The certificate ended ${notAfter.slice(0, 10)}: order another one`
  if (!covers(names, domain)) return `The certificate is for ${names.join(', ')}, not for ${domain}`
  const served = await servedWith(db, id)
  return served?.certificate.fingerprint === fingerprint ? `${domain} shows this certificate now` : undefined
}

export async function certificateNow(db: Db, { id }: Pick<Site, 'id'>): Promise<string> {
  const served = await servedWith(db, id)
  return served ? textOf(served.certificate) : 'no certificate'
}

/**
 * Installs the certificate of a backup: in its own row if that row still exists, else in a new row. `redirect`: an output of an
 * earlier step, in place of what the backup says.
 */
export async function bringBackCertificate(
  context: Context,
  site: Site,
  kept: unknown,
  from: string,
  redirect?: boolean,
): Promise<Bringing> {
  const { db, staff } = context
  if (missing(staff, 'ssl:cert:create').length) throw denied(['ssl:cert:create'])
  const { certificateId, kind, extraNames, email, autoRenew, vhostAliases, names, ...then } = Facts.parse(kept)
  const [known] = await db
    .select()
    .from(certificates)
    .where(and(eq(certificates.id, certificateId), eq(certificates.websiteId, site.id), isNull(certificates.deletedAt)))
  const usable = known && known.state !== 'revoked' ? known : undefined
  const requested = { kind, extraNames, email, autoRenew, vhostAliases }
  const certificate = usable ?? (await makeCertificate(db, site, requested, staff.id))
  const key = newKeyName(certificate)
  await db.insert(certificateOrders).values({ certificateId: certificate.id, secret: key, outcome: 'running', names })
  const steps = bringSteps(site, certificate, {
    ...{ from, key, served: [site.domain, ...site.aliases, ...site.redirects] },
    ...{ before: await settingsOf(db, site.id), edges: await edgesOfSite(db, site.id) },
    https: { redirect: redirect ?? then.redirect, hstsDays: then.hstsDays },
  })
  return { steps, begun: (workflowId) => noteWorkflow(db, certificate.id, workflowId) }
}
