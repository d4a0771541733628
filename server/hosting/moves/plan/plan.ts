import { outputOf, type PlanStep, secret, step } from '../../../kit/work/action.ts'
import { packagesEnsure } from '../../../machines/servers/actions.ts'
import { phpPoolRemove, systemUserEnsure, systemUserRemove } from '../../systemUsers/actions.ts'
import { limitsOf } from '../../systemUsers/steps.ts'
import {
  documentRootClose,
  documentRootEnsure,
  documentRootRemove,
  documentRootRename,
  siteActions,
} from '../../websites/actions.ts'
import { hasOwnFolder, rootOf, unlinking } from '../../websites/folders.ts'
import type { Carried } from '../../websites/parts/parts.ts'
import {
  ask,
  onSite,
  onUser,
  pool,
  renewPhp,
  type Site,
  serve,
  served,
  siteEnsure,
  siteRemove,
  siteType,
} from '../../websites/siteSteps.ts'
import {
  cutover,
  preflight,
  transferClose,
  transferCompare,
  transferFetch,
  transferOpen,
  transferPull,
  transferVerify,
} from '../actions.ts'
import { folderOf, foldersOf } from '../family.ts'

interface End {
  id: number
  name: string
  address: string
}
/** A website on the source and on the target server. */
export interface Mover {
  from: Site
  to: Site
  state: 'active' | 'suspended'
  /** False for a website that was added on the source after the move that is rolled back: the target has no data of it. */
  isKnown?: boolean
  /** In a move back: the website as the target knows it, if it was renamed since. */
  former?: Site
}
export interface Route {
  migrationId: number
  source: End
  target: End
  /** The requested website, then its members. */
  movers: readonly [Mover, ...Mover[]]
  /** Ids of all websites that move, with aliases. */
  family: readonly number[]
  /** Move back to the original server, which proxies to the source server until then. */
  returning: boolean
}

/** Minutes that the transfer stays open: from the first copy, and again from the freeze. */
const OPEN_MINUTES = 720
export const keyOf = (migrationId: number) => `migration/${migrationId}/key`

/** Steps of the file transfer: the source server opens it, the target server pulls from it. */
export function wireOf({ migrationId, source, target, movers }: Route) {
  const [{ from: main }] = movers
  const resource = { type: 'migration', id: migrationId, name: main.domain }
  const known = { transfer: `move-${migrationId}`, token: secret(keyOf(migrationId)) }
  const folders = foldersOf(movers.map(({ from }) => from)).map((path) => ({
    path,
    // every folder comes from one of the movers
    mover: movers.find(({ from }) => folderOf(from) === path) ?? movers[0],
  }))
  const open = (files: string[]) =>
    step(
      transferOpen,
      {
        ...known,
        minutes: OPEN_MINUTES,
        folders: folders.map(({ path, mover }) => ({ username: mover.from.systemUser.username, path })),
        files,
      },
      { server: source.id, resource },
    )
  const peer = { ...known, address: source.address, port: outputOf(open([]), 'port') }
  interface Place {
    from: { username: string; path: string }
    username: string
    path: string
  }
  const compared = (input: Place, to: Site) => step(transferCompare, { ...peer, ...input }, onSite(to, 'document-root'))
  const each = <T>(what: (input: Place, site: Site) => T) =>
    folders.map(({ path, mover: { from, to } }) =>
      what(
        {
          from: { username: from.systemUser.username, path },
          username: to.systemUser.username,
          path: path.replace(`/home/${from.systemUser.username}/`, `/home/${to.systemUser.username}/`),
        },
        to,
      ),
    )
  return {
    open,
    /** The last step on both servers: a roll back after it is a move of its own, with dumps of its own. */
    close: () =>
      [source, target].map(({ id }) =>
        step(transferClose, { transfer: known.transfer, clear: true }, { server: id, resource }),
      ),
    seed: () =>
      each((input, to) => step(transferPull, { ...peer, ...input, mode: 'seed' }, onSite(to, 'document-root'))),
    compare: () => each(compared),
    delta: () =>
      each((input, to) => {
        const untouchedSince = outputOf(compared(input, to), 'here')
        return step(transferPull, { ...peer, ...input, mode: 'delta', untouchedSince }, onSite(to, 'document-root'))
      }),
    verify: () =>
      each((input, to) => {
        const since = outputOf(compared(input, to), 'since')
        return step(transferVerify, { ...peer, ...input, since }, onSite(to, 'document-root'))
      }),
    fetch: (file: string, dump: PlanStep) =>
      step(
        transferFetch,
        { ...peer, file, sha256: outputOf(dump, 'sha256') },
        { server: target.id, resource: dump.resource },
      ),
  }
}

/**
 * Plan of a move, in the order of `phases` of the contract. The website is served as usual until the freeze. Steps
 * between freeze and proxy run in the short lane, so that long actions do not delay them.
 */
