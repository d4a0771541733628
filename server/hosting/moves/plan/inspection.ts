import type { Finding } from '@innkeeper/contract/hosting/moves/shapes'
import { ExtensionHere, lackingOf } from '@innkeeper/contract/hosting/phpExtensions'
import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { liveRead } from '../../../kit/agents/liveRead.ts'
import type { App } from '../../../kit/app/app.ts'
import { namesText } from '../../../kit/app/namesText.ts'
import { sized } from '../../../kit/app/sized.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { Refusal } from '../../../kit/http/errors.ts'
import type { servers } from '../../../machines/servers/tables.ts'
import type { Newcomers } from '../../websites/parts/parts.ts'
import { isServed } from '../../websites/probe.ts'
import type { Site } from '../../websites/siteSteps.ts'
import { folderOf, type Row } from '../family.ts'
import type { Moving } from '../tables.ts'
import type { NewHome } from './targetAccount.ts'

export interface Checked {
  family: Row[]
  sites: Site[]
  source: typeof servers.$inferSelect
  target: typeof servers.$inferSelect
  home: NewHome
  findings: Finding[]
}

const Look = z.object({
  free: z.number(),
  freeInodes: z.number().nullable(),
  modules: z.array(z.string()),
  /** Extensions of the requested PHP version; an older agent lists none. */
  extensions: z.array(ExtensionHere).optional(),
  folders: z.array(z.object({ path: z.string(), bytes: z.number().nullable(), files: z.number().nullable() })),
  /** Answers of the websites; empty from an older agent, which does not request the websites. */
  sites: z.array(z.object({ domain: z.string(), status: z.int().nullable(), text: z.string() })).default([]),
  /** What homes contain besides websites, as `username/entry`; an older agent lists none. */
  beside: z.array(z.string()).default([]),
  /** Cron jobs of each account, and how many of them name no folder of its websites; an older agent lists none. */
  jobs: z.array(z.object({ username: z.string(), jobs: z.int(), unnamed: z.int() })).default([]),
  /** Whether the server has cron; an older agent does not say. */
  cron: z.boolean().optional(),
  /** Names of `newcomers` that the server has already. Older agents answer none, and their steps take such names over. */
  taken: z.array(z.string()).default([]),
})
type Look = z.output<typeof Look>
export interface Sizes {
  /** Null if counting timed out. */
  bytes: number | null
  files: number | null
}
export interface Looked {
  source: Look | string
  target: Look | string
  /** Chosen extensions that the target lacks, such as `imagick (PHP 8.4)`. Undefined: an older agent does not say. */
  lacking: string[] | undefined
  sizes: Sizes
  /** Accounts that other websites use too. */
  shared?: string[]
}

interface How {
  moving?: readonly Pick<Moving, 'id' | 'state'>[] | undefined
  newcomers?: Newcomers | undefined
  /** Waits for seconds only, at the call that starts a move: its first action asks again, and waits longer. */
  quick?: boolean | undefined
}

/**
 * Queries both servers in parallel. A string is the reason why a server did not answer. `moving`: the websites of a move
 * that has begun, whose rows do not show any more whether they are suspended. `newcomers`: names that must be free on
 * the target.
 */
