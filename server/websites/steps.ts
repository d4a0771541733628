import type { OperationInput } from '@innkeeper/contract/agent'
import type { PhpParameters } from '@innkeeper/contract/phpParameters'
import type { WebServer } from '@innkeeper/contract/servers'
import type { PlannedAction } from '@innkeeper/contract/websites'
import { type PlanStep, step } from '../kit/work/action.ts'
import { heldMail, poolSize } from '../systemUsers/steps.ts'
import {
  documentRootEnsure,
  documentRootRemove,
  documentRootRestore,
  documentRootUnlink,
  logsRestore,
  phpPoolEnsure,
  phpPoolRemove,
  phpPoolRenew,
  probe,
  siteActions,
  systemUserEnsure,
  systemUserRemove,
  systemUserRestore,
  trashPurge,
} from './actions.ts'
import { type Names, namesOf } from './names.ts'
import type { Choice } from './placement.ts'

/** What the actions of one website need to know of it. */
export interface Site extends Names {
  id: number
  kind: 'main' | 'sub' | 'staging' | 'alias'
  domain: string
  documentRoot: string
  phpVersion: string
  server: { id: number; name: string; webServer: WebServer }
  systemUser: { id: number; username: string }
  plan: { memoryMb: number; cpuPercent: number; tasks: number; diskMb: number }
  /** What it has set for its own PHP, which then runs in a pool of its own. */
  php?: PhpParameters
}
type State = OperationInput<'nginx-site.ensure'>['state']

/** `others` before it is served, `after` once it is. */
export const creation = (site: Site, others: PlanStep[] = [], after: PlanStep[] = []): PlanStep[] => [
  step(systemUserEnsure, { username: site.systemUser.username, limits: limitsOf(site) }, onUser(site, 'system-user')),
  step(documentRootEnsure, rootOf(site), onSite(site, 'document-root')),
  pool(site),
  ...others,
  serve(site, 'active'),
  ask(site, 'served'),
  ...after,
]

/** On the account and pool of the website that it belongs to; with that one's very root there is no folder to make. */
export const subCreation = (site: Site, parentRoot: string): PlanStep[] => [
  ...(site.documentRoot === parentRoot ? [] : [step(documentRootEnsure, rootOf(site), onSite(site, 'document-root'))]),
  serve(site, 'active'),
  ask(site, 'served'),
]

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

/** Its files are others by now. */
export const renewPhp = (site: Site) =>
  step(phpPoolRenew, { username: site.systemUser.username }, onUser(site, 'php-pool'))
/** Around what changes its files, or what it knows of its tables: the first is for the way back, which ends with it. */
export const renewingPhp = (site: Site, steps: PlanStep[]): PlanStep[] => [
  step(phpPoolRenew, { username: site.systemUser.username, back: true }, onUser(site, 'php-pool')),
  ...steps,
  renewPhp(site),
]

/** The pool that is this website's alone; none where it has set nothing. */
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

/**
 * `lastOfUser`: nothing else of the account is left on the server, so it goes too. All of it into the trash. `others` are
 * the steps of its other parts, see parts.ts; so below.
 */
export const deletion = (site: Site, lastOfUser: boolean, keepDays: number, others: PlanStep[] = []): PlanStep[] => {
  const { username } = site.systemUser
  return [
    siteRemove(site, { keepDays }),
    ...others,
    ...(lastOfUser ? [step(phpPoolRemove, { username, phpVersion: site.phpVersion }, onUser(site, 'php-pool'))] : []),
    // what another website has for its root stays with that
    ...(hasOwnFolder(site)
      ? [
          step(
            documentRootRemove,
            { ...rootOf(site), keepDays },
            { ...onSite(site, 'document-root'), optional: !lastOfUser },
          ),
        ]
      : []),
    ...(lastOfUser ? [step(systemUserRemove, { username, keepDays }, onUser(site, 'system-user'))] : []),
  ]
}

/** Which actions took what into the trash, newest first; an account that is still there was taken by none. */
export interface Taken {
  site: number[]
  root: number[]
  account: number[]
}

/** The way back of a deletion: everything as it was, and asked for over HTTP. */
export const restoration = (
  site: Site,
  state: 'active' | 'suspended',
  taken: Taken,
  others: PlanStep[] = [],
): PlanStep[] => {
  const { username } = site.systemUser
  return [
    ...(taken.account.length
      ? [step(systemUserRestore, { username, taken: taken.account }, onUser(site, 'system-user'))]
      : []),
    step(systemUserEnsure, { username, limits: limitsOf(site) }, onUser(site, 'system-user')),
    ...(taken.root.length
      ? [step(documentRootRestore, { ...rootOf(site), taken: taken.root }, onSite(site, 'document-root'))]
      : []),
    pool(site),
    ...(taken.site.length
      ? [step(logsRestore, { domain: site.domain, taken: taken.site }, onSite(site, 'website-logs'))]
      : []),
    ...others,
    serve(site, state),
    ask(site, state === 'active' ? 'served' : 'suspended'),
  ]
}

/** To another PHP: its pool first, then the web server asks that one; the pool before goes where nothing asks it any more. */
export const phpMove = (site: Site, to: string, state: 'active' | 'suspended', lastOfPool: boolean): PlanStep[] => {
  const moved = { ...site, phpVersion: to }
  return [
    pool(moved),
    ...ownPool(moved),
    siteEnsure(moved, { state, before: state, beforePhp: site.phpVersion }),
    ask(site, state === 'active' ? 'served' : 'suspended'),
    ...withoutOwnPool(site),
    ...(lastOfPool
      ? [
          step(
            phpPoolRemove,
            { username: site.systemUser.username, phpVersion: site.phpVersion },
            onUser(site, 'php-pool'),
          ),
        ]
      : []),
  ]
}

