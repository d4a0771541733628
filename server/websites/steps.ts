import type { OperationInput } from '@innkeeper/contract/agent'
import type { PlannedAction } from '@innkeeper/contract/websites'
import type { PlanStep } from '../kit/workflow.ts'
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

/** What may be left out, by `excludeActions`; all else always runs. */
export const optionalActions = ['website.probe', 'document-root.remove']

const workers = (memoryMb: number) => Math.max(2, Math.min(32, Math.floor(memoryMb / 96)))
/** A request may use half of what the account has, so that two at once fit. */
const memoryLimit = (memoryMb: number) => Math.max(64, Math.min(512, Math.floor(memoryMb / 2)))

const systemUser = ({ systemUser: { id, username }, server, plan }: Site, name: 'ensure' | 'remove'): PlanStep => ({
  name: `system-user.${name}`,
  input:
    name === 'ensure'
      ? { username, limits: { memoryMb: plan.memoryMb, cpuPercent: plan.cpuPercent, tasks: plan.tasks } }
      : { username },
  serverId: server.id,
  resource: { type: 'system-user', id, name: username },
})

const documentRoot = (site: Site, name: 'ensure' | 'remove'): PlanStep => ({
  name: `document-root.${name}`,
  input: { username: site.systemUser.username, path: site.documentRoot, domain: site.domain },
  serverId: site.server.id,
  resource: { type: 'document-root', id: site.id, name: site.documentRoot },
})

const phpPool = (
  { systemUser: { id, username }, phpVersion, server, plan }: Site,
  name: 'ensure' | 'remove',
): PlanStep => ({
  name: `php-pool.${name}`,
  input: {
    username,
    phpVersion,
    ...(name === 'ensure' && { maxChildren: workers(plan.memoryMb), memoryLimitMb: memoryLimit(plan.memoryMb) }),
  },
  serverId: server.id,
  resource: { type: 'php-pool', id, name: `${username}-${phpVersion}` },
})

const nginxSite = (site: Site, state: State, before?: State): PlanStep => ({
  name: 'nginx-site.ensure',
  input: { ...served(site), state, ...(before && { before }) },
  serverId: site.server.id,
  resource: { type: 'nginx-site', id: site.id, name: site.domain },
})

const served = ({ domain, aliases, documentRoot, phpVersion, systemUser }: Site) => ({
  domain,
  aliases,
  root: documentRoot,
  username: systemUser.username,
  phpVersion,
})

const probe = (site: Site, expect: 'served' | 'suspended'): PlanStep => ({
  name: 'website.probe',
  input: { serverId: site.server.id, domain: site.domain, expect },
  resource: { type: 'website', id: site.id, name: site.domain },
})

export const creation = (site: Site): PlanStep[] => [
  systemUser(site, 'ensure'),
  documentRoot(site, 'ensure'),
  phpPool(site, 'ensure'),
  nginxSite(site, 'active'),
  probe(site, 'served'),
]

/** `lastOfUser`: nothing else of the account is left on the server, so it goes too. */
export const deletion = (site: Site, lastOfUser: boolean): PlanStep[] => [
  {
    name: 'nginx-site.remove',
    input: served(site),
    serverId: site.server.id,
    resource: { type: 'nginx-site', id: site.id, name: site.domain },
  },
  ...(lastOfUser ? [phpPool(site, 'remove')] : []),
  documentRoot(site, 'remove'),
  ...(lastOfUser ? [systemUser(site, 'remove')] : []),
]

export const suspension = (site: Site): PlanStep[] => [nginxSite(site, 'suspended', 'active'), probe(site, 'suspended')]
export const activation = (site: Site): PlanStep[] => [nginxSite(site, 'active', 'suspended'), probe(site, 'served')]

/** The plan beside the form, from as much of the wish as is known. */
export function plannedActions({
  server,
  plan,
  username,
  account,
  domain,
  documentRoot: root,
  phpVersion,
}: Choice): PlannedAction[] {
  const serverName = server?.name ?? null
  const user = username ?? '…'
  const name = domain ?? '…'
  const step = (action: string, title: string, what: string, on: string | null = serverName): PlannedAction => ({
    name: action,
    title,
    what,
    serverName: on,
    optional: optionalActions.includes(action),
  })
  return [
    step(
      'system-user.ensure',
      'System user',
      account ? `Linux account ${user}, reused` : `Linux account ${user}${plan ? ` on the plan ${plan.name}` : ''}`,
    ),
    step('document-root.ensure', 'Document root', root ?? '/home/…/public'),
    step(
      'php-pool.ensure',
      'PHP pool',
      `PHP ${phpVersion ?? '…'}${plan ? `, ${workers(plan.memoryMb)} workers` : ''}, own socket`,
    ),
    step('nginx-site.ensure', 'nginx site', `${name} and www.${name} on port 80`),
    step('website.probe', 'Probe', `GET http://${name}/ answers`),
  ]
}