export async function take(
  app: App,
  { family, sites, source, target }: Checked,
  { moving = [], newcomers, quick = false }: How = {},
): Promise<Looked> {
  const [main] = sites
  const phpVersion = main?.phpVersion ?? '8.2'
  const folders = quick ? [] : sites.map((site) => ({ username: site.systemUser.username, path: folderOf(site) }))
  // aliases are names of another website; a suspended one answers 503
  const isSuspended = ({ id, status }: (typeof family)[number]) =>
    (moving.find((one) => one.id === id)?.state ?? status) === 'suspended'
  const open = family.filter((one) => one.kind !== 'alias' && !isSuspended(one)).map((one) => one.domain)
  const ask = async (serverId: number, theirs: typeof folders, more: object): Promise<Look | string> => {
    try {
      return Look.parse(
        await liveRead(app, serverId, 'migration.look', { phpVersion, folders: theirs, ...more }, { quick }),
      )
    } catch (error) {
      if (error instanceof Refusal) return error.message
      throw error
    }
  }
  const homes = quick ? [] : await homesOf(app.db, sites)
  const [there, here] = await Promise.all([
    ask(source.id, folders, { sites: open, homes }),
    ask(target.id, [], { newcomers }),
  ])
  return {
    source: there,
    target: here,
    sizes: quick ? { bytes: null, files: null } : sizesOf(there),
    lacking: await lackingThere(app, sites, target.id, here),
    shared: homes.flatMap(({ username, websites }) =>
      websites.some((name) => !family.some(({ domain }) => domain === name)) ? username : [],
    ),
  }
}

/** The accounts of the websites that move, with the names of all of their websites. */
const homesOf = (db: Db, sites: Checked['sites']) =>
  rows<{ username: string; websites: string[] }>(
    db,
    sql`select u.username, array_agg(w.domain) as websites from system_users u join websites w using (system_user_id)
      where system_user_id = any(${sql.param([...new Set(sites.map(({ systemUser }) => systemUser.id))])}::int[])
        and w.deleted_at is null group by u.username`,
  )

/** A website and its members may run in several PHP versions, each with its own extensions. */
async function lackingThere(app: App, sites: Checked['sites'], targetId: number, here: Look | string) {
  const first = sites[0]?.phpVersion
  const lacking: string[] = []
  for (const phpVersion of new Set(sites.map((site) => site.phpVersion))) {
    const chosen = chosenIn(sites.filter((site) => site.phpVersion === phpVersion))
    if (!chosen.length) continue
    const extensions = phpVersion === first ? typeof here === 'object' && here.extensions : await list(phpVersion)
    if (!extensions) return undefined
    lacking.push(...lackingOf(chosen, extensions).map((name) => `${name} (PHP ${phpVersion})`))
  }
  return lacking

  async function list(phpVersion: string) {
    try {
      return Listed.parse(await liveRead(app, targetId, 'php-extensions.list', { phpVersion })).extensions
    } catch (error) {
      if (error instanceof Refusal) return undefined // another finding says that the version is missing
      throw error
    }
  }
}
const Listed = z.object({ extensions: z.array(ExtensionHere) })
const chosenIn = (sites: Checked['sites']) => [...new Set(sites.flatMap(({ php }) => php?.extensionsOn ?? []))]

function sizesOf(look: Look | string): Sizes {
  if (typeof look === 'string') return { bytes: null, files: null }
  const sum = (key: 'bytes' | 'files') =>
    look.folders.reduce<number | null>((all, one) => (all === null || one[key] === null ? null : all + one[key]), 0)
  return { bytes: sum('bytes'), files: sum('files') }
}

/** Disk space for a copy: 10 % more than its size, and 64 MiB for growth during the move. */
const withRoom = (bytes: number) => bytes * 1.1 + 64 * 1024 ** 2

/**
 * Whether the disk of the target has room for all websites of a group together. Undefined for a single website, and if
 * a size is unknown.
 */
export function roomForAll(
  all: readonly { target: { name: string }; sizes: Sizes; free: number | null }[],
): Finding | undefined {
  const [first] = all
  const free = first?.free ?? null
  const bytes = all.reduce<number | null>(
    (sum, { sizes }) => (sum === null || sizes.bytes === null ? null : sum + sizes.bytes),
    0,
  )
  if (!first || all.length < 2 || free === null || bytes === null) return undefined
  const text = `All ${all.length} websites: ${sized(bytes)}`
  const room = `${sized(free)} free on ${first.target.name}`
  return withRoom(bytes) > free
    ? { key: 'disk', title: 'Disk', level: 'blocker', text: `${text}, and only ${room}` }
    : { key: 'disk', title: 'Disk', level: 'ok', text: `${text}; ${room}` }
}

