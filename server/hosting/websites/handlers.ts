import type { websites as contract, Website } from '@innkeeper/contract/hosting/websites'
import { eq } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { notFound, refused } from '../../kit/http/errors.ts'
import { checkVersion } from '../../kit/http/version.ts'
import { act } from '../../kit/work/interventions.ts'
import { progressOf, readWorkflow, readWorkflows } from '../../machines/workflows/read.ts'
import { systemUsers } from '../systemUsers/tables.ts'
import { followersOf } from './family.ts'
import { joinGroup } from './groupMembers.ts'
import { listWebsites } from './list.ts'
import { makeWebsite } from './make.ts'
import { readLogLines } from './orchestrator/logLines.ts'
import { findAction, listResources, readResource, readResources, stoppedAction } from './orchestrator/orchestrator.ts'
import { aboutName, created, leftOut } from './parts/parts.ts'
import { switching } from './parts/switching.ts'
import { phpHandlers } from './php/php.ts'
import { choose } from './placement/placement.ts'
import { readSites } from './site.ts'
import { begin } from './startWorkflow.ts'
import { creation, plannedActions } from './steps.ts'
import { stoppedHandlers } from './stopped.ts'
import { websites } from './tables.ts'
import { hasStopped, removeWebsite } from './trash/removal.ts'
import { trashHandlers } from './trash/trash.ts'
import { readWebsite } from './view.ts'

export const websitesHandlers: Handlers<typeof contract> = {
  ...trashHandlers,
  ...stoppedHandlers,
  ...phpHandlers,

  list: (input, { db }) => listWebsites(db, input),
  one: ({ id }, { db }) => readWebsite(db, id),

  async create(input, context) {
    const { db } = context
    const site = await makeWebsite(context, input)
    if (input.groupId !== undefined) await joinGroup(db, input.groupId, site.id)
    const parts = await created('create', context, site, input)
    const steps = creation(site, parts.before, parts.after)
    const begun = await begin(context, site, 'website.create', steps, { exclude: input.excludeActions })
    await parts.begun(begun.workflowId)
    return begun
  },

  async plan(input, context) {
    const choice = await choose(context.db, input)
    return {
      zone: null,
      ...(choice.domain && (await aboutName(context, choice.domain))),
      actions: await plannedActions(choice, (site) => created('preview', context, site, input)),
      problems: choice.problems,
      username: choice.username ?? null,
      reused: choice.account !== undefined,
      documentRoot: choice.documentRoot ?? null,
    }
  },

  async leftOut({ id }, { db }) {
    await readWebsite(db, id)
    return leftOut(db, id)
  },
  creations: ({ id }, { db }) => ofKind(db, id, ['website.create']),
  deletions: ({ id }, { db }) => ofKind(db, id, ['website.delete']),

  remove: removeWebsite,

  async status({ id, status, version, reason }, context) {
    const { db, audit } = context
    const website = await readWebsite(db, id)
    audit.before({ status: website.status })
    audit.after({ status, reason })
    checkVersion(website, version, website.domain)
    if (website.status === status)
      throw refused(`${website.domain} is already ${status}`, { status: `Already ${status}` })
    if (website.status !== 'active' && website.status !== 'suspended')
      throw refused(`${website.domain} is ${website.status}: only an active or suspended website can be changed`)
    if (website.kind === 'alias')
      throw refused(`${website.domain} is a name of ${website.parentDomain}: change that website`)
    if (status === 'active') await refuseWhileHeld(db, website)
    const family = await followersOf(db, id, status)
    const sites = await readSites(db, [id, ...family.filter(({ kind }) => kind !== 'alias').map((one) => one.id)])
    const kind = status === 'suspended' ? 'website.suspend' : 'website.activate'
    return begin(context, website, kind, await switching(db, sites, status), {
      locks: family.map((one) => `website:${one.id}`),
    })
  },

  logLines: (input, { app }) => readLogLines(app, input),
  toggles: async ({ id }, { db }) => (await readWebsite(db, id)).toggles,

  async retry({ id }, { db, staff, audit }) {
    const website = await readWebsite(db, id)
    if (!website.workflowId || !(await hasStopped(db, website.workflowId)))
      throw refused(`${website.domain} is ${website.status}: nothing to retry`)
    const actionId = await stoppedAction(db, website.workflowId)
    await act(db, { workflowId: website.workflowId, actionId, actionType: 'retry', by: staff.name })
    audit.workflow(website.workflowId)
    return { data: await readWebsite(db, id), workflowId: website.workflowId }
  },

  async retryAction({ id, resourceType, action }, { db, staff, audit }) {
    await readWebsite(db, id)
    const found = await findAction(db, id, resourceType, action)
    await act(db, { workflowId: found.workflowId, actionId: found.id, actionType: 'retry', by: staff.name })
    audit.workflow(found.workflowId)
    return { data: await readWebsite(db, id), workflowId: found.workflowId }
  },

  async orchestrator({ id }, { db }) {
    await readWebsite(db, id)
    const items = await readResources(db, id)
    return { items, total: items.length }
  },
  resource: ({ id, type, resource }, { db }) => readResource(db, id, type, resource),
  resources: (input, { db }) => listResources(db, input),

  async updateAction({ id, resource, action, ...update }, { db, staff, audit }) {
    await readWebsite(db, id)
    const found = await findAction(db, id, resource, action)
    audit.of('website', id)
    audit.workflow(found.workflowId)
    audit.before(progressOf(await readWorkflow(db, found.workflowId)))
    await act(db, { ...update, workflowId: found.workflowId, actionId: found.id, by: staff.name })
    const now = await readWorkflow(db, found.workflowId)
    audit.after({ ...progressOf(now), ...(update.reason && { reason: update.reason }) })
    return now
  },
}

/** Reads workflows of a website by kind, even if the website was deleted. */
async function ofKind(db: Db, id: number, kinds: string[]) {
  const [known] = await db.select({ id: websites.id }).from(websites).where(eq(websites.id, id))
  if (!known) throw notFound('website', id)
  const items = await readWorkflows(db, { subjectType: 'website', subjectId: id, kinds })
  return { items, total: items.length }
}

/** Refuses to activate a website while its parent or its account is suspended. */
async function refuseWhileHeld(db: Db, { systemUserId, username, parentId }: Website) {
  const parent = parentId === null ? undefined : await readWebsite(db, parentId)
  if (parent?.status === 'suspended')
    throw refused(`The website belongs to ${parent.domain}, which is suspended: activate ${parent.domain}`)
  const [account] = await db
    .select({ status: systemUsers.status })
    .from(systemUsers)
    .where(eq(systemUsers.id, systemUserId))
  if (account?.status === 'suspended') throw refused(`Its account ${username} is suspended: activate the account first`)
}