export function movePlan(route: Route, carried: readonly Carried[]): PlanStep[] {
  const { migrationId, source, target, movers, returning } = route
  const [{ to: main }] = movers
  const wire = wireOf(route)
  const files = carried.flatMap((one) => one.files)
  const migration = { type: 'migration', id: migrationId, name: main.domain }
  const packages = ({ id, name }: End, ...more: string[]) =>
    step(packagesEnsure, { packages: ['rsync', ...more] }, { server: id, resource: { type: 'packages', id, name } })
  const holdsMail = movers.some(({ to }) => to.kind === 'staging')
  const serving = movers.map(({ to, state, isKnown = true }) =>
    isKnown ? siteEnsure(to, { state, before: 'moved', movedTo: source.address }) : serve(to, state),
  )
  // a staging copy has an account of its own, so its pool holds back its mail
  const accounts = firstOf(movers, ({ systemUser }) => systemUser.username)
  const pools = firstOf(movers, ({ systemUser, phpVersion }) => `${systemUser.username} ${phpVersion}`)
  const frozen = movers.filter(({ state }) => state === 'active')
  return [
    step(preflight, { migrationId }, { resource: migration }),
    packages(source),
    packages(target, ...(holdsMail ? ['nftables'] : [])),
    ...accounts.map((to) =>
      step(systemUserEnsure, { username: to.systemUser.username, limits: limitsOf(to) }, onUser(to, 'system-user')),
    ),
    ...(returning ? outermost(movers.map(({ to, former = to }) => former)).map((to) => closing(to, 'open')) : []),
    ...movers.flatMap((mover) => renamedThere(mover, source.address)),
    ...movers.map(({ to }) => step(documentRootEnsure, rootOf(to), onSite(to, 'document-root'))),
    ...pools.map(pool),
    ...carried.flatMap((one) => one.prepare),
    // closed until its files are the same: the next copy removes what visitors whose DNS changed early would write
    ...(returning ? [] : movers.map(({ to, state }) => serve(to, state === 'active' ? 'maintenance' : state))),
    wire.open(files),
    ...wire.seed(),
    ...carried.flatMap((one) => one.seed ?? []).map(atLength),
    ...wire.compare(),
    wire.open(files), // reopened, as the transfer may have expired during a pause
    ...frozen.map(({ from }) => serve(from, 'moving', 'active')),
    ...carried.flatMap((one) => one.freeze ?? []).map(atOnce),
    ...wire.delta().map(atOnce),
    ...carried.flatMap((one) => one.frozen).map(atOnce),
    ...wire.verify().map(atOnce),
    ...accounts.map(renewPhp),
    ...(returning ? serving : frozen.map(({ to }) => serve(to, 'active', 'maintenance'))),
    ...movers.map(({ to, state }) => ask(to, state === 'active' ? 'served' : 'suspended')),
    step(cutover, { migrationId }, { resource: migration }),
    ...movers.map(({ from, state }) =>
      siteEnsure(from, { state: 'moved', movedTo: target.address, before: state === 'active' ? 'moving' : state }),
    ),
    ...carried.flatMap((one) => one.after ?? []),
    ...outermost(movers.map(({ from }) => from)).map((from) => closing(from, 'closed')),
    ...carried.flatMap((one) => one.closed ?? []),
    ...wire.close(),
  ]
}

/** The sites whose folders contain those of all others. */
const outermost = (sites: readonly Site[]): Site[] =>
  foldersOf(sites).flatMap((folder) => sites.find((site) => folderOf(site) === folder) ?? [])

/**
 * Gives the remains of a website on its old server its present name, before it moves back: folder, certificate, logs, and
 * the file of the web server, which goes on forwarding.
 */
function renamedThere({ to, former }: Mover, movedTo: string): PlanStep[] {
  if (!former || former.domain === to.domain) return []
  const folder = { ...rootOf(former), newDomain: to.domain }
  const others = (names: string[]) => names.filter((name) => name !== former.domain)
  const beforeNames = { aliases: others(to.aliases), redirects: others(to.redirects) }
  const before = { from: former.domain, beforeNames, beforeRoot: former.documentRoot }
  const isName = [...to.aliases, ...to.redirects].includes(former.domain)
  const { rename } = siteActions[to.server.webServer]
  return [
    ...(hasOwnFolder(former) ? [step(documentRootRename, folder, onSite(to, 'document-root'))] : []),
    step(rename, { ...served(to), ...before, state: 'moved', movedTo }, onSite(to, siteType(to))),
    ...(isName ? [] : unlinking(to, former.domain)),
  ]
}

/**
 * During the observation period the folder on the old server is closed to its account: a program that still writes there
 * fails, instead of losing what it writes.
 */
const closing = (site: Site, state: 'closed' | 'open') =>
  step(documentRootClose, { ...rootOf(site), state }, onSite(site, 'document-root'))

/** The first target site for each value of `key`. */
const firstOf = (movers: readonly Mover[], key: (to: Site) => string): Site[] =>
  [...Map.groupBy(movers, ({ to }) => key(to)).values()].flatMap(([first]) => first?.to ?? [])

const atOnce = (planned: PlanStep): PlanStep => ({ ...planned, lane: 'short' })
const atLength = (planned: PlanStep): PlanStep => ({ ...planned, lane: 'long' })

/** Moves what remains on the old server to its trash, and accounts too if nothing else uses them (`emptied`). */
export function retirement(
  movedTo: string,
  sites: readonly Site[],
  emptied: readonly number[],
  keepDays: number,
  others: PlanStep[],
): PlanStep[] {
  const left = sites.filter(({ systemUser }) => emptied.includes(systemUser.id))
  const pools = Map.groupBy(left, ({ systemUser, phpVersion }) => `${systemUser.username} ${phpVersion}`)
  const accounts = Map.groupBy(left, ({ systemUser }) => systemUser.username)
  return [
    ...sites.map((site) => siteRemove(site, { movedTo, keepDays }, `old-${siteType(site)}`)),
    ...others,
    ...[...pools.values()].flatMap(([site]) =>
      site
        ? [
            step(
              phpPoolRemove,
              { username: site.systemUser.username, phpVersion: site.phpVersion },
              onUser(site, 'old-php-pool'),
            ),
          ]
        : [],
    ),
    ...sites.map((site) => step(documentRootRemove, { ...rootOf(site), keepDays }, onSite(site, 'old-document-root'))),
    ...[...accounts].flatMap(([username, [site]]) =>
      site ? [step(systemUserRemove, { username, keepDays }, onUser(site, 'old-system-user'))] : [],
    ),
  ]
}
