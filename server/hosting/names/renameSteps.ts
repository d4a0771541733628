import type { Renaming } from '@innkeeper/contract/hosting/names/shapes'
import type { Website } from '@innkeeper/contract/hosting/websites'
import { webServerTitles } from '@innkeeper/contract/machines/servers/shapes'
import type { Db } from '../../kit/db/db.ts'
import { type PlanStep, step } from '../../kit/work/action.ts'
import { documentRootRename, filesReplace, siteActions } from '../websites/actions.ts'
import { readFamily } from '../websites/family.ts'
import { folderOf, hasOwnFolder, unlinking } from '../websites/folders.ts'
import type { Alias } from '../websites/names.ts'
import { allParts } from '../websites/parts/parts.ts'
import { readSite, readSites, withNames } from '../websites/site.ts'
import { ask, namesIn, onSite, renewingPhp, type Site, serve, served, siteType } from '../websites/siteSteps.ts'
import { renaming } from '../websites/steps.ts'
import { redirectProbe } from './actions.ts'

type State = 'active' | 'suspended'

/** A website or alias that gets a new name. */
export interface Renamed {
  id: number
  newDomain: string
  kind: Website['kind']
}
interface Wanted {
  website: Website
  newDomain: string
  /** Members that are renamed with the website. */
  chosen: readonly (Renamed & { domain: string; status: string })[]
  keepDays: number
  files: { within: string; sha256: string }[]
  /** Steps that replace the old name in the databases. */
  texts: PlanStep[]
}
interface Move {
  from: Site
  to: Site
  /** The website with both names, as the web server serves it before the old name redirects. */
  both: Site
  state: State
}
const stateOf = (status: string): State => (status === 'suspended' ? 'suspended' : 'active')

/**
 * Steps and changes of a rename. The web server first serves both names, then folder and files are renamed, and then
 * the old name redirects. Visitors reach the website by either name throughout; while values in databases change, they see
 * the maintenance page, because an application that has read a value before would write it back.
 */
export async function renameSteps(db: Db, wanted: Wanted): Promise<{ steps: PlanStep[]; changes: Renaming[] }> {
  const { website, keepDays, files } = wanted
  const moves = await movesOf(db, wanted)
  const steps = moves.flatMap(({ from, both, state }) => renaming(from, both, state))
  const changes: Renaming[] = []
  const after: PlanStep[] = []
  for (const { from, to, both, state } of moves) {
    const { username } = from.systemUser
    if (hasOwnFolder(from)) {
      const folder = { username, path: from.documentRoot, domain: from.domain, newDomain: to.domain }
      steps.push(step(documentRootRename, folder, onSite(from, 'document-root')))
    }
    for (const part of allParts()) {
      const renamed = await part.rename?.(db, from, to)
      if (!renamed) continue
      steps.push(...renamed.steps)
      after.push(...(renamed.after ?? []))
      changes.push(...renamed.changes.map((change) => ({ ...change, where: from.server.name })))
    }
    const texts = from.id === website.id ? wanted.texts : []
    const closes = texts.length > 0 && state === 'active'
    const changing = [...texts]
    if (from.id === website.id && files.length) {
      const written = { username, path: folderOf(to), from: from.domain, to: to.domain, files }
      changing.unshift(step(filesReplace, written, { ...onSite(from, 'document-root'), optional: true }))
    }
    // after the parts, whose certificate may take minutes
    if (closes) steps.push(serve(both, 'maintenance', 'active'))
    if (changing.length) steps.push(...renewingPhp(from, changing))
    const other = {
      ...{ from: from.domain, beforeNames: namesIn(both), beforeRoot: from.documentRoot },
      ...(closes && { beforeState: 'maintenance' as const }),
    }
    const { rename } = siteActions[from.server.webServer]
    steps.push(step(rename, { ...served(to), ...other, state }, onSite(from, siteType(from))))
    changes.push(...changesOf(from, to))
  }
  for (const { before, after, state } of await movedWithFolder(db, website.id, moves)) {
    steps.push(...renaming(before, after, state))
    changes.push(changeOf(after, `Document root of ${after.domain}`, before.documentRoot, after.documentRoot))
  }
  steps.push(...after)
  for (const { from, to } of moves) if (keepDays === 0) steps.push(...unlinking(to, from.domain))
  const former = moves.map(({ from }) => from.domain)
  for (const { from, to, state } of moves) steps.push(...probes(from, to, state, { keepDays, former }))
  for (const { domain, newDomain } of wanted.chosen.filter(({ kind }) => kind === 'alias'))
    changes.push({ title: 'Alias', where: website.serverName, before: domain, after: newDomain })
  return { steps, changes }
}

