import { randomBytes } from 'node:crypto'
import type { OperationInput, OperationName } from '@innkeeper/contract/agent/operations'
import { domainOf, hashes } from '../drivers/mail/test/mail.ts'
import { limits, poolOf, rootOf, siteOf } from './fixtures.ts'
import type { Host, Practice } from './practice.ts'

type Step = { [N in OperationName]: { name: N; input: OperationInput<N> } }[OperationName]
const step = <N extends OperationName>(name: N, input: OperationInput<N>) => ({ name, input }) as Step
const packages = (...names: string[]) => step('packages.ensure', { packages: names })
const shape = { charset: 'utf8mb4', collation: 'utf8mb4_unicode_ci' } as const

const web = [packages('nginx', 'php8.2-fpm', 'php8.2-mysql'), step('nginx.ensure', {})]
const website = (n: number): Step[] => {
  const [username, domain] = [`storm${n}`, `storm-${n}.example`]
  return [
    ...web,
    step('php.ensure', { phpVersion: '8.2' }),
    step('system-user.ensure', { username, limits }),
    step('document-root.ensure', rootOf(domain, username)),
    step('php-pool.ensure', poolOf(username)),
    step('nginx-site.ensure', siteOf(domain, username)),
  ]
}
const withDatabase = (n: number): Step[] => [
  ...website(n),
  packages('mariadb-server'),
  step('mariadb.ensure', { listen: 'loopback' }),
  step('database.ensure', { name: `storm${n}`, ...shape }),
  step('database-user.ensure', {
    ...{ user: `storm${n}`, password: 'Correct-Horse_battery9', locked: false },
    grants: [{ database: `storm${n}`, privileges: 'all' }],
  }),
]
const mail = (n: number): Step[] => [
  packages('rspamd', 'postfix', 'ssl-cert', 'dovecot-core', 'dovecot-imapd', 'dovecot-pop3d', 'dovecot-lmtpd'),
  step('mail-filter.ensure', {}),
  step('postfix.ensure', {}),
  step('dovecot.ensure', {}),
  step(
    'mail-domain.ensure',
    domainOf({ mailboxId: n, domain: `storm-${n}.post.example`, passwords: JSON.stringify(hashes) }),
  ),
]
const zone = (n: number): Step[] => [
  packages('pdns-server', 'pdns-backend-sqlite3', 'bind9-dnsutils'),
  step('powerdns.ensure', {}),
  step('dns-zone.ensure', {
    ...{ domain: `storm-${n}.example`, serial: 1, whole: true, signed: false, secondaries: [] },
    ...{ nameServer: 'ns1.host.example', hostmaster: 'hostmaster.host.example' },
    zoneKey: randomBytes(32).toString('base64'),
    sets: [{ owner: `storm-${n}.example`, recordType: 'NS', contents: ['ns1.host.example.'], ttl: 300 }],
  }),
]
const cache: Step[] = [
  packages('nginx', 'libnginx-mod-http-js'),
  step('nginx.ensure', {}),
  step('nginx-cache.ensure', { maxSizeMb: 128 }),
]
const sftp: Step[] = [packages('openssh-server'), step('sftp.ensure', {})]
const backups: Step[] = [packages('restic'), step('restic.ensure', {})]

/** Twenty workflows of all kinds for one fresh server. */
const storm: Record<string, Step[]> = Object.fromEntries([
  ...[1, 2, 3].map((n) => [`website ${n}`, website(n)]),
  ...[4, 5, 6, 7].map((n) => [`website ${n} with a database`, withDatabase(n)]),
  ...[1, 2, 3, 4].map((n) => [`mail domain ${n}`, mail(n)]),
  ...[1, 2, 3].map((n) => [`zone ${n}`, zone(n)]),
  ...[1, 2].map((n) => [`cache ${n}`, cache]),
  ...[1, 2].map((n) => [`SFTP ${n}`, sftp]),
  ...[1, 2].map((n) => [`backups ${n}`, backups]),
])

interface Outcome {
  /** What failed, in words. */
  failed: string[]
  /** How often each service was restarted for its base. */
  restarts: Record<string, number>
}

/** Runs the workflows at once, in an order by `seed`. */
export async function runStorm<H extends Host>(p: Practice<H>, seed: number): Promise<Outcome> {
  let state = seed
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state
  }
  const order = Object.entries(storm)
    .map((one) => ({ one, at: next() }))
    .sort((a, b) => a.at - b.at)
  const failed: string[] = []
  const restarts: Record<string, number> = {}
  await Promise.all(
    order.map(async ({ one: [title, steps] }) => {
      for (const { name, input } of steps) {
        const { status, reason, said } = await p.anyOp(name, input)
        for (const line of said) {
          const [, title] = /^(.+) has its base: /.exec(line) ?? []
          if (title) restarts[title] = (restarts[title] ?? 0) + 1
        }
        if (status !== 'done') return failed.push(`${title}: ${name}: ${reason}`)
      }
    }),
  )
  return { failed, restarts }
}
