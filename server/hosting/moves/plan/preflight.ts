import type { Finding } from '@innkeeper/contract/hosting/moves/shapes'
import { type WebServer, webServerTitles } from '@innkeeper/contract/machines/servers/shapes'
import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { namesText } from '../../../kit/app/namesText.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { phpVersionsOf } from '../../../machines/servers/php.ts'
import { serverStates, servers } from '../../../machines/servers/tables.ts'
import { accessFindings } from '../../sftp/moving.ts'
import { findServer } from '../../systemUsers/place.ts'
import { systemUsers } from '../../systemUsers/tables.ts'
import { allParts, type Newcomers } from '../../websites/parts/parts.ts'
import type { Site } from '../../websites/siteSteps.ts'
import { websites } from '../../websites/tables.ts'
import { familyOf, type Row, servedOf } from '../family.ts'
import type { migrations } from '../tables.ts'
import { type Checked, lookFindings, type Sizes, take } from './inspection.ts'
import { planFindings } from './planRoom.ts'
import { findHome, type Into, type NewHome } from './targetAccount.ts'

type Move = typeof migrations.$inferSelect
/** The move that is running: its own rows and locks are no blockers. */
interface Asked {
  own?: Move
  /** Move back to the original server: the earlier move is no blocker, and the server may be full for new websites. */
  returning?: boolean
  /** The account on the target server. */
  into?: Into
  /** Whether staging copies move along. */
  withCopies?: boolean | undefined
  /** The websites that a return takes back. */
  sites?: Move['sites']
  /** True: sizes are not counted, and a server that does not answer at once is not waited for. */
  quick?: boolean
}

/** Operations that both agents must support. */
const needed = [
  'transfer.open',
  'transfer.pull',
  'transfer.compare',
  'transfer.verify',
  'migration.look',
  'website-logs.pack',
  'crontab.rest',
  'database.marks',
  'php-pool.renew',
  'document-root.link',
  'document-root.close',
]

/** Checks a move by our own rows, without requests to servers. 404 if the website or a server does not exist. */
export async function check(
  db: Db,
  websiteId: number,
  targetServerId: number,
  {
    own,
    returning = own?.reverseOf !== null && own !== undefined,
    into,
    withCopies = own?.withCopies,
    sites: moving = own?.sites,
  }: Asked = {},
): Promise<Checked> {
  const { family, staying } = await familyOf(db, websiteId, { withCopies, ...(moving && { sites: moving }) })
  const [main] = family
  if (main?.id !== websiteId) throw notFound('website', websiteId)
  const problems: Record<string, string> = {}
  const target = await findServer(db, targetServerId, problems)
  const [source] = await db
    .select()
    .from(servers)
    .where(eq(servers.id, own?.sourceServerId ?? main.serverId))
  if (!target || !source) throw notFound('server', targetServerId)
  const sites = await servedOf(db, family)
  const home = await homeOf(db, family, target.id, { own, returning, into })
  const full = returning && target.status === 'up' ? undefined : problems.originServer
  // the website's own reason is more specific
  const problem = (await unfit(db, family, target, { own, returning })) ?? full
  const findings = [
    finding('target', 'Target server', problem, `${target.name} takes new websites`),
    ...webFindings(source, target),
    finding('address', 'Addresses', addressProblem(source, target), `${source.address} to ${target.address}`),
    ...(await agentFindings(db, source.id === target.id ? [target] : [source, target])),
    ...(await phpFindings(db, sites, target)),
    ...copiesFindings(family, staying, source, target),
    await accountFinding(db, main, home, target.name),
    ...(await accessFindings(
      db,
      main.systemUserId,
      { id: home.accountId, username: home.username, serverName: target.name },
      family.map(({ id }) => id),
    )),
  ]
  for (const part of allParts())
    for (const site of sites) findings.push(...((await part.moveCheck?.(db, site, target.id)) ?? []))
  return { family, sites, source, target, home, findings }
}

