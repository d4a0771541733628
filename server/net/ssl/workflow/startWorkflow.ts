import type { Website } from '@innkeeper/contract/hosting/websites'
import { eq } from 'drizzle-orm'
import { startOn } from '../../../hosting/websites/startWorkflow.ts'
import { websites } from '../../../hosting/websites/tables.ts'
import { readWebsite } from '../../../hosting/websites/view.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import type { PlanStep } from '../../../kit/work/action.ts'
import { readCertificate } from '../certificates/view.ts'
import { noteWorkflow } from './issue.ts'
import type { State } from './steps.ts'

type Kind = 'certificate.issue' | 'certificate.renew' | 'certificate.install' | 'certificate.remove'

/**
 * Locks a website that can serve https, until the transaction ends. 422 for an alias and for a website that is not
 * active or suspended.
 */
export async function holdSite(db: Db, id: number, field = 'websiteId'): Promise<Website & { state: State }> {
  await db.select({ id: websites.id }).from(websites).where(eq(websites.id, id)).for('update')
  const website = await readWebsite(db, id)
  const no = (text: string) => refused(text, { [field]: text })
  if (website.kind === 'alias')
    throw no(`${website.domain} is a name of ${website.parentDomain}, which has the certificate`)
  if (website.status !== 'active' && website.status !== 'suspended')
    throw no(`${website.domain} is ${website.status}: it has to be active`)
  return { ...website, state: website.status }
}

interface Beginning {
  website: Pick<Website, 'id' | 'domain'>
  certificateId: number
  kind: Kind
  steps: PlanStep[]
}

/** Starts a certificate workflow, which takes the website's lock, in the caller's transaction. */
export async function begin(
  db: Db,
  { website, certificateId, kind, steps }: Beginning,
  by: { id: number | null; name: string },
): Promise<number> {
  const workflowId = await startOn(db, website, kind, steps, by)
  await noteWorkflow(db, certificateId, workflowId)
  await changed(db, 'ssl', certificateId)
  return workflowId
}

/** Like `begin`, for a handler: also fills the log row, and returns the answer. */
export async function answer(context: Context, what: Beginning) {
  const { db, staff, audit } = context
  const workflowId = await begin(db, what, staff)
  const data = await readCertificate(db, what.certificateId)
  audit.of('certificate', what.certificateId)
  audit.workflow(workflowId)
  audit.after(data)
  return { data, workflowId }
}
