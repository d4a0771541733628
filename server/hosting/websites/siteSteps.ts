import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { PhpParameters } from '@innkeeper/contract/hosting/phpParameters'
import type { WebServer } from '@innkeeper/contract/machines/servers/shapes'
import type { Application } from '@innkeeper/contract/net/originVhosts/applications'
import { outputOf, type PlanStep, step } from '../../kit/work/action.ts'
import { phpPoolEnsure, phpPoolRemove, phpPoolRenew } from '../systemUsers/actions.ts'
import { heldMail, poolSize } from '../systemUsers/steps.ts'
import { siteActions } from './actions.ts'
import type { Names } from './names.ts'
import { firstProbe, probe } from './probe.ts'

/** The fields of a website that its actions need. */
export interface Site extends Names {
  id: number
  kind: 'main' | 'sub' | 'staging' | 'alias'
  domain: string
  documentRoot: string
  phpVersion: string
  server: { id: number; name: string; webServer: WebServer }
  systemUser: { id: number; username: string }
  plan: { memoryMb: number; cpuPercent: number; tasks: number; diskMb: number }
  /** PHP parameters of this website alone. With parameters, the website has a PHP pool of its own. */
  php?: PhpParameters
  /** How the web server finds a page, if not as everywhere. */
  rules?: SiteRules
}
/** The rules of an application, and own rules for both web servers: a move may change the web server. */
export interface SiteRules {
  application: Application
  nginx: string
  apache: string
}
type State = OperationInput<'nginx-site.ensure'>['state']

export const pool = (site: Site) =>
  step(
    phpPoolEnsure,
    {
      username: site.systemUser.username,
      phpVersion: site.phpVersion,
      ...poolSize(site.plan.memoryMb),
      ...(site.kind === 'staging' && heldMail),
    },
    onUser(site, 'php-pool'),
  )

/** Reloads PHP after files of the website were replaced. */
export const renewPhp = (site: Site) =>
  step(phpPoolRenew, { username: site.systemUser.username }, onUser(site, 'php-pool'))
/**
 * Reloads PHP after `steps`, which replace files or tables. The first step acts only in a rollback, in which it is the
 * last.
 */
export const renewingPhp = (site: Site, steps: PlanStep[]): PlanStep[] => [
  step(phpPoolRenew, { username: site.systemUser.username, back: true }, onUser(site, 'php-pool')),
  ...steps,
  renewPhp(site),
]

/** Step for the website's own PHP pool; none if the website has no PHP parameters. */
export const ownPool = (site: Site): PlanStep[] =>
  site.php
    ? [
        step(
          phpPoolEnsure,
          {
            username: site.systemUser.username,
            phpVersion: site.phpVersion,
            website: site.id,
            ...poolSize(site.plan.memoryMb),
            parameters: site.php,
            ...(site.kind === 'staging' && heldMail),
          },
          onSite(site, 'own-php-pool'),
        ),
      ]
    : []
export const withoutOwnPool = ({ php, ...site }: Site): PlanStep[] =>
  php
    ? [
        step(
          phpPoolRemove,
          { username: site.systemUser.username, phpVersion: site.phpVersion, website: site.id },
          onSite(site, 'own-php-pool'),
        ),
      ]
    : []

export const serve = (site: Site, state: State, before?: State) =>
  siteEnsure(site, { state, ...(before && { before }) })

type Ensured = OperationInput<'nginx-site.ensure'>
/** Writes the site file of the web server that the website's server runs. */
export const siteEnsure = (site: Site, how: Pick<Ensured, 'state'> & Partial<Ensured>) =>
  step(siteActions[site.server.webServer].ensure, { ...served(site), ...how }, onSite(site, siteType(site)))
export const siteRemove = (
  site: Site,
  how: Pick<OperationInput<'nginx-site.remove'>, 'keepDays' | 'movedTo'>,
  type: string = siteType(site),
) => step(siteActions[site.server.webServer].remove, { ...served(site), ...how }, onSite(site, type))
/** Resource type of the site file. */
export const siteType = ({ server }: Site) => `${server.webServer}-site` as const

/** `others`: names to which no redirect may lead. `before`: the step that noted what answered before the change. */
export const ask = (
  { id, domain, server }: Site,
  expect: 'served' | 'suspended',
  others?: string[],
  before?: ReturnType<typeof askBefore>,
) =>
  step(
    probe,
    { serverId: server.id, domain, expect, ...(others && { others }), ...(before && sitesOf(before)) },
    { resource: { type: 'website', id, name: domain }, optional: true },
  )
/** Notes whether a website answers before a change, so that a change after which it does not is rolled back. */
export const askBefore = ({ id, domain, server }: Site) =>
  step(firstProbe, { serverId: server.id, domain }, { resource: { type: 'website', id, name: domain } })
/** The websites of a network that answered. Nobody asks them if the first look was skipped. */
const sitesOf = (before: PlanStep) => ({ sites: outputOf(before, 'sites', []) })
/** Steps around a change that may break a website: one that answered before has to answer afterwards. */
export function asking(site: Site, change: PlanStep[]): PlanStep[] {
  const before = askBefore(site)
  const { id, domain, server } = site
  const answered = outputOf(before, 'served', true)
  const after = step(
    probe,
    { serverId: server.id, domain, expect: 'served', others: [], answered, ...sitesOf(before) },
    { resource: { type: 'website', id, name: domain }, optional: true },
  )
  return [before, ...change, after]
}
export const namesIn = ({ aliases, redirects }: Names): Names => ({ aliases, redirects })

export const onSite = ({ id, domain, server }: Site, type: string) => ({
  server: server.id,
  resource: { type, id, name: domain },
})
export const onUser = ({ systemUser: { id, username }, server }: Site, type: string) => ({
  server: server.id,
  resource: { type, id, name: username },
})
export const served = ({
  kind,
  domain,
  aliases,
  redirects,
  documentRoot,
  phpVersion,
  systemUser: { username },
  id,
  php,
  server,
  rules,
}: Site) => ({
  domain,
  aliases,
  ...(redirects.length && { redirects }),
  ...(kind === 'staging' && { noindex: true }),
  root: documentRoot,
  username,
  phpVersion,
  ...(php && { own: { pool: id, bodyMb: bodyOf(php) } }),
  ...(rules && { rules: { application: rules.application, ownRules: rules[server.webServer] } }),
})
/** Maximum request body in MiB: not less than PHP accepts. */
const bodyOf = ({ post_max_size = 64, upload_max_filesize = 64 }: PhpParameters) =>
  Math.max(post_max_size, upload_max_filesize)
