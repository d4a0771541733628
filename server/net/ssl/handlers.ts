import type { ssl as contract } from '@innkeeper/contract/net/ssl/calls'
import { eq, sql } from 'drizzle-orm'
import { readSite } from '../../hosting/websites/site.ts'
import type { Site } from '../../hosting/websites/siteSteps.ts'
import { readWebsite } from '../../hosting/websites/view.ts'
import type { App } from '../../kit/app/app.ts'
import { letsEncrypt } from '../../kit/app/settings.ts'
import { dayText } from '../../kit/app/sinceText.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { conflict, refused } from '../../kit/http/errors.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { lookAt, type Upload } from './certificates/custom.ts'
import { forget, isAtWork } from './certificates/deleteCertificates.ts'
import { distrustOfEdges } from './certificates/edgeTrust.ts'
import { listCertificates } from './certificates/list.ts'
import { covers, wantedNames } from './certificates/names.ts'
import { dateOf, keyPem, linkOf, nameIn, namesOf, pemOf } from './certificates/read.ts'
import { startRevoking } from './certificates/revoke.ts'
import { holdKept, type KeptCertificate, readCertificate, readKept, readView } from './certificates/view.ts'
import { allLimits } from './orders/budget.ts'
import { preflight } from './orders/preflightCall.ts'
import { edgesOfSite, refuseUncheckable } from './siteEdges.ts'
import { certificates, siteCertificates } from './tables.ts'
import { create } from './workflow/create.ts'
import { defined, issue, keepIssued, makeCertificate, type RequestedCertificate, usual } from './workflow/issue.ts'
import { answer, holdSite } from './workflow/startWorkflow.ts'
import { installSteps, refreshed, settingsOf, uninstallSteps } from './workflow/steps.ts'