async function movesOf(db: Db, { website, newDomain, chosen, keepDays }: Wanted): Promise<Move[]> {
  const main = { id: website.id, newDomain, status: website.status }
  const subs = chosen.filter(({ kind }) => kind !== 'alias')
  const folders: [string, string][] = []
  const moves: Move[] = []
  for (const { id, newDomain: name, status } of [main, ...subs]) {
    const from = await readSite(db, id)
    const { username } = from.systemUser
    if (hasOwnFolder(from)) folders.push([`/home/${username}/${from.domain}/`, `/home/${username}/${name}/`])
    const aliases = id === website.id ? chosen.filter(({ kind }) => kind === 'alias') : []
    const sentOn: Alias[] = keepDays ? [from.domain, ...aliases.map(({ domain }) => domain)].map(redirect) : []
    const add = [
      ...sentOn,
      ...aliases.map(
        ({ domain, newDomain: other }): Alias => ({
          domain: other,
          mode: from.redirects.includes(domain) ? 'redirect' : 'serve',
        }),
      ),
    ]
    const without = [name, ...aliases.map(({ domain }) => domain)]
    const both = await withNames(db, from, { without: [name], add: [{ domain: name, mode: 'serve' }] })
    const to = {
      ...(await withNames(db, from, { domain: name, add, without })),
      documentRoot: moved(from.documentRoot, folders),
    }
    moves.push({ from, to, both, state: stateOf(status) })
  }
  return moves
}
const redirect = (domain: string): Alias => ({ domain, mode: 'redirect' })

/** A document root after the folders were renamed. */
const moved = (root: string, folders: readonly [string, string][]): string => {
  const found = folders.find(([folder]) => root.startsWith(folder))
  return found ? `${found[1]}${root.slice(found[0].length)}` : root
}

/** Sub-websites that keep their names, but have their document root in a renamed folder. */
async function movedWithFolder(db: Db, id: number, moves: Move[]) {
  const family = await readFamily(db, id)
  const stay = family.filter(({ kind, id: own }) => kind !== 'alias' && !moves.some(({ from }) => from.id === own))
  const folders = moves.flatMap(({ from, to }): [string, string][] =>
    hasOwnFolder(from) ? [[`${folderOf(from)}/`, `${folderOf(to)}/`]] : [],
  )
  const sites = await readSites(
    db,
    stay.map((member) => member.id),
  )
  return sites.flatMap((before) => {
    const after = { ...before, documentRoot: moved(before.documentRoot, folders) }
    const status = stay.find((member) => member.id === before.id)?.status ?? 'active'
    return after.documentRoot === before.documentRoot ? [] : [{ before, after, state: stateOf(status) }]
  })
}

/** An application that still leads to a former name sends its visitors in a circle. */
const probes = (
  from: Site,
  to: Site,
  state: State,
  { keepDays, former }: { keepDays: number; former: string[] },
): PlanStep[] => [
  state === 'active' ? ask(to, 'served', former) : ask(to, 'suspended'),
  ...(keepDays
    ? [
        step(
          redirectProbe,
          { serverId: to.server.id, name: from.domain, to: to.domain, keepDays },
          { resource: { type: 'website', id: from.id, name: from.domain }, optional: true },
        ),
      ]
    : []),
]

const changeOf = ({ server }: Site, title: string, before: string, after: string): Renaming => ({
  title,
  where: server.name,
  before,
  after,
})
const changesOf = (from: Site, to: Site): Renaming[] => [
  changeOf(to, 'Domain', from.domain, to.domain),
  ...(hasOwnFolder(from) ? [changeOf(to, 'Document root', from.documentRoot, to.documentRoot)] : []),
  changeOf(
    to,
    `${webServerTitles[to.server.webServer]} site`,
    [from.domain, ...from.aliases].join(', '),
    [to.domain, ...to.aliases].join(', '),
  ),
  changeOf(to, 'Logs', `${from.domain}.access.log, .error.log`, `${to.domain}.access.log, .error.log`),
]
