import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import type { Service } from '@innkeeper/contract/agent/door'
import { countQueued } from './drivers/mail/queueSize.ts'
import { rootedPackages } from './drivers/php/phpRoot.ts'
import { repositories } from './drivers/restic/service.ts'
import { hasSystemd, installedPackages, run, stateOf } from './kit/host.ts'

/** A service by its name in the contract, with patterns for package, unit and process; `*` stands for the version. */
interface Known {
  name: string
  package: RegExp
  unit: (version: string) => string
  process: (version: string) => string
}
const plain = (name: string, pkg: string, unit = pkg, process = unit): Known => ({
  name,
  package: new RegExp(`^(${pkg})$`),
  unit: () => unit,
  process: () => process,
})
const known: Known[] = [
  { ...plain('nginx', 'nginx'), package: /^(nginx)(?:-light|-core|-full|-extras)?$/ },
  plain('apache', 'apache2'),
  {
    name: 'php-fpm',
    package: /^php(\d\.\d+)-fpm$/,
    unit: (version) => `php${version}-fpm`,
    process: (version) => `php-fpm${version}`,
  },
  plain('powerdns', 'pdns-server', 'pdns', 'pdns_server'),
  plain('mariadb', 'mariadb-server', 'mariadb', 'mariadbd'),
  {
    name: 'postgresql',
    package: /^postgresql-(\d+)$/,
    unit: (version) => `postgresql@${version}-main`,
    process: () => 'postgres',
  },
  // postfix.service is always active, even when this instance is not
  plain('postfix', 'postfix', 'postfix@-', 'master'),
  plain('dovecot', 'dovecot-core', 'dovecot', 'dovecot'),
  plain('rspamd', 'rspamd'),
  // the unit of the package never starts
  plain('pure-ftpd', 'pure-ftpd', 'innkeeper-ftp', 'pure-ftpd'),
  plain('redis', 'redis-server', 'redis-server', 'redis-server'),
  plain('restic', 'restic'),
]
type Seen = Pick<Service, 'state' | 'since'>
/** Services without a unit: restic is active if its repositories exist, Redis if an instance has a socket. */
const withoutUnit: Record<string, () => Seen> = {
  // Debian's own Redis is disabled: each website has its own
  redis: () => ({ state: existsSync('/run/innkeeper-redis') ? 'active' : 'inactive' }),
  restic: () => ({ state: existsSync(repositories) ? 'active' : 'inactive' }),
}

/** What waits at a service. */
const waitingAt: Record<string, () => Promise<number | undefined>> = { postfix: countQueued }

/** The installed services with their states, from systemd or else from the process list. */
export async function findServices(): Promise<Service[]> {
  const packages = new Map([...(await installed()), ...upstream(await rootedPackages())])
  const found = known.flatMap((service) =>
    [...packages].flatMap(([pkg, version]) => {
      const match = pkg.match(service.package)
      if (!match) return []
      const which = match[1] ?? ''
      return [{ name: service.name, version, unit: service.unit(which), process: service.process(which), which }]
    }),
  )
  const unique = [...new Map(found.map((one) => [one.unit, one])).values()]
  const states = hasSystemd() ? await unitStates(unique.map(({ unit }) => unit)) : await processStates()
  return Promise.all(
    unique.map(async ({ name, version, unit, process, which }): Promise<Service> => {
      const waiting = await waitingAt[name]?.()
      return {
        name,
        version: version.slice(0, 64),
        state: 'inactive',
        ...(withoutUnit[name]?.() ?? states.get(hasSystemd() ? `${unit}.service` : process)),
        detail: name === 'php-fpm' ? `PHP ${which}` : null,
        ...(waiting !== undefined && { waiting }),
      }
    }),
  )
}

let cached: { mtime: number; packages: Map<string, string> } | undefined

/**
 * Installed packages with their upstream versions: `8.2.29` of `1:8.2.29-1~deb12u1`. Cached until dpkg changes them.
 */
async function installed(): Promise<Map<string, string>> {
  const mtime = await stat('/var/lib/dpkg/status').then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  ) // without dpkg, no packages
  if (cached?.mtime === mtime) return cached.packages
  const packages = mtime ? await installedPackages() : new Map<string, string>()
  cached = { mtime, packages: upstream(packages) }
  return cached.packages
}

const upstream = (packages: Map<string, string>) =>
  new Map([...packages].map(([name, version]) => [name, version.replace(/^\d+:/, '').replace(/[-+~].*$/s, '')]))

async function unitStates(units: readonly string[]): Promise<Map<string, Seen>> {
  if (units.length === 0) return new Map()
  const names = units.map((unit) => `${unit}.service`)
  const asked = ['--timestamp=unix', '--property=Id,ActiveState,StateChangeTimestamp']
  const { stdout } = await run(['systemctl', 'show', ...asked, ...names])
  const states = new Map<string, Seen>()
  for (const part of stdout.split('\n\n')) {
    const [, id] = part.match(/^Id=(.*)$/m) ?? []
    const [, state = ''] = part.match(/^ActiveState=(.*)$/m) ?? []
    const [, changed] = part.match(/^StateChangeTimestamp=@(\d+)$/m) ?? [] // empty: unchanged since boot
    const since = changed ? new Date(Number(changed) * 1000).toISOString() : null
    if (id) states.set(id, { state: stateOf(state), since })
  }
  return states
}

async function processStates(): Promise<Map<string, Seen>> {
  const states = new Map<string, Seen>()
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '') // the process has ended
    if (name) states.set(name.trim(), { state: 'active' })
  }
  return states
}
