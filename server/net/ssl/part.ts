import { missing } from '@innkeeper/contract/kit/access'
import { eq, inArray } from 'drizzle-orm'
import { type Carry, comesAlong, type Part, stayingNames } from '../../hosting/websites/parts/parts.ts'
import type { Site } from '../../hosting/websites/siteSteps.ts'
import { websites } from '../../hosting/websites/tables.ts'
import type { Db } from '../../kit/db/db.ts'
import { denied } from '../../kit/http/errors.ts'
import type { PlanStep } from '../../kit/work/action.ts'
import { servers } from '../../machines/servers/tables.ts'
import { covers, renamedNames, wantedNames } from './certificates/names.ts'
import { servedWith } from './certificates/served.ts'
import { edgesOfSite } from './siteEdges.ts'
import { certificates, siteCertificates } from './tables.ts'
import { certificateForNew, plannedCertificate } from './workflow/forNew.ts'
import { newKeyName, noteWorkflow } from './workflow/issue.ts'
import { bringBackCertificate, certificateClosed, certificateNow, keepCertificate } from './workflow/keep.ts'
import { challengeSteps, filesCome, filesGo, orderSteps } from './workflow/steps.ts'

/** Steps that install the saved chain and key on another server or after a restore, without a new order. */
async function coming(db: Db, site: Site): Promise<PlanStep[]> {
  const served = await servedWith(db, site.id)
  if (!served) return []
  const { certificate, thumbprint } = served
  return [
    ...(thumbprint ? challengeSteps(site, certificate, thumbprint) : []),
    filesCome(site, certificate, served.https),
  ]
}

async function going(db: Db, site: Site, type: 'certificate' | 'old-certificate'): Promise<PlanStep[]> {
  const served = await servedWith(db, site.id)
  return served ? [filesGo(site, type, served.certificate.id)] : []
}

/** The certificate of a website: follows moves, and is installed before the website serves visitors. */
export const certificatePart: Part = {
  kind: 'certificate',
  title: 'Certificate',
  order: 86, // after the DNS records, because the authority looks up the names of the website
  along: { ...comesAlong, copy: 'A copy has no certificate until one is ordered' },
  async create({ app, db, staff }, site, { certificate: kind }) {
    if (!kind) return {}
    if (missing(staff, 'ssl:cert:create').length) throw denied(['ssl:cert:create'])
    const { id, steps } = await certificateForNew(app, db, site, kind, staff.id)
    return { after: steps, begun: (workflowId) => noteWorkflow(db, id, workflowId) }
  },
  preview: async (_, site, { certificate: kind }) => (kind ? { after: plannedCertificate(site, kind) } : {}),
  async list(db, ids) {
    const found = await db
      .select({ site: siteCertificates, certificate: certificates, where: servers.name })
      .from(siteCertificates)
      .innerJoin(certificates, eq(certificates.id, siteCertificates.certificateId))
      .innerJoin(websites, eq(websites.id, siteCertificates.websiteId))
      .innerJoin(servers, eq(servers.id, websites.serverId))
      .where(inArray(siteCertificates.websiteId, ids))
      .orderBy(siteCertificates.websiteId)
    return found.map(({ site, certificate: { id, names, issuer, notAfter }, where }) => ({
      websiteId: site.websiteId,
      type: 'certificate',
      id,
      name: names.join(', '),
      where,
      detail: `${issuer ?? 'no issuer'}, until ${notAfter?.slice(0, 10) ?? 'nobody knows when'}`,
    }))
  },
  remove: (db, site) => going(db, site, 'certificate'),
  restore: coming,
  keep: keepCertificate,
  closed: certificateClosed,
  now: certificateNow,
  bringBack: bringBackCertificate,
  move: async (db, { to }: Carry) => ({ files: [], prepare: await coming(db, to), frozen: [] }),
  leave: (db, site) => going(db, site, 'old-certificate'),
  rename,
}

/** Orders a certificate for both names before the rename, so that the old name stays covered during the rename. */
async function rename(db: Db, site: Site, to: Site) {
  const served = await servedWith(db, site.id)
  if (!served) return { changes: [], steps: [] }
  const { certificate, https } = served
  const before = certificate.names.join(', ')
  const change = (after: string) => [{ title: 'Certificate', before, after }]
  // uploaded certificates and those of other websites stay; the preview shows whether they cover the new name
  if (certificate.websiteId !== site.id || certificate.kind === 'custom') {
    const text = covers(certificate.names, to.domain)
      ? before
      : `${before}: not for ${to.domain}, which needs another one`
    return { changes: change(text), steps: [] }
  }
  const extraNames = renamedNames(certificate, site.domain, to.domain, await stayingNames(db, site.id))
  const { required, others } = wantedNames(to, { ...certificate, extraNames })
  const also = [site.domain].filter((name) => !required.includes(name) && !others.includes(name))
  const steps = orderSteps(site, certificate, {
    wanted: { required, others: [...others, ...also] },
    served: [site.domain, ...site.aliases, to.domain],
    key: newKeyName(certificate),
    ...{ https, before: https, force: false, edges: await edgesOfSite(db, site.id) },
  })
  return { changes: change([...required, ...others].join(', ')), steps }
}