export function lookFindings(checked: Checked, { source, target, sizes, lacking, shared = [] }: Looked): Finding[] {
  const found: Finding[] = []
  const add = (key: string, title: string, level: Finding['level'], text: string) =>
    found.push({ key, title, level, text })
  if (typeof source === 'string') add('source', 'Source server', 'blocker', source)
  if (typeof target === 'string') add('reach', 'Target server', 'blocker', target)
  if (typeof source === 'string' || typeof target === 'string') return found

  for (const { domain, status, text } of source.sites) {
    const isFit = status !== null && isServed(status)
    const asked = `http://${domain}/ answers ${text}`
    add(
      'answers',
      'Website',
      isFit ? 'ok' : 'blocker',
      isFit ? asked : `${asked}: the move would stop at its first probe. Repair the website first`,
    )
  }
  if (target.taken.length)
    add(
      'names',
      'Names',
      'blocker',
      `${target.taken.join(', ')}: ${checked.target.name} has it already, and Innkeeper did not create it there. Rename or delete it on the server first; a database can also be adopted`,
    )
  if (source.beside.length)
    add(
      'beside',
      'Other files',
      'warning',
      `Only the folders of websites move. In /home on ${checked.source.name} stay ${namesText(source.beside, 5)}. They go to the trash with their account when the old server is retired, unless another website uses the account`,
    )
  const cron = cronProblems(checked, source, target, shared)
  if (cron.length) add('cron', 'Cron jobs', 'warning', cron.join('. '))
  const room = `${sized(target.free)} free on ${checked.target.name}`
  if (sizes.bytes === null) add('disk', 'Disk', 'warning', `Its size could not be counted in time; ${room}`)
  else if (withRoom(sizes.bytes) > target.free)
    add('disk', 'Disk', 'blocker', `${sized(sizes.bytes)}, and only ${room}`)
  else add('disk', 'Disk', 'ok', `${sized(sizes.bytes)}; ${room}`)

  if (target.freeInodes !== null && sizes.files !== null) {
    const enough = sizes.files * 1.1 + 1000 < target.freeInodes
    add(
      'inodes',
      'Files',
      enough ? 'ok' : 'blocker',
      `${sizes.files.toLocaleString('en-GB')} files; room for ${target.freeInodes.toLocaleString('en-GB')} more`,
    )
  }
  const chosen = chosenIn(checked.sites)
  if (lacking?.length)
    add(
      'extensions',
      'PHP extensions',
      'blocker',
      `Chosen for it and not on ${checked.target.name}: ${lacking.join(', ')}. Install them there, or switch them off`,
    )
  else if (chosen.length && lacking)
    add('extensions', 'PHP extensions', 'ok', `${checked.target.name} has what was chosen: ${chosen.join(', ')}`)

  const missing = source.modules.filter((name) => !target.modules.includes(name))
  if (target.modules.length && missing.length)
    add('modules', 'PHP modules', 'warning', `Not on ${checked.target.name}: ${missing.join(', ')}`)
  else if (target.modules.length) add('modules', 'PHP modules', 'ok', 'The same ones or more')
  return found
}

function cronProblems(
  { source, target }: Checked,
  { jobs }: Look,
  { cron }: Look,
  shared: readonly string[],
): string[] {
  const counted = (n: number) => `${n} cron ${n === 1 ? 'job' : 'jobs'}`
  const all = jobs.reduce((sum, one) => sum + one.jobs, 0)
  const unnamed = jobs.filter((one) => one.unnamed && shared.includes(one.username))
  return [
    ...(all && cron === false ? [`${target.name} has no cron: install the package cron there first`] : []),
    ...unnamed.map(
      (one) =>
        `${counted(one.unnamed)} of ${one.username} ${one.unnamed === 1 ? 'names' : 'name'} no folder of a website and ${one.unnamed === 1 ? 'stays' : 'stay'} on ${source.name}, because other websites use the account`,
    ),
  ]
}
