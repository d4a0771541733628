import { existsSync } from 'node:fs'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { domain as domainSchema } from '@innkeeper/contract/kit/values'
import { absent, exclusive, merged, run } from '../../kit/host.ts'
import { certificateIn } from '../archives/certificate.ts'
import { credentialsIn, nativeHash } from '../archives/credentials.ts'
import { formOf } from '../archives/hashes.ts'
import { emptyInventory, noSecrets, plainWebsite } from '../archives/layout.ts'
import { isAppConfig, jobIn } from '../archives/records.ts'
import { nginx } from '../nginx/nginx.ts'
import { configurationIn, type FoundServer, serversIn } from '../nginx/nginxText.ts'
import type { Beside, MachineAccount } from './account.ts'
import { hostsIn } from './apacheText.ts'
import type { FoundBase } from './databases.ts'

const MOST_CONFIG = 262_144
/** A file with the hosts of a whole machine. */
const MOST_HOSTS = 16 * 1_048_576
/** Roots that belong to the system: their contents are no website of anybody. */
const systemRoots = [
  '/',
  '/etc',
  '/home',
  '/root',
  '/srv',
  '/usr',
  '/var',
  '/var/lib',
  '/var/www',
  '/var/www/html',
  '/usr/share/nginx/html',
]

/** Websites of hand-made configurations of nginx and Apache. The owner of the folder is the account. */
export async function handMadeAccounts(
  bases: readonly FoundBase[],
  asked: { account?: string | undefined; nginx?: string | undefined },
): Promise<{ accounts: MachineAccount[]; others: Beside[] }> {
  const others: Beside[] = []
  const accounts = new Map<string, MachineAccount>()
  const pools = await poolsHere()
  const taken = new Set<string>()
  const none = new Map<string, string>()
  const all = await serversHere(asked.nginx)
  const owners = await ownersHere()
  for (const server of all) {
    const own = [...new Set(server.names.map((one) => one.toLowerCase()))]
    const name = own.find((one) => domainSchema.safeParse(one).success && !one.startsWith('www.')) ?? own[0]
    if (!name || taken.has(name)) continue
    if (server.proxy && !server.php) {
      taken.add(name)
      others.push({
        kind: 'website',
        name,
        why: `an application behind ${server.proxy.slice(0, 200)}: it is left alone`,
      })
      continue
    }
    const root = server.root && !server.root.includes('$') ? await realpath(server.root).catch(absent) : undefined
    if (!root || systemRoots.includes(root)) {
      // another server of the name may show a folder
      if (!none.has(name)) none.set(name, whyNone(server, root))
      continue
    }
    taken.add(name)
    const owner = await owners.of(root)
    if (asked.account !== undefined && asked.account !== owner) continue
    // http and https are often servers of their own, with other names and one certificate
    const same = all.filter(({ names }) => names.some((one) => one.toLowerCase() === name))
    const secure = server.certificate ? server : same.find(({ certificate }) => certificate !== undefined)
    const names = [...new Set([...own, ...same.flatMap((one) => one.names.map((text) => text.toLowerCase()))])]
    const whole = { ...server, certificate: secure?.certificate, key: secure?.key }
    await add(accounts, { server: whole, name, names, root, owner, pools, bases })
  }
  for (const [name, why] of none) if (!taken.has(name)) others.push({ kind: 'website', name, why })
  const used = new Set(
    [...accounts.values()].flatMap(({ layout }) => layout.inventory.databases.map((one) => one.name)),
  )
  for (const { name } of bases)
    if (!used.has(name))
      others.push({
        kind: 'database',
        name,
        why: 'no configuration file of a website names it: import a dump of it by hand',
      })
  return { accounts: [...accounts.values()], others }
}

const emptyAccount = (owner: string): MachineAccount => ({
  layout: { inventory: emptyInventory('machine', owner), secrets: noSecrets(), rules: [], roots: {} },
  sources: new Map(),
})