/** Checks as `check` does, and queries both servers: disk space, files, PHP modules. */
export async function examine(app: App, websiteId: number, targetServerId: number, asked: Asked = {}) {
  const checked = await check(app.db, websiteId, targetServerId, asked)
  // a running move has created its names already, and a move back finds them
  const newcomers = asked.own || asked.returning ? undefined : await newcomersOf(app.db, checked)
  const looked = await take(app, checked, { moving: asked.own?.sites, newcomers, quick: asked.quick })
  const returning = asked.returning ?? (asked.own !== undefined && asked.own.reverseOf !== null)
  const inPlan = await planFindings(app.db, checked, looked, returning)
  const findings = [...checked.findings, ...lookFindings(checked, looked), ...inPlan]
  const free = typeof looked.target === 'string' ? null : looked.target.free
  // `known`: what our own rows tell, without the servers
  return { ...checked, findings, known: checked.findings, sizes: looked.sizes satisfies Sizes, free }
}

async function newcomersOf(db: Db, { sites, home, target }: Checked): Promise<Newcomers> {
  const all: Newcomers = {
    accounts: home.accountId === undefined ? [home.username] : [],
    databases: [],
    databaseUsers: [],
  }
  for (const part of allParts())
    for (const site of sites) {
      const { databases = [], databaseUsers = [] } = (await part.newcomers?.(db, site, target.id)) ?? {}
      all.databases.push(...databases)
      all.databaseUsers.push(...databaseUsers)
    }
  return all
}

const finding = (key: string, title: string, problem: string | undefined, good: string): Finding =>
  problem ? { key, title, level: 'blocker', text: problem } : { key, title, level: 'ok', text: good }

const homeOf = async (db: Db, family: Row[], serverId: number, { own, returning, into }: Asked): Promise<NewHome> => {
  // a running move has its account already, and a return uses the account that the website had
  const known = own?.targetUserId ?? (returning ? into?.account : undefined)
  if (!known) return findHome(db, family, serverId, into)
  const [account] = await db.select().from(systemUsers).where(eq(systemUsers.id, known))
  return { username: account?.username ?? '', accountId: known, problem: undefined }
}

async function unfit(db: Db, family: Row[], target: { id: number; name: string }, { own, returning }: Asked) {
  const [main] = family
  if (!main) return undefined
  if (main.kind !== 'main' && main.kind !== 'staging')
    return `${main.domain} is a ${main.kind} website: it moves with the one that it belongs to`
  if (own) return undefined
  if (main.serverId === target.id) return `${main.domain} is on ${target.name} already`
  for (const { domain, status } of family)
    if (status !== 'active' && status !== 'suspended') return `${domain} is ${status}: it has to be active or suspended`
  const apart = family.find(({ serverId }) => serverId !== main.serverId)
  if (apart) return `${apart.domain} is on another server than ${main.domain}`
  const [busy] = await rows<{ domain: string; holder: string }>(
    db,
    sql`select w.domain, l.holder from resource_locks l join websites w on 'website:' || w.website_id = l.resource
      where w.website_id in ${family.map(({ id }) => id)} limit 1`,
  )
  if (busy) return `${busy.domain} is being worked on by ${busy.holder}`
  if (returning) return undefined
  const [soaking] = await rows<{ id: number; name: string }>(
    db,
    sql`select m.website_migration_id as id, s.name from website_migrations m join servers s on s.server_id = m.source_server_id
      where m.source_website_id = ${main.id} and m.status = 'soaking' limit 1`,
  )
  return soaking && `Its move ${soaking.id} is not over: retire what is left on ${soaking.name}, or roll it back`
}

/** Findings about staging copies, which move or stay, and about other names, which move. */
function copiesFindings(
  family: readonly Row[],
  staying: readonly Row[],
  source: { id: number; name: string },
  target: { id: number; name: string },
): Finding[] {
  const [main, ...others] = family
  if (!main) return []
  const named = (some: readonly Row[]) => some.map(({ domain }) => domain).join(', ')
  const title = 'Staging copies'
  const coming = others.filter(({ kind }) => kind === 'staging')
  const left = staying.filter(({ serverId }) => serverId === source.id)
  const apart = staying.filter(({ serverId }) => serverId !== source.id && serverId !== target.id)
  const there = staying.filter(({ serverId }) => serverId === target.id && serverId !== source.id)
  const aliases = others.filter(({ kind }) => kind === 'alias')
  const find = (some: readonly Row[], level: Finding['level'], text: string): Finding[] =>
    some.length ? [{ key: 'copies', title, level, text: `${named(some)}: ${text}` }] : []
  return [
    ...find(coming, 'ok', 'moves along, with an account of its own'),
    ...find(there, 'ok', `is on ${target.name} already`),
    ...find(
      left,
      'warning',
      `stays on ${source.name} with its files and databases. Until one of both moves to the other, it cannot be merged`,
    ),
    ...find(
      apart,
      'warning',
      `is on another server and stays there. It cannot be merged until it moves to ${target.name}`,
    ),
    ...(aliases.length
      ? [{ key: 'names', title: 'Other names', level: 'ok' as const, text: `${named(aliases)}: move along` }]
      : []),
  ]
}

