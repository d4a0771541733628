import { existsSync, globSync } from 'node:fs'
import type { ConfigService } from '@innkeeper/contract/agent/configs'
import { ensureDirectory, must, probe, reloadUnits, run, service } from '../../kit/host.ts'
import { apache } from '../apache/apache.ts'
import { nginx } from '../nginx/nginx.ts'
import { webWatch } from './webWatch.ts'

type Argv = readonly [string, ...string[]]

/** How a service's configuration is collected, checked and put into effect. */
export interface ConfigSource {
  service: ConfigService
  /** Files and folders; the folders with everything below. */
  roots: readonly string[]
  /** Paths that are no configuration, such as a state that changes by itself. */
  omit?: RegExp
  /** Files that a reset never touches, with the reason. */
  fixed?: readonly [paths: RegExp, reason: string]
  /** Key of `exclusive` that the service's drivers hold during their changes. */
  key: string
  /** The service's own check of the present files. */
  judge?(): Promise<unknown>
  /** Makes the running service read the files. */
  take?(): Promise<unknown>
  /** Describes in words what `take` does. */
  effect: string
  /** Records how the service works before the change. The returned function throws if it works worse afterwards. */
  watch?(): Promise<() => Promise<void>>
}

const check = (program: string, argv: Argv) => async () => {
  if (existsSync(program)) await must(argv)
}
const active = async (unit: string) => (await service(unit).state()) === 'active'
/** Reloads or restarts a unit that runs, and starts one that failed. A unit that people stopped stays stopped. */
const renew = (unit: string, verb: 'reload' | 'restart') => async () => {
  const state = await service(unit).state()
  if (state === 'active') await service(unit)[verb]()
  if (state === 'failed') await service(unit).start()
}
/** A unit that ran before the change must still run and answer `ask` after the change. */
const stays =
  (unit: string, ask: () => Promise<unknown> = async () => undefined) =>
  async () => {
    const ran = await active(unit)
    const answered =
      ran &&
      (await ask().then(
        () => true,
        () => false, // did not answer before either
      ))
    return async () => {
      if (ran && (await service(unit).settled()) !== 'active') throw new Error(`${unit} does not run any more`)
      if (answered) await ask()
    }
  }

const web = (server: typeof nginx | typeof apache) => ({
  omit: /\/innkeeper\/generation\.conf$/,
  key: server.title,
  judge: async () => {
    if (existsSync(server.program)) await server.test()
  },
  take: async () => {
    if (['active', 'failed'].includes(await service(server.unit).state())) await server.reload()
  },
  effect: `${server.title} reloads`,
  watch: webWatch(server),
})

/** The units of php-fpm: Debian's, and the master of each account. */
const phpUnits = async () =>
  (
    await run([
      'systemctl',
      'list-units',
      '--plain',
      '--no-legend',
      '--state=active',
      'php*-fpm.service',
      'innkeeper-php*',
    ])
  ).stdout
    .split('\n')
    .flatMap((line) => /^(\S+)\.service /.exec(line)?.[1] ?? [])

async function judgePhp(): Promise<void> {
  for (const program of globSync('/usr/sbin/php-fpm*')) {
    const version = program.slice('/usr/sbin/php-fpm'.length)
    const main = `/etc/php/${version}/fpm/php-fpm.conf`
    if (existsSync(main)) await must([program, '--test', '--fpm-config', main])
    for (const own of globSync(`/etc/innkeeper/php/${version}/*.conf`))
      await must([program, '--test', '--fpm-config', own])
  }
}

async function watchPhp(): Promise<() => Promise<void>> {
  const before = await phpUnits()
  return async () => {
    for (const unit of before)
      if ((await service(unit).settled()) !== 'active') throw new Error(`${unit} does not run any more`)
  }
}

const named = async () => existsSync('/usr/sbin/named') && must(['named-checkconf', '-z'])
const askSsh = async () => {
  const { text } = await probe('127.0.0.1', 22, 'localhost') // an HTTP client reports the banner as no HTTP
  if (/ECONNREFUSED|no answer/.test(text)) throw new Error(`sshd does not answer on port 22: ${text}`)
}

