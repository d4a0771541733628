import type { OperationInput } from '@innkeeper/contract/agent'
import type { PlannedAction } from '@innkeeper/contract/websites'
import { type PlanStep, step } from '../kit/action.ts'
import {
  documentRootEnsure,
  documentRootRemove,
  nginxSiteEnsure,
  nginxSiteRemove,
  phpPoolEnsure,
  phpPoolRemove,
  probe,
  systemUserEnsure,
  systemUserRemove,
} from './actions.ts'
import type { Choice } from './choose.ts'

/** What the actions of one website need to know of it. */
export interface Site {
  id: number
  domain: string
  aliases: string[]
  documentRoot: string
  phpVersion: string
  server: { id: number; name: string }
  systemUser: { id: number; username: string }
  plan: { memoryMb: number; cpuPercent: number; tasks: number }
}
type State = OperationInput<'nginx-site.ensure'>['state']

const workers = (memoryMb: number) => Math.max(2, Math.min(32, Math.floor(memoryMb / 96)))
/** A request may use half of what the account has, so that two at once fit. */
const memoryLimit = (memoryMb: number) => Math.max(64, Math.min(512, Math.floor(memoryMb / 2)))

export const creation = (site: Site): PlanStep[] => [
  step(systemUserEnsure, { username: site.systemUser.username, limits: limitsOf(site) }, onUser(site, 'system-user')),
  step(documentRootEnsure, folderOf(site), onSite(site, 'document-root')),
  step(
    phpPoolEnsure,
    {
      username: site.systemUser.username,
      phpVersion: site.phpVersion,
      maxChildren: workers(site.plan.memoryMb),
      memoryLimitMb: memoryLimit(site.plan.memoryMb),
    },
    onUser(site, 'php-pool'),
  ),
  serve(site, 'active'),
  ask(site, 'served'),
]

/** `lastOfUser`: nothing else of the account is left on the server, so it goes too. */
export const deletion = (site: Site, lastOfUser: boolean): PlanStep[] => {
  const { username } = site.systemUser
  return [
    step(nginxSiteRemove, served(site), onSite(site, 'nginx-site')),
    ...(lastOfUser ? [step(phpPoolRemove, { username, phpVersion: site.phpVersion }, onUser(site, 'php-pool'))] : []),
    step(documentRootRemove, folderOf(site), { ...onSite(site, 'document-root'), optional: !lastOfUser }),
    ...(lastOfUser ? [step(systemUserRemove, { username }, onUser(site, 'system-user'))] : []),
  ]
}

export const suspension = (site: Site): PlanStep[] => [serve(site, 'suspended', 'active'), ask(site, 'suspended')]
export const activation = (site: Site): PlanStep[] => [serve(site, 'active', 'suspended'), ask(site, 'served')]

const serve = (site: Site, state: State, before?: State) =>
  step(nginxSiteEnsure, { ...served(site), state, ...(before && { before }) }, onSite(site, 'nginx-site'))

const ask = ({ id, domain, server }: Site, expect: 'served' | 'suspended') =>
  step(
    probe,
    { serverId: server.id, domain, expect },
    { resource: { type: 'website', id, name: domain }, optional: true },
  )

const onSite = ({ id, domain, server }: Site, type: string) => ({
  server: server.id,
  resource: { type, id, name: domain },
})
const onUser = ({ systemUser: { id, username }, server }: Site, type: string) => ({
  server: server.id,
  resource: { type, id, name: username },
})
const limitsOf = ({ plan: { memoryMb, cpuPercent, tasks } }: Site) => ({ memoryMb, cpuPercent, tasks })
const folderOf = ({ systemUser: { username }, documentRoot, domain }: Site) => ({
  username,
  path: documentRoot,
  domain,
})
const served = ({ domain, aliases, documentRoot, phpVersion, systemUser: { username } }: Site) => ({
  domain,
  aliases,
  root: documentRoot,
  username,
  phpVersion,
})

/** `www.` of a main domain is served too. */
export const aliasesOf = (domain: string): string[] => (domain.startsWith('www.') ? [] : [`www.${domain}`])

/** The plan beside the form. Before the wish is whole it says what will run, not yet with what. */
export function plannedActions(choice: Choice): PlannedAction[] {
  const { server, plan, username, domain, documentRoot, phpVersion } = choice
  if (!server || !plan || !username || !domain || !documentRoot || !phpVersion)
    return [systemUserEnsure, documentRootEnsure, phpPoolEnsure, nginxSiteEnsure, probe].map(({ name, title }) => ({
      name,
      title,
      what: '',
      serverName: null,
      optional: name === probe.name,
    }))
  const site = {
    id: 1,
    domain,
    aliases: aliasesOf(domain),
    documentRoot,
    phpVersion,
    server,
    systemUser: { id: 1, username },
    plan,
  }
  return creation(site).map(({ name, title, what, serverId, optional }) => ({
    name,
    title,
    what,
    serverName: serverId === null ? null : server.name,
    optional,
  }))
}
