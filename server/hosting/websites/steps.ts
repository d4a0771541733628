import type { PlannedAction } from '@innkeeper/contract/hosting/websites'
import { type PlanStep, step } from '../../kit/work/action.ts'
import {
  phpPoolEnsure,
  phpPoolRemove,
  systemUserEnsure,
  systemUserRemove,
  systemUserRestore,
} from '../systemUsers/actions.ts'
import { limitsOf } from '../systemUsers/steps.ts'
import {
  documentRootEnsure,
  documentRootRemove,
  documentRootRestore,
  logsRestore,
  siteActions,
  trashPurge,
} from './actions.ts'
import { hasOwnFolder, rootOf } from './folders.ts'
import { namesOf } from './names.ts'
import type { Choice } from './placement/placement.ts'
import { probe } from './probe.ts'
import {
  ask,
  askBefore,
  namesIn,
  onSite,
  onUser,
  ownPool,
  pool,
  type Site,
  serve,
  siteEnsure,
  siteRemove,
  withoutOwnPool,
} from './siteSteps.ts'

/** Account, folder and PHP of a new website. */
export const foundation = (site: Site): PlanStep[] => [
  step(systemUserEnsure, { username: site.systemUser.username, limits: limitsOf(site) }, onUser(site, 'system-user')),
  step(documentRootEnsure, rootOf(site), onSite(site, 'document-root')),
  pool(site),
  ...ownPool(site),
]

/** `others` run before the web server serves the website, `after` afterwards. */
export const creation = (site: Site, others: PlanStep[] = [], after: PlanStep[] = []): PlanStep[] => [
  ...foundation(site),
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

/**
 * Changes the PHP version: creates the new pool, points the web server to it, then removes the old pool if no website
 * uses it.
 */
export const phpMove = (site: Site, to: string, state: 'active' | 'suspended', lastOfPool: boolean): PlanStep[] => {
  const moved = { ...site, phpVersion: to }
  const before = state === 'active' ? askBefore(site) : undefined
  return [
    ...(before ? [before] : []),
    pool(moved),
    ...ownPool(moved),
    siteEnsure(moved, { state, before: state, beforePhp: site.phpVersion }),
    ask(site, state === 'active' ? 'served' : 'suspended', [], before),
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

/** Serves a website under its new names. Undo serves the former names. */
export const renaming = (before: Site, after: Site, state: 'active' | 'suspended'): PlanStep[] => [
  siteEnsure(after, {
    state,
    before: state,
    beforeNames: namesIn(before),
    ...(before.documentRoot !== after.documentRoot && { beforeRoot: before.documentRoot }),
  }),
]

/** Actions that the form shows. While the input is incomplete, they have titles but no details. */
export async function plannedActions(
  choice: Choice,
  partsOf: (site: Site) => Promise<{ before: PlanStep[]; after: PlanStep[] }>,
): Promise<PlannedAction[]> {
  const { server, plan, username, domain, documentRoot, phpVersion, php } = choice
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
    ...(php && { php }),
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
