import { MOST_NAMES } from '@innkeeper/contract/net/ssl/shapes'
import { readSite } from '../../../hosting/websites/site.ts'
import type { Context } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { readNames, wantedNames } from '../certificates/names.ts'
import { defined, issue, makeCertificate } from './issue.ts'
import { answer, holdSite } from './startWorkflow.ts'
import { refreshed } from './steps.ts'

interface Typed {
  websiteId: number
  email?: string | null | undefined
  autoRenew?: boolean | undefined
  vhostAliases?: boolean | undefined
  redirect?: boolean | undefined
  hstsDays?: number | undefined
}

/** Creates a certificate that is ordered or self-signed, and starts its workflow. */
export async function create(
  context: Context,
  { websiteId, email = null, autoRenew = true, vhostAliases = true, ...https }: Typed,
  kind: 'lets-encrypt' | 'self-signed',
  typed: readonly string[],
  field: string,
  force = false,
) {
  const { db, app, staff } = context
  const website = await holdSite(db, websiteId, field === 'id' ? 'id' : 'websiteId')
  const site = await readSite(db, websiteId)
  const { names: extraNames, problem } = readNames(typed, site.domain)
  if (problem) throw refused(problem, { [field]: problem })
  const foreign = extraNames.find(
    (name) => !name.endsWith(`.${site.domain}`) && ![...site.aliases, ...site.redirects].includes(name),
  )
  if (foreign) {
    const text = `${foreign} is not a name of ${site.domain}: add it as an alias first`
    throw refused(text, { [field]: text })
  }
  const { required, others } = wantedNames(site, { extraNames, vhostAliases })
  if (required.length + others.length > MOST_NAMES) {
    const text = `${required.length + others.length} names: a certificate has ${MOST_NAMES} at most`
    throw refused(text, { [field]: text })
  }
  const certificate = await makeCertificate(db, site, { kind, extraNames, email, autoRenew, vhostAliases }, staff.id)
  const steps = [
    ...refreshed(site, website.state),
    ...(await issue(app, db, site, certificate, { https: defined(https), force })),
  ]
  return answer(context, { website, certificateId: certificate.id, kind: 'certificate.issue', steps })
}