/** Reports a change of web server before the move, although both serve a website alike. */
const webFindings = (source: { webServer: WebServer }, target: { name: string; webServer: WebServer }): Finding[] =>
  source.webServer === target.webServer
    ? []
    : [
        finding(
          'web-server',
          'Web server',
          undefined,
          `${webServerTitles[target.webServer]} on ${target.name}, ${webServerTitles[source.webServer]} until now`,
        ),
      ]

function addressProblem(source: { name: string; address: string | null }, target: typeof source): string | undefined {
  const without = [source, target].find(({ address }) => !address)
  return without && `${without.name} has no address that the other one could ask`
}

async function agentFindings(db: Db, both: { id: number; name: string }[]): Promise<Finding[]> {
  const found: Finding[] = []
  for (const { id, name } of both) {
    const [state] = await db.select().from(serverStates).where(eq(serverStates.serverId, id))
    const missing = needed.filter((operation) => !state?.operations.includes(operation))
    const old = missing.length ? `The agent of ${name} is too old to move websites: update it first` : undefined
    const problem = state ? old : `${name} has not been heard from yet`
    found.push(finding('agent', `Agent of ${name}`, problem, `${state?.agentVersion} knows how`))
  }
  return found
}

async function phpFindings(db: Db, sites: Site[], target: { id: number; name: string }): Promise<Finding[]> {
  const [state] = await db.select().from(serverStates).where(eq(serverStates.serverId, target.id))
  const there = phpVersionsOf({ services: state?.services ?? [] })
  return [...new Set(sites.map(({ phpVersion }) => phpVersion))].map((version) =>
    finding(
      'php',
      `PHP ${version}`,
      there.includes(version)
        ? undefined
        : `${target.name} has ${there.length ? `PHP ${there.join(', ')}` : 'no PHP'}: install ${version} there first`,
      `${target.name} has it`,
    ),
  )
}

async function accountFinding(db: Db, main: Row, home: NewHome, on: string): Promise<Finding> {
  const [now] = await db.select().from(systemUsers).where(eq(systemUsers.id, main.systemUserId))
  const title = 'Account'
  if (home.problem) return { key: 'account', title, level: 'blocker', text: home.problem }
  if (now && now.username !== home.username)
    return {
      key: 'account',
      title,
      level: 'warning',
      text: `${home.accountId === undefined ? `The name ${now.username} is taken on ${on}: its account there` : `Its account on ${on}`} is ${home.username}, below /home/${home.username}. Paths in its own files stay as they are`,
    }
  if (home.accountId === undefined)
    return { key: 'account', title, level: 'ok', text: `${home.username} is made on ${on}, for this website alone` }
  const others = await domainsOf(db, home.accountId)
  const shared = others.filter((domain) => domain !== main.domain)
  if (!shared.length) return { key: 'account', title, level: 'ok', text: `${home.username} of this owner` }
  const text = `${home.username} also serves ${namesText(shared, 5)}: whoever can write to one of them, in PHP or by SFTP, can write to all`
  return { key: 'account', title, level: 'warning', text }
}

/** Websites of an account that are served, by name. */
export async function domainsOf(db: Db, accountId: number): Promise<string[]> {
  const found = await db
    .select({ domain: websites.domain })
    .from(websites)
    .where(and(eq(websites.systemUserId, accountId), ne(websites.kind, 'alias'), isNull(websites.deletedAt)))
    .orderBy(websites.domain)
  return found.map(({ domain }) => domain)
}

/** A finding of one of several websites, with its domain, which some texts begin with. */
export const textOf = (domain: string, { text }: Finding): string =>
  text.startsWith(`${domain} `) ? text : `${domain}: ${text}`