export const purging = (site: Site, taken: number[]): PlanStep[] => [step(trashPurge, { taken }, onSite(site, 'trash'))]

export const suspension = (site: Site, others: PlanStep[] = []): PlanStep[] => [
  serve(site, 'suspended', 'active'),
  ...others,
  ask(site, 'suspended'),
]
export const activation = (site: Site, others: PlanStep[] = []): PlanStep[] => [
  ...others,
  serve(site, 'active', 'suspended'),
  ask(site, 'served'),
]

export const serve = (site: Site, state: State, before?: State) =>
  siteEnsure(site, { state, ...(before && { before }) })

type Ensured = OperationInput<'nginx-site.ensure'>
/** A website in the web server that its server has. */
export const siteEnsure = (site: Site, how: Pick<Ensured, 'state'> & Partial<Ensured>) =>
  step(siteActions[site.server.webServer].ensure, { ...served(site), ...how }, onSite(site, siteType(site)))
export const siteRemove = (
  site: Site,
  how: Pick<OperationInput<'nginx-site.remove'>, 'keepDays' | 'movedTo'>,
  type: string = siteType(site),
) => step(siteActions[site.server.webServer].remove, { ...served(site), ...how }, onSite(site, type))
/** What such a thing is called among those that a website has. */
export const siteType = ({ server }: Site) => `${server.webServer}-site` as const

export const ask = ({ id, domain, server }: Site, expect: 'served' | 'suspended') =>
  step(
    probe,
    { serverId: server.id, domain, expect },
    { resource: { type: 'website', id, name: domain }, optional: true },
  )

/** The same website under other names: undo serves it under those that it had. */
export const renaming = (before: Site, after: Site, state: 'active' | 'suspended'): PlanStep[] => [
  siteEnsure(after, {
    state,
    before: state,
    beforeNames: namesIn(before),
    ...(before.documentRoot !== after.documentRoot && { beforeRoot: before.documentRoot }),
  }),
]

/** The folder of a former name leads to the website's own no more. */
export const unlinking = (site: Site, oldDomain: string): PlanStep[] =>
  hasOwnFolder(site)
    ? [
        step(
          documentRootUnlink,
          {
            username: site.systemUser.username,
            path: rootPath(site.systemUser.username, oldDomain),
            domain: oldDomain,
          },
          onSite(site, 'document-root'),
        ),
      ]
    : []

/** Where a website has its files, unless it has those of another. */
export const rootPath = (username: string, domain: string) => `/home/${username}/${domain}/public`
export const hasOwnFolder = ({ documentRoot, domain, systemUser }: Site) =>
  documentRoot === rootPath(systemUser.username, domain)
export const namesIn = ({ aliases, redirects }: Names): Names => ({ aliases, redirects })

export const onSite = ({ id, domain, server }: Site, type: string) => ({
  server: server.id,
  resource: { type, id, name: domain },
})
export const onUser = ({ systemUser: { id, username }, server }: Site, type: string) => ({
  server: server.id,
  resource: { type, id, name: username },
})
export const limitsOf = ({ plan: { memoryMb, cpuPercent, tasks, diskMb } }: Pick<Site, 'plan'>) => ({
  ...{ memoryMb, cpuPercent, tasks, diskMb },
})
export const rootOf = ({ systemUser: { username }, documentRoot, domain }: Site) => ({
  username,
  path: documentRoot,
  domain,
})
/** The folder that is a website's own, its root in it; the root itself where that is another's. */
export const folderOf = (site: Site) =>
  hasOwnFolder(site) ? site.documentRoot.slice(0, -'/public'.length) : site.documentRoot
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
}: Site) => ({
  domain,
  aliases,
  ...(redirects.length && { redirects }),
  ...(kind === 'staging' && { noindex: true }),
  root: documentRoot,
  username,
  phpVersion,
  ...(php && { own: { pool: id, bodyMb: bodyOf(php) } }),
})
/** MiB that the web server lets through to it: no less than PHP takes. */
const bodyOf = ({ post_max_size = 64, upload_max_filesize = 64 }: PhpParameters) =>
  Math.max(post_max_size, upload_max_filesize)

/** The plan beside the form. Before the wish is whole it says what will run, not yet with what. */
export async function plannedActions(
  choice: Choice,
  others: PlanStep[],
  after: (site: Site) => Promise<PlanStep[]>,
): Promise<PlannedAction[]> {
  const { server, plan, username, domain, documentRoot, phpVersion } = choice
  const web = server?.webServer ?? 'nginx'
  if (!server || !plan || !username || !domain || !documentRoot || !phpVersion)
    return [systemUserEnsure, documentRootEnsure, phpPoolEnsure, siteActions[web].ensure, probe].map(
      ({ name, title }) => ({
        name,
        title,
        what: '',
        serverName: null,
        optional: name === probe.name,
      }),
    )
  const site = {
    id: 1,
    kind: 'main' as const,
    domain,
    ...namesOf(domain),
    documentRoot,
    phpVersion,
    server,
    systemUser: { id: 1, username },
    plan,
  }
  return creation(site, others, await after(site)).map(({ name, title, what, serverId, optional }) => ({
    name,
    title,
    what,
    serverName: serverId === null ? null : server.name,
    optional,
  }))
}