export const sources: readonly ConfigSource[] = [
  { service: 'nginx', roots: ['/etc/nginx'], ...web(nginx) },
  { service: 'apache', roots: ['/etc/apache2'], ...web(apache) },
  {
    ...{ service: 'php', roots: ['/etc/php', '/etc/innkeeper/php'], key: 'php', effect: 'PHP reloads' },
    judge: judgePhp,
    take: async () => {
      for (const unit of await phpUnits()) await service(unit).reload()
    },
    watch: watchPhp,
  },
  {
    ...{ service: 'mariadb', roots: ['/etc/mysql'], key: 'mariadb', effect: 'MariaDB restarts' },
    judge: check('/usr/sbin/mariadbd', ['mariadbd', '--verbose', '--help', '--user=mysql']),
    take: renew('mariadb', 'restart'),
    watch: stays('mariadb', () => must(['mariadb-admin', 'ping'])),
  },
  {
    ...{ service: 'postgresql', roots: ['/etc/postgresql'], key: 'postgresql', effect: 'PostgreSQL reloads' },
    take: renew('postgresql', 'reload'),
    watch: stays('postgresql'),
  },
  { service: 'redis', roots: ['/etc/redis'], key: 'redis', effect: 'no service: each website has a Redis of its own' },
  {
    ...{ service: 'powerdns', roots: ['/etc/powerdns'], key: 'pdns', effect: 'PowerDNS restarts' },
    judge: check('/usr/sbin/pdns_server', ['pdns_server', '--config=check']),
    take: renew('pdns', 'restart'),
    watch: stays('pdns', () => must(['pdns_control', 'rping'])),
  },
  {
    ...{ service: 'bind', roots: ['/etc/bind'], key: 'named', effect: 'named reloads' },
    judge: named,
    take: renew('named', 'reload'),
    watch: stays('named'),
  },
  {
    ...{
      service: 'postfix',
      roots: ['/etc/postfix', '/etc/aliases'],
      omit: /\.db$/,
      key: 'postfix',
      effect: 'Postfix reloads',
    },
    judge: check('/usr/sbin/postfix', ['postfix', 'check']),
    take: renew('postfix', 'reload'),
    watch: stays('postfix'),
  },
  {
    ...{ service: 'dovecot', roots: ['/etc/dovecot'], key: 'dovecot', effect: 'Dovecot reloads' },
    judge: check('/usr/bin/doveconf', ['doveconf', '-n']),
    take: renew('dovecot', 'reload'),
    watch: stays('dovecot'),
  },
  {
    ...{ service: 'ftp', roots: ['/etc/pure-ftpd'], key: 'pure-ftpd', effect: 'Pure-FTPd restarts' },
    take: renew('pure-ftpd', 'restart'),
    watch: stays('pure-ftpd'),
  },
  {
    ...{ service: 'ssh', roots: ['/etc/ssh'], omit: /\/moduli$/, key: 'accounts', effect: 'sshd reloads' },
    judge: async () => {
      await ensureDirectory('/run/sshd') // missing while sshd is stopped
      await check('/usr/sbin/sshd', ['/usr/sbin/sshd', '-t'])()
    },
    take: renew('ssh', 'reload'),
    watch: stays('ssh', askSsh),
  },
  {
    ...{ service: 'nftables', roots: ['/etc/nftables.conf', '/etc/nftables.d'], key: 'ip sets' },
    effect: 'nftables reloads its rules; the IP sets load again after them',
    judge: async () =>
      existsSync('/etc/nftables.conf') && (await check('/usr/sbin/nft', ['nft', '-c', '-f', '/etc/nftables.conf'])()),
    take: renew('nftables', 'reload'),
    watch: stays('nftables'),
  },
  {
    ...{ service: 'tls', roots: ['/etc/innkeeper/tls'], key: 'tls', effect: 'none' },
    fixed: [/./, 'Certificates come back with the page SSL certificates'],
  },
  {
    service: 'accounts',
    roots: [
      ...['/etc/passwd', '/etc/group', '/etc/shadow', '/etc/gshadow', '/etc/subuid', '/etc/subgid', '/etc/sudoers'],
      ...['/etc/sudoers.d', '/etc/security', '/etc/pam.d'],
    ],
    fixed: [/^\/etc\/(passwd|group|g?shadow|sub[ug]id)$/, 'Accounts made since would be lost'],
    ...{ key: 'accounts', effect: 'none: read at each sign-in' },
    judge: check('/usr/sbin/visudo', ['visudo', '--check', '--quiet']),
  },
  {
    service: 'cron',
    roots: [
      ...[
        '/etc/crontab',
        '/etc/cron.d',
        '/etc/cron.hourly',
        '/etc/cron.daily',
        '/etc/cron.weekly',
        '/etc/cron.monthly',
      ],
      '/var/spool/cron/crontabs',
    ],
    ...{ key: 'crontabs', effect: 'none: cron reads the files by itself' },
  },
  {
    service: 'system',
    roots: [
      ...['/etc/systemd/system', '/etc/hosts', '/etc/hostname', '/etc/resolv.conf', '/etc/fstab', '/etc/sysctl.conf'],
      ...[
        '/etc/sysctl.d',
        '/etc/apt/sources.list',
        '/etc/apt/sources.list.d',
        '/etc/logrotate.conf',
        '/etc/logrotate.d',
      ],
      '/etc/default',
    ],
    ...{ key: 'system', effect: 'systemd reads its units again; nothing is restarted' },
    judge: async () => existsSync('/etc/fstab') && must(['findmnt', '--verify', '--tab-file', '/etc/fstab']),
    take: () => reloadUnits(),
  },
]

export const sourceOf = (name: ConfigService): ConfigSource => {
  const found = sources.find(({ service: of }) => of === name)
  if (!found) throw new Error(`${name} is not collected here`)
  return found
}
/** Whether a path belongs to the service. */
export const isWithin = ({ roots, omit }: ConfigSource, path: string): boolean =>
  roots.some((root) => path === root || path.startsWith(`${root}/`)) && !omit?.test(path) && !leftover.test(path)
/** Working copies of Innkeeper's own drivers. */
const leftover = /\.(?:last-good|new)$/
