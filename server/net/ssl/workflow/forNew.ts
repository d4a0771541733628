import type { Site } from '../../../hosting/websites/siteSteps.ts'
import type { App } from '../../../kit/app/app.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { PlanStep } from '../../../kit/work/action.ts'
import { wantedNames } from '../certificates/names.ts'
import { issue, makeCertificate, usual } from './issue.ts'
import { challengeSteps, orderSteps } from './steps.ts'

type Kind = 'lets-encrypt' | 'self-signed'
const requested = { extraNames: [], email: null, autoRenew: true, vhostAliases: true }

/** Creates the certificate row of a new website, and the steps to run once the website is served. */
export async function certificateForNew(
  app: Pick<App, 'secrets'>,
  db: Db,
  site: Site,
  kind: Kind,
  by: number,
): Promise<{ id: number; steps: PlanStep[] }> {
  const certificate = await makeCertificate(db, site, { kind, ...requested }, by)
  return { id: certificate.id, steps: await issue(app, db, site, certificate) }
}

/** The steps of `certificateForNew` for a preview; saves nothing. */
export function plannedCertificate(site: Site, kind: Kind): PlanStep[] {
  const certificate = { id: 1, domain: site.domain }
  const ordering = orderSteps(site, certificate, {
    wanted: wantedNames(site, requested),
    served: [],
    key: 'certificate:1:000000000000',
    ...{ https: usual({ kind }, null), before: null, edges: [], force: false },
  })
  return kind === 'lets-encrypt' ? [...challengeSteps(site, certificate, 'x'.repeat(43)), ...ordering] : ordering
}