/** Why a server of a name is no website that can come: each name of the machine is in one list or the other. */
function whyNone({ redirect, root: written }: FoundServer, root: string | undefined): string {
  if (redirect) return `redirects to ${redirect.slice(0, 200)}`
  if (root) return `shows ${root}, a folder of the system`
  if (written === undefined) return 'shows no folder of its own, or one that another file names'
  return written.includes('$')
    ? `its folder ${written.slice(0, 200)} has a variable: write the path instead, and look again`
    : `its folder ${written.slice(0, 200)} does not exist`
}

interface Adding {
  server: HereServer
  name: string
  names: string[]
  root: string
  owner: string
  pools: readonly { listen: string; version: string }[]
  bases: readonly FoundBase[]
}

async function add(
  accounts: Map<string, MachineAccount>,
  { server, name, names, root, owner, pools, bases }: Adding,
): Promise<void> {
  const account = accounts.get(owner) ?? emptyAccount(owner)
  accounts.set(owner, account)
  const { inventory, secrets, rules, roots } = account.layout
  const site = plainWebsite(name, root)
  site.aliases = names.filter((one) => one !== name)
  const socket = server.php?.replace(/^unix:/, '')
  site.phpVersion = (socket ? pools.find(({ listen }) => listen === socket)?.version : server.module) ?? null
  site.ssl = server.certificate !== undefined
  site.redirect = server.redirect ?? null
  site.ownSettings = server.own
  if (server.guarded) site.protectedBy.push('a file of passwords')
  const [chain, key] = await Promise.all([smallText(server.certificate), smallText(server.key)])
  const certificate = chain && certificateIn([chain], key)
  if (certificate) {
    site.certificate = certificate.found
    secrets.certificates[name] = certificate.key
  }
  // an application keeps its own folder around its pages
  const around = /^(.+)\/(?:public|pub|web|webroot)$/.exec(root)?.[1]
  const isApp =
    around !== undefined &&
    ['composer.json', 'artisan', 'vendor', 'package.json'].some((one) => existsSync(join(around, one)))
  const at = `sites/${name}`
  rules.push([`${at}/pages`, { kind: 'site', site: name, to: 'public' }])
  account.sources.set(`${at}/pages`, { folder: root })
  const own = [{ from: root, to: 'public' }]
  roots[name] = own
  if (isApp && around) {
    rules.push([`${at}/around`, { kind: 'site', site: name, to: '' }])
    account.sources.set(`${at}/around`, { folder: around })
    own.push({ from: around, to: '' })
  }
  for (const text of await configsIn(isApp && around ? around : root)) {
    const found = credentialsIn(text)
    const base = found && bases.find((one) => one.name === found.name)
    if (!base || !found || inventory.databases.some((one) => one.name === base.name)) continue
    const user = base.users.find((one) => one.name === found.user)
    secrets.databases[found.user] = user?.hash.startsWith('*') ? user.hash : nativeHash(found.password)
    site.mentions.push(base.name)
    inventory.databases.push({
      ...{ name: base.name, engine: 'mysql', charset: base.charset, dumpBytes: base.bytes, suspended: false },
      users: [{ name: found.user, hash: formOf(secrets.databases[found.user]) }],
    })
    rules.push([`databases/${base.name}.sql`, { kind: 'dump', database: base.name }])
    account.sources.set(`databases/${base.name}.sql`, { database: base.name })
  }
  if (!inventory.websites.length) inventory.cron = await jobsOf(owner)
  inventory.websites.push(site)
}

