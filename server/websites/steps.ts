import type { OperationInput } from '@innkeeper/contract/agent'
import type { PhpParameters } from '@innkeeper/contract/phpParameters'
import type { WebServer } from '@innkeeper/contract/servers'
import type { PlannedAction } from '@innkeeper/contract/websites'
import { type PlanStep, step } from '../kit/work/action.ts'
import {
  phpPoolEnsure,
  phpPoolRemove,
  phpPoolRenew,
  systemUserEnsure,
  systemUserRemove,
  systemUserRestore,
} from '../systemUsers/actions.ts'
import { heldMail, limitsOf, poolSize } from '../systemUsers/steps.ts'
import {
  documentRootEnsure,
  documentRootLink,
  documentRootRemove,
  documentRootRestore,
  documentRootUnlink,
  logsRestore,
  probe,
  siteActions,
  trashPurge,
} from './actions.ts'
import { type Names, namesOf } from './names.ts'
import type { Choice } from './placement/placement.ts'

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
  /** PHP parameters of this website alone; with them it runs in a PHP pool of its own. */
  php?: PhpParameters
}
type State = OperationInput<'nginx-site.ensure'>['state']

/** `others` run before the web server serves the website, `after` afterwards. */
export const creation = (site: Site, others: PlanStep[] = [], after: PlanStep[] = []): PlanStep[] => [
  step(systemUserEnsure, { username: site.systemUser.username, limits: limitsOf(site) }, onUser(site, 'system-user')),
  step(documentRootEnsure, rootOf(site), onSite(site, 'document-root')),
  pool(site),
  ...others,
  serve(site, 'active'),
  ask(site, 'served'),
  ...after,
]

/** Creates a sub-website on the account and pool of its parent. No folder is created if both share a document root. */
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

/** Reloads PHP after files of the website were replaced. */
export const renewPhp = (site: Site) =>
  step(phpPoolRenew, { username: site.systemUser.username }, onUser(site, 'php-pool'))
/** Reloads PHP after `steps`, which replace files or tables. The first step acts only on undo, where it runs last. */
export const renewingPhp = (site: Site, steps: PlanStep[]): PlanStep[] => [
  step(phpPoolRenew, { username: site.systemUser.username, back: true }, onUser(site, 'php-pool')),
  ...steps,
  renewPhp(site),
]

/** Step for the website's own PHP pool; none without PHP parameters. */
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
 * Moves a website to the trash. `lastOfUser`: the account has no other website and is removed too. `others` are the
 * steps of the other parts (parts.ts), as in the functions below.
 */
export const deletion = (site: Site, lastOfUser: boolean, keepDays: number, others: PlanStep[] = []): PlanStep[] => {
  const { username } = site.systemUser
  return [
    siteRemove(site, { keepDays }),
    ...others,
    ...(lastOfUser ? [step(phpPoolRemove, { username, phpVersion: site.phpVersion }, onUser(site, 'php-pool'))] : []),
    // a document root that belongs to another website stays
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

/**
 * Ids of the actions that moved resources to the trash, newest first. `account` is empty if the account still exists.
 */
export interface Taken {
  site: number[]
  root: number[]
  account: number[]
}

/** Restores a deleted website from the trash and probes it over HTTP. */
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

/** Switches PHP: creates the new pool, points the web server to it, then removes the old pool if no website uses it. */
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

export const ask = ({ id, domain, server }: Site, expect: 'served' | 'suspended') =>
  step(
    probe,
    { serverId: server.id, domain, expect },
    { resource: { type: 'website', id, name: domain }, optional: true },
  )

/** Serves a website under its new names. Undo serves the names before. */
export const renaming = (before: Site, after: Site, state: 'active' | 'suspended'): PlanStep[] => [
  siteEnsure(after, {
    state,
    before: state,
    beforeNames: namesIn(before),
    ...(before.documentRoot !== after.documentRoot && { beforeRoot: before.documentRoot }),
  }),
]

/** Links the folder of a former name to the website's folder, on another server than that of the rename. */
export const linking = (site: Site, oldDomain: string): PlanStep[] =>
  hasOwnFolder(site)
    ? [
        step(
          documentRootLink,
          {
            username: site.systemUser.username,
            path: rootPath(site.systemUser.username, oldDomain),
            domain: oldDomain,
            to: site.domain,
          },
          onSite(site, 'former-folder'),
        ),
      ]
    : []

/** Removes the symlink from the folder of a former name to the website's folder. */
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

/** Document root of a website with a folder of its own. */
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
export const rootOf = ({ systemUser: { username }, documentRoot, domain }: Site) => ({
  username,
  path: documentRoot,
  domain,
})
/** Folder around the document root; the document root itself if it is in the folder of another website. */
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
/** Maximum request body in MiB: at least as much as PHP accepts. */
const bodyOf = ({ post_max_size = 64, upload_max_filesize = 64 }: PhpParameters) =>
  Math.max(post_max_size, upload_max_filesize)

/** Actions that the form shows. While the input is incomplete, they have titles but no details. */
export async function plannedActions(
  choice: Choice,
  partsOf: (site: Site) => Promise<{ before: PlanStep[]; after: PlanStep[] }>,
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
  const { before, after } = await partsOf(site)
  return creation(site, before, after).map(({ name, title, what, serverId, optional }) => ({
    name,
    title,
    what,
    serverName: serverId === null ? null : server.name,
    optional,
  }))
}