export const sslHandlers: Handlers<typeof contract> = {
  list: (input, { db }) => listCertificates(db, input),
  one: ({ id }, { db }) => readView(db, id),

  async ofWebsite({ id }, { db }) {
    await readWebsite(db, id)
    const { items } = await listCertificates(db, { website: [id], page: 1, itemsPerPage: 200 })
    const [https] = await db.select().from(siteCertificates).where(eq(siteCertificates.websiteId, id))
    // the website may use a certificate of another website, such as a wildcard of its parent
    if (https && !items.some((one) => one.id === https.certificateId))
      items.unshift(await readCertificate(db, https.certificateId))
    const { required, others } = wantedNames(await readSite(db, id), { extraNames: [], vhostAliases: true })
    return { items, total: items.length, https: https ?? null, wanted: [...required, ...others] }
  },

  order: ({ id }, context) => create(context, { websiteId: id }, 'lets-encrypt', [], 'id'),
  letsEncrypt: ({ subDomains = [], force, ...typed }, context) =>
    create(context, typed, 'lets-encrypt', subDomains, 'subDomains', force),
  async selfSigned({ altNames = [], ...typed }, context) {
    await refuseUncheckable(context.db, typed.websiteId)
    return create(context, typed, 'self-signed', altNames, 'altNames')
  },

  // the call is a stream: the handler asks edges first, and only `lastly` runs in a transaction
  async custom({ websiteId, redirect, hstsDays, ...upload }, context) {
    const { app, staff } = context
    await holdSite(context.db, websiteId)
    const { problems, chain, key } = await lookFor(app, upload, await readSite(context.db, websiteId))
    if (Object.keys(problems).length) throw refused(Object.values(problems).join('\n'), problems)
    const [leaf] = chain
    if (!leaf || !key) throw refused('A certificate comes with its key', { key: 'Required' })
    return context.lastly(async (db) => {
      const website = await holdSite(db, websiteId)
      const site = await readSite(db, websiteId)
      const requested: RequestedCertificate = {
        kind: 'custom',
        extraNames: namesOf(leaf),
        email: null,
        autoRenew: false,
        vhostAliases: false,
      }
      const certificate = await makeCertificate(db, site, requested, staff.id)
      const issued = await keepIssued(app, db, certificate, { chain: pemOf(chain), key: keyPem(key) })
      const before = await settingsOf(db, websiteId)
      const https = { ...usual(certificate, before), ...defined({ redirect, hstsDays }) }
      const what = { ...issued, https, before, edges: await edgesOfSite(db, websiteId), isNew: true }
      const steps = [...refreshed(site, website.state), ...installSteps(site, certificate, what)]
      return answer({ ...context, db }, { website, certificateId: certificate.id, kind: 'certificate.issue', steps })
    })
  },

  async renew({ id, version, force }, context) {
    const { db, app, audit } = context
    audit.of('certificate', id)
    const kept = await readKept(db, id)
    checkVersion(kept, version)
    if (kept.kind === 'custom') throw refused('An uploaded certificate is renewed at its authority: upload the new one')
    if (kept.state === 'revoked') throw refused('The certificate is revoked: order another one')
    const website = await holdSite(db, kept.websiteId, 'id')
    const site = await readSite(db, website.id)
    const steps = [...refreshed(site, website.state), ...(await issue(app, db, site, kept, { force: force ?? false }))]
    return answer(context, { website, certificateId: id, kind: 'certificate.renew', steps })
  },

  async settings({ id, version, ...change }, { db, audit }) {
    audit.of('certificate', id)
    const kept = await holdKept(db, id)
    checkVersion(kept, version)
    if (kept.kind === 'custom' && change.autoRenew)
      throw refused('An uploaded certificate is renewed at its authority', {
        autoRenew: 'Not for an uploaded certificate',
      })
    const autoRenew = change.autoRenew ?? kept.autoRenew
    await db
      .update(certificates)
      .set({
        ...(change.email !== undefined && { email: change.email }),
        ...(change.vhostAliases !== undefined && { vhostAliases: change.vhostAliases }),
        autoRenew,
        ...(autoRenew ? { renewAt: sql`coalesce(renew_at, expiring_at)` } : { renewAt: null }),
        ...nextVersion,
      })
      .where(eq(certificates.id, id))
    await changed(db, 'ssl', id)
    return readCertificate(db, id)
  },

  // the call is a stream: the handler asks edges first, and only `lastly` runs in a transaction
  async install({ id, websiteId, redirect, hstsDays }, context) {
    const { chain, websiteId: own } = await readKept(context.db, id)
    const wrong = chain && (await distrustOfEdges(context.app, websiteId ?? own, chain))
    if (wrong) throw refused(wrong, { websiteId: wrong })
    return context.lastly(async (db) => {
      const kept = await readKept(db, id)
      const website = await holdSite(db, websiteId ?? kept.websiteId)
      if (kept.state === 'revoked') throw refused('The certificate is revoked and cannot be installed')
      if (!kept.chain || !kept.secret)
        throw refused(`The certificate is ${kept.state}: there is nothing to install yet`)
      const site = await readSite(db, website.id)
      const before = await settingsOf(db, website.id)
      const https = { ...usual(kept, before), ...defined({ redirect, hstsDays }) }
      refuseUnfit(kept, site)
      const what = { chain: kept.chain, key: kept.secret, https, before, edges: await edgesOfSite(db, site.id) }
      const plan = [...refreshed(site, website.state), ...installSteps(site, kept, what)]
      return answer({ ...context, db }, { website, certificateId: id, kind: 'certificate.install', steps: plan })
    })
  },

  async uninstall({ id }, context) {
    const { db } = context
    const website = await holdSite(db, id, 'id')
    const before = await settingsOf(db, id)
    if (!before) throw refused(`${website.domain} is already served over http only`)
    await refuseUncheckable(db, website.id)
    const steps = uninstallSteps(await readSite(db, id), before, await edgesOfSite(db, id))
    return answer(context, { website, certificateId: before.certificateId, kind: 'certificate.remove', steps })
  },

  async remove({ id, version, revoke }, { db, staff, audit, status }) {
    audit.of('certificate', id)
    const kept = await holdKept(db, id) // no website starts to use the certificate during the deletion
    const shown = await readCertificate(db, id)
    checkVersion(kept, version)
    audit.before(shown)
    audit.after(null)
    if (shown.uses.length)
      throw conflict(
        `${shown.uses.map(({ domain }) => domain).join(', ')} ${shown.uses.length === 1 ? 'answers' : 'answer'} with it: install another one there first, or take it off`,
        { current: shown },
      )
    if (await isAtWork(db, shown.workflowId))
      throw conflict('A workflow uses it: wait for its end, or roll it back first', { current: shown })
    if (revoke) {
      const workflowId = await startRevoking(db, kept, revoke, staff)
      audit.workflow(workflowId)
      status(202)
      return { workflowId }
    }
    status(204)
    await forget(db, [id])
    await changed(db, 'ssl', id)
    return undefined
  },

  async check({ websiteId, ...upload }, { db, app }) {
    const site = websiteId === undefined ? undefined : await readSite(db, websiteId)
    const { problems, warnings, chain } = await lookFor(app, upload, site)
    const [leaf] = chain
    return {
      ...{ problems, warnings },
      names: leaf ? namesOf(leaf) : [],
      notAfter: leaf ? dateOf(leaf.validTo) : null,
      issuer: leaf ? nameIn(leaf.issuer) : null,
      chain: chain.map(linkOf),
    }
  },

  preflight: (input, { app }) => preflight(app, input),

  async limits(_, { db, app }) {
    const { acme: directory } = app.settings
    return { directory, isStaging: directory === letsEncrypt.staging, limits: await allLimits(db, directory) }
  },
}

/** Validates an upload for a website, also as its edges would. */
async function lookFor(app: App, upload: Upload, site: Site | undefined) {
  if (!site) return lookAt(upload, [])
  const looked = lookAt(upload, [site.domain, ...site.aliases, ...site.redirects])
  const { problems, chain } = looked
  const wrong = Object.keys(problems).length ? undefined : await distrustOfEdges(app, site.id, pemOf(chain))
  return wrong ? { ...looked, problems: { certificate: wrong } } : looked
}

/** Refuses a certificate that does not cover the website's name or has expired. */
function refuseUnfit({ names, notAfter }: KeptCertificate, { domain }: Site): void {
  const text =
    notAfter && Date.parse(notAfter) <= Date.now()
      ? `The certificate ended ${dayText(notAfter)}`
      : !covers(names, domain)
        ? `The certificate is for ${names.join(', ')}, not for ${domain}`
        : undefined
  if (text) throw refused(text, { websiteId: text })
}

function checkVersion(kept: KeptCertificate, version: number | undefined): void {
  const { chain: _, secret: __, search: ___, ...current } = kept
  if (version !== undefined && version !== kept.version)
    throw conflict('The certificate was changed by somebody else meanwhile', { current })
}