/** Configuration files in a folder and the folders directly in it, in the order of their names. */
async function configsIn(folder: string): Promise<string[]> {
  const found: string[] = []
  const look = async (at: string) =>
    ((await readdir(at, { withFileTypes: true }).catch(absent)) ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const all = await look(folder)
  const below = await Promise.all(
    all
      .filter((one) => one.isDirectory())
      .slice(0, 200)
      .map(async (one) =>
        (await look(join(folder, one.name))).map((inner) => ({ inner, path: join(folder, one.name, inner.name) })),
      ),
  )
  const files = [...all.map((one) => ({ inner: one, path: join(folder, one.name) })), ...below.flat()]
  for (const { inner, path } of files) {
    const text = inner.isFile() && isAppConfig(inner.name) ? await smallText(path) : undefined
    if (text) found.push(text)
  }
  return found
}

/** The version of PHP that runs within Apache. */
const moduleIn = (modules: readonly string[]) =>
  modules.flatMap((name) => /^php(\d\.\d{1,2})\.load$/.exec(name)?.[1] ?? [])[0]

export async function smallText(path: string | undefined, most = MOST_CONFIG): Promise<string | undefined> {
  if (!path?.startsWith('/')) return undefined
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() && found.size <= most ? readFile(path, 'utf8') : undefined
}

/** A server, and the version of PHP within its web server. */
type HereServer = FoundServer & { module?: string | undefined }

async function serversHere(printed: string | undefined): Promise<HereServer[]> {
  const found: HereServer[] = []
  const text = printed ?? (existsSync('/usr/sbin/nginx') ? (await printedByNginx()).text : undefined)
  if (text !== undefined) found.push(...serversIn(configurationIn(text)))
  if (existsSync('/usr/sbin/apache2ctl')) {
    const { stdout } = await run(['apache2ctl', '-S'])
    const files = new Set(
      [...stdout.matchAll(/\((\/etc\/apache2\/[\w./@-]{1,300}):\d+\)/g)].map(([, file = '']) => file),
    )
    const module = moduleIn((await readdir('/etc/apache2/mods-enabled').catch(absent)) ?? [])
    for (const file of [...files].toSorted())
      found.push(...hostsIn((await smallText(file, MOST_HOSTS)) ?? '').map((one) => ({ ...one, module })))
  }
  // a server on port 80 may only lead to the one with TLS
  return found.toSorted((a, b) => Number(Boolean(b.root)) - Number(Boolean(a.root)))
}

/** Sockets of php-fpm with the version of their pool. */
async function poolsHere(): Promise<{ listen: string; version: string }[]> {
  const pools: { listen: string; version: string }[] = []
  for (const version of ((await readdir('/etc/php').catch(absent)) ?? []).toSorted())
    for (const file of (
      (await readdir(`/etc/php/${version}/fpm/pool.d`).catch(() => [] as string[])) ?? []
    ).toSorted()) {
      const text = file.endsWith('.conf') ? await smallText(`/etc/php/${version}/fpm/pool.d/${file}`) : undefined
      const listen = /^\s{0,9}listen\s{0,9}=\s{0,9}(\S{1,200})/m.exec(text ?? '')?.[1]
      if (listen) pools.push({ listen, version })
    }
  return pools
}

interface Printed {
  text?: string
  complaint: string
}
let printed: Printed = { complaint: '' }
/** Tests and prints the configuration: nothing is reloaded. Who asks while it is printed gets the next one. */
export async function printedByNginx(): Promise<Printed> {
  await merged('the configuration of nginx, printed', async () => {
    printed = await print()
  })
  return printed
}

async function print(): Promise<Printed> {
  const ask = () => run(['nginx', '-T', '-q'])
  const first = await ask()
  // what another website of Innkeeper has just written may not be tested yet
  const { code, stdout, stderr } = first.code === 0 ? first : await exclusive(nginx.title, ask)
  return { ...(code === 0 && { text: stdout }), complaint: stderr.trim().slice(-500) }
}

/** Names of the accounts of folders. A directory of accounts elsewhere may not list them: then each is asked for. */
async function ownersHere(): Promise<{ of(folder: string): Promise<string> }> {
  const names = new Map<number, string>()
  const ask = async (...who: string[]) => {
    for (const line of (await run(['getent', 'passwd', ...who])).stdout.split('\n')) {
      const [name, , uid] = line.split(':')
      if (name && uid && !names.has(Number(uid))) names.set(Number(uid), name)
    }
  }
  await ask()
  return {
    async of(folder) {
      const { uid } = await stat(folder)
      if (!names.has(uid)) await ask(`${uid}`)
      if (!names.has(uid)) names.set(uid, 'unknown')
      return names.get(uid) ?? 'unknown'
    },
  }
}

async function jobsOf(owner: string) {
  const text = /^[a-z_][a-z0-9_.-]{0,31}$/.test(owner)
    ? await smallText(`/var/spool/cron/crontabs/${owner}`)
    : undefined
  return (text ?? '').split('\n').flatMap((line) => {
    const job = jobIn(line)
    return job ? [{ ...job, suspended: false }] : []
  })
}
