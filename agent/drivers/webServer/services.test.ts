import type { OperationInput, OperationName } from '@innkeeper/contract/agent/operations'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { heartbeat } from '../../heartbeat.ts'
import { converse } from '../../kit/host.ts'
import { labDir, type Practice, practice } from '../../test/practice.ts'
import { runStorm } from '../../test/storm.ts'

const packages = [
  ...['nginx', 'pdns-server', 'pdns-backend-sqlite3', 'mariadb-server', 'restic', 'ssl-cert', 'bind9-dnsutils'],
  ...['postfix', 'dovecot-core', 'dovecot-imapd', 'dovecot-pop3d', 'dovecot-lmtpd', 'swaks'],
]
/** Each service with the unit that the test kills. */
const bases: { [N in OperationName]?: { input: OperationInput<N>; unit: string } } = {
  'powerdns.ensure': { input: {}, unit: 'pdns' },
  'mariadb.ensure': { input: { listen: 'network' }, unit: 'mariadb' },
  'postfix.ensure': { input: {}, unit: 'postfix@-' },
  'dovecot.ensure': { input: {}, unit: 'dovecot' },
}
const names = Object.keys(bases) as (keyof typeof bases)[]

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'services' : `services (${verdict.reason})`, () => {
  let p: Practice<Host>
  let storm: Awaited<ReturnType<typeof runStorm>>
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 'services')
    const seed = Number(process.env.SEED ?? Date.now() % 1000)
    storm = await runStorm(p, seed)
    if (storm.failed.length) console.error(`storm with SEED=${seed}`)
    await p.done('packages.ensure', { packages: [...packages, 'libnginx-mod-http-js'] })
    for (const name of names) await p.done(name, bases[name]!.input)
    await p.done('nginx.ensure', {})
    await p.done('nginx-cache.ensure', { maxSizeMb: 128 })
    await p.done('restic.ensure', {})
  })
  afterAll(() => p?.end())

  test('twenty workflows at once on a fresh server: none fails, and each service starts once', () => {
    expect(storm).toEqual({
      failed: [],
      restarts: { MariaDB: 1, PowerDNS: 1, Postfix: 1, Dovecot: 1, rspamd: 1, SFTP: 1 },
    })
  })

  const outward = (...argv: string[]) => p.host.exec(argv)

  test.for(names)('%s: a second run changes nothing, and inspect answers yes', async (name) => {
    const since = () => p.sh('systemctl', 'show', '--property=ActiveEnterTimestampMonotonic', `${bases[name]!.unit}`)
    const before = await since()
    expect((await p.done(name, bases[name]!.input)).said.join()).toContain('as it should be')
    expect(await since()).toBe(before)
    expect((await p.done(name, bases[name]!.input, { inspect: true })).output).toEqual({ inspected: true })
  })

  const fallen = ['nginx', 'php8.2-fpm', 'postfix@-', 'dovecot', 'rspamd', 'pdns']
  test.for(fallen)('%s comes back by itself after the kernel has killed its first process', async (unit) => {
    const main = async () => Number(await p.sh('systemctl', 'show', '--property=MainPID', '--value', unit))
    const before = await main()
    expect(before).toBeGreaterThan(0)
    await p.sh('kill', '-KILL', `${before}`)
    const now = async () => [
      (await main()) !== before,
      (await p.host.exec(['systemctl', 'is-active', unit])).stdout.trim(),
    ]
    await expect.poll(now).toEqual([true, 'active'])
  })

  test.for(names)('%s: restarts after a kill', async (name) => {
    await p.sh('systemctl', 'kill', '--signal=KILL', bases[name]!.unit)
    await p.host.exec(['systemctl', 'stop', bases[name]!.unit])
    expect((await p.op(name, bases[name]!.input, { inspect: true })).output).not.toEqual({ inspected: true })
    await p.done(name, bases[name]!.input)
    expect(await p.sh('systemctl', 'is-active', bases[name]!.unit)).toBe('active\n')
  })

  test.for(names)('%s: completes after a kill at any moment', async (name) => {
    for (const ms of [50, 200, 450, 1000]) await p.killAfter(ms, name, bases[name]!.input)
    await p.done(name, bases[name]!.input, { inspect: true })
    expect(await p.sh('systemctl', 'is-active', bases[name]!.unit)).toBe('active\n')
  })

  test('PowerDNS refuses foreign names, recursion and transfers; its API listens on loopback only', async () => {
    const { address } = p.host
    expect((await outward('dig', `@${address}`, 'example.org', 'A')).stdout).toContain('status: REFUSED')
    const key = (await p.sh('cat', '/etc/innkeeper/powerdns.key')).trim()
    const call = (at: string, ...more: string[]) =>
      outward(
        'curl',
        '-s',
        '-w',
        '%{http_code}',
        '-H',
        `X-API-Key: ${key}`,
        ...more,
        `http://${at}:8081/api/v1/servers/localhost/zones`,
      )
    const zone = JSON.stringify({ name: 'shop.example.', kind: 'Primary', nameservers: ['ns1.host.example.'] })
    expect((await call('127.0.0.1', '-d', zone)).stdout).toMatch(/201$/)
    expect((await call(address)).code).not.toBe(0)
    expect((await outward('curl', '-s', '-w', '%{http_code}', 'http://127.0.0.1:8081/api/v1/servers')).stdout).toMatch(
      /401$/,
    )
    expect((await outward('dig', '+short', `@${address}`, 'shop.example', 'SOA')).stdout).toContain('.')
    expect((await outward('dig', `@${address}`, 'shop.example', 'AXFR')).stdout).toContain('Transfer failed')
    // a zone may permit transfers in its metadata
    await p.sh('pdnsutil', 'set-meta', 'shop.example', 'ALLOW-AXFR-FROM', address)
    expect((await outward('dig', '-b', address, `@${address}`, 'shop.example', 'AXFR')).stdout).toContain('NS')
    expect(await p.sh('stat', '--format=%a %U', '/etc/innkeeper/powerdns.key')).toBe('600 root\n')
  })

  test('MariaDB authenticates root by socket only, and no anonymous account', async () => {
    await p.sh('mariadb', '-e', "create user ''@'%'; create user 'root'@'%' identified by 'x'; create database test")
    await p.done('mariadb.ensure', { listen: 'network' })
    const accounts = await p.sh('mariadb', '-BNe', "select concat(user, '@', host) from mysql.global_priv")
    expect(accounts).toContain('root@localhost')
    expect(accounts).not.toMatch(/^(root)?@%/m)
    expect(await p.sh('mariadb', '-BNe', 'show databases')).not.toContain('test')
    const remote = await outward('mariadb', `--host=${p.host.address}`, '--user=root', '-e', 'select 1')
    expect(remote.code).not.toBe(0)
    expect(remote.stderr).toContain('Access denied')
  })

  test('Postfix relays for nobody, and authenticates only over TLS', async () => {
    const to = (recipient: string, ...more: string[]) =>
      outward(
        'swaks',
        '--server',
        p.host.address,
        '--from',
        'a@b.invalid',
        '--to',
        recipient,
        '--quit-after',
        'RCPT',
        ...more,
      )
    expect((await to('somebody@gmail.invalid')).stdout).toMatch(/<\*\* 55\d .*Relay access denied/)
    expect((await outward('swaks', '--server', p.host.address, '--quit-after', 'EHLO')).stdout).not.toContain('AUTH')
    const overTls = await p.host.exec(
      ['openssl', 's_client', '-quiet', '-starttls', 'smtp', '-connect', `${p.host.address}:587`],
      { input: 'EHLO b.invalid\r\nQUIT\r\n' },
    )
    expect(overTls.stdout).toMatch(/250.AUTH.*PLAIN/)
  })

  test('Dovecot accepts remote passwords only over TLS', async () => {
    // from outside: Dovecot trusts connections of the machine to itself
    const [greeting] = await converse(p.host.address, 143, [{ until: /^\* OK .*\r\n/m }])
    expect(greeting).toContain('LOGINDISABLED')
    const tls = await outward(
      'curl',
      '-skv',
      '--max-time',
      '8',
      '--ssl-reqd',
      '-u',
      'a@b.invalid:x',
      `imap://${p.host.address}/`,
    )
    expect(tls.stderr).toContain('AUTHENTICATIONFAILED')
  })

  test('an edge answers the second request from its cache, and only root reads backups', async () => {
    await p.sh('curl', '-sI', 'http://127.0.0.1:4478/')
    expect(await p.sh('curl', '-sI', 'http://127.0.0.1:4478/')).toContain('X-Cache: HIT')
    expect(await p.sh('stat', '--format=%a %U', '/srv/innkeeper/repositories')).toBe('700 root\n')
    expect(await p.sh('ls', '-A', '/srv/innkeeper/repositories')).toBe('')
  })

  test('keeps the last working configuration when a service rejects a new one', async () => {
    const conf = '/etc/mysql/mariadb.conf.d/95-by-hand.cnf'
    await p.sh('sh', '-c', `printf '[mysqld]\\nno-such-option=1\\n' >${conf}`)
    await p.sh('systemctl', 'stop', 'mariadb')
    expect(await p.op('mariadb.ensure', { listen: 'loopback' })).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('no-such-option'),
    })
    await p.sh('rm', conf)
    await p.done('mariadb.ensure', { listen: 'loopback' })
  })

  test('reports each service in the heartbeat with version, state and time of the last change', async () => {
    const { output } = await p.done('server.inspect', {})
    const { services } = output as Awaited<ReturnType<typeof heartbeat>>
    for (const name of ['nginx', 'powerdns', 'mariadb', 'postfix', 'dovecot'])
      expect(services.find((service) => service.name === name)).toMatchObject({
        version: expect.stringMatching(/^\d+\.\d+/),
        state: 'active',
        since: expect.stringMatching(/^\d{4}-/),
      })
    expect(services.find(({ name }) => name === 'restic')).toMatchObject({ state: 'active' })
  })
})
