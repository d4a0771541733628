import type { names as contract } from '@innkeeper/contract/hosting/names/calls'
import type { PlannedAction, Website } from '@innkeeper/contract/hosting/websites'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { refused } from '../../kit/http/errors.ts'
import { checkVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import type { PlanStep } from '../../kit/work/action.ts'
import { holdAccount } from '../systemUsers/hold.ts'
import { refusalOf } from '../websites/placement/problems.ts'
import { readSite } from '../websites/site.ts'
import { begin } from '../websites/startWorkflow.ts'
import { subCreation } from '../websites/steps.ts'
import { websites } from '../websites/tables.ts'
import { readWebsite } from '../websites/view.ts'
import { aliasSteps, chooseAlias } from './alias.ts'
import { readNamedFiles } from './files.ts'
import { listNames } from './list.ts'
import { planRename } from './planRename.ts'
import { renameWebsite } from './rename.ts'
import { chooseSub } from './subwebsite.ts'

export const namesHandlers: Handlers<typeof contract> = {
  async ofWebsite({ id }, { db }) {
    const items = await listNames(db, id)
    return { items, total: items.length }
  },

  async planAlias({ id, ...wanted }, { db }) {
    const website = await readWebsite(db, id)
    const { problems, actions } = await chooseAlias(db, website, wanted)
    return { problems, actions: shown(actions, website) }
  },

  async addAlias({ id, mode = 'serve', ...wanted }, context) {
    const { db } = context
    const website = await readWebsite(db, id)
    checkSame(website, wanted)
    await holdAccount(db, website.systemUserId)
    const choice = await chooseAlias(db, website, { ...wanted, mode })
    const { problems, domain } = choice
    if (!domain || Object.keys(problems).length) throw refusalOf(choice)
    const aliasId = await addMember(context, website, {
      kind: 'alias',
      domain,
      mode,
      environment: wanted.websiteEnvironment ?? website.environment,
      documentRoot: website.documentRoot,
    })
    const plan = await aliasSteps(db, await readSite(db, id), { id: aliasId, domain, mode })
    return begin(context, { id: aliasId, domain }, 'website.alias', plan, {
      exclude: wanted.excludeActions,
      locks: [`website:${id}`],
    })
  },

  async setAlias({ id, mode, version }, context) {
    const { db, audit } = context
    const alias = await readWebsite(db, id)
    audit.before({ mode: alias.mode })
    audit.after({ mode })
    checkVersion(alias, version, alias.domain)
    if (alias.kind !== 'alias' || alias.parentId === null) throw refused(`${alias.domain} is not an alias`)
    if (alias.until) throw refused(`${alias.domain} is a former name, which ends automatically`)
    if (alias.mode === mode) throw refused(`${alias.domain} has this mode already`, { mode: 'Has this mode already' })
    const parent = await readWebsite(db, alias.parentId)
    if (alias.status !== 'active' || parent.status !== 'active')
      throw refused(`${parent.domain} and its alias must be active`)
    const plan = await aliasSteps(db, await readSite(db, parent.id), { id, domain: alias.domain, mode })
    return begin(context, alias, 'website.alias-mode', plan, { locks: [`website:${parent.id}`] })
  },

  async planSubwebsite({ id, ...wanted }, { db }) {
    const website = await readWebsite(db, id)
    const { problems, actions, documentRoot = null } = await chooseSub(db, website, wanted)
    return { problems, actions: shown(actions, website), documentRoot }
  },

  async addSubwebsite({ id, ...wanted }, context) {
    const { db } = context
    const website = await readWebsite(db, id)
    checkSame(website, wanted)
    await holdAccount(db, website.systemUserId)
    const choice = await chooseSub(db, website, wanted)
    const { problems, domain, documentRoot } = choice
    if (!domain || !documentRoot || Object.keys(problems).length) throw refusalOf(choice)
    const environment = wanted.websiteEnvironment ?? website.environment
    const subId = await addMember(context, website, { kind: 'sub', domain, environment, documentRoot })
    const plan = subCreation(await readSite(db, subId), website.documentRoot)
    return begin(context, { id: subId, domain }, 'website.subwebsite', plan, { exclude: wanted.excludeActions })
  },

  planRename: ({ id, ...wanted }, { db }) => planRename(db, id, wanted),
  renameFiles: (input, { app }) => readNamedFiles(app, input),
  rename: renameWebsite,
}

/** Refuses ids in the body that contradict the path. */
function checkSame(
  { id, domain, ownerId }: Website,
  asked: { websiteId?: number | undefined; userId?: number | undefined },
) {
  if (asked.websiteId !== undefined && asked.websiteId !== id)
    throw refused(`The path contains website ${id}`, { websiteId: `Differs from ${id} in the path` })
  if (asked.userId !== undefined && asked.userId !== ownerId)
    throw refused(`${domain} belongs to another owner: a sub-website has the owner of its website`, {
      userId: `Is not the owner of ${domain}`,
    })
}

type NewMember = Pick<typeof websites.$inferInsert, 'kind' | 'domain' | 'mode' | 'environment' | 'documentRoot'>

/** Inserts a member on the server and account of its parent. */
async function addMember({ db, staff }: Context, parent: Website, values: NewMember): Promise<number> {
  const { id: parentId, ownerId, serverId, planId, systemUserId, phpVersion } = parent
  const [made] = await db
    .insert(websites)
    .values({
      ...values,
      status: 'creating',
      parentId,
      ownerId,
      serverId,
      planId,
      systemUserId,
      phpVersion,
      createdBy: staff.id,
    })
    .returning({ id: websites.id })
  await changed(db, 'websites', parentId)
  return made!.id
}

const shown = (steps: PlanStep[], { serverName }: Website): PlannedAction[] =>
  steps.map(({ name, title, what, serverId, optional }) => ({
    name,
    title,
    what,
    serverName: serverId === null ? null : serverName,
    optional,
  }))
