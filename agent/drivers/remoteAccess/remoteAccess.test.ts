import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labDir, type Practice, practice } from '../../test/practice.ts'
import { isWithin, sameSpans, spansOf, tableText } from './doorTable.ts'

test('the table names each address once, and adjacent addresses are one span as in nft', () => {
  const door = (address: string) => ({ engine: 'mariadb' as const, user: 'shop', address })
  const text = tableText([door('192.0.2.1'), door('192.0.2.1'), door('2001:db8::1')], {
    mariadb: 3306,
    postgresql: 5432,
  })
  expect(text).toContain('set mariadb_v4 { type ipv4_addr; flags interval; auto-merge; elements = { 192.0.2.1 }; }')
  expect(text).toContain('elements = { 2001:db8::1 }')
  const spans = spansOf(['10.0.0.0/24', '10.0.0.7', '10.0.1.0', '2001:db8::1'])
  expect(spans).toHaveLength(2)
  expect(sameSpans(spans, spansOf([{ range: ['10.0.0.0', '10.0.1.0'] }, '2001:db8::1']))).toBe(true)
  expect([isWithin(spans, '10.0.0.99'), isWithin(spans, '10.0.1.1')]).toEqual([true, false])
})

const password = 'Correct-Horse_battery9'
const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'remote access' : `remote access (${verdict.reason})`, () => {
  let p: Practice<Host>
  let visitor: Practice<Host>
  let stranger: Practice<Host>
  beforeAll(async () => {
    const lab = await openLab({ dir: labDir })
    ;[p, visitor, stranger] = await Promise.all([
      practice(lab, 'reached', 'databases'),
      practice(lab, 'reaching', 'databases'),
      practice(lab, 'stranger'),
    ])
    await p.done('packages.ensure', { packages: ['mariadb-server', 'postgresql'] })
    await visitor.done('packages.ensure', { packages: ['mariadb-client', 'postgresql-client'] })
    await p.done('mariadb.ensure', { listen: 'loopback' })
    await p.done('postgresql.ensure', { listen: 'loopback' })
    await p.done('postgresql-access.ensure', {})
    await p.done('database.ensure', { name: 'shop', charset: 'utf8mb4', collation: 'utf8mb4_unicode_ci' })
    await p.done('database.ensure', { engine: 'postgresql', name: 'pgshop', charset: 'UTF8', collation: 'C.UTF-8' })
  })
  afterAll(async () => {
    await stranger?.host.wipe()
    await visitor?.host.wipe()
    await p?.end()
  })

  /** Clients on the other server; each returns the answer or the error. */
  const client = {
    mariadb: async (...more: string[]) => {
      const words = [
        'mariadb',
        `--host=${p.host.address}`,
        '--user=far',
        `--password=${password}`,
        '--connect-timeout=5',
      ]
      const ran = await visitor.host.exec([...words, ...more, '-Nse', 'select database()', 'shop'])
      return ran.stdout.trim() || ran.stderr.trim()
    },
    postgresql: async (mode = 'require') => {
      const target = `host=${p.host.address} user=pgfar password=${password} dbname=pgshop sslmode=${mode} connect_timeout=5`
      const ran = await visitor.host.exec(['psql', '-XAt', target, '-c', 'select current_database()'])
      return ran.stdout.trim() || ran.stderr.trim()
    },
  }
  const port = { mariadb: 3306, postgresql: 5432 } as const
  /** curl ends with 7 where the connection is refused. */
  const strangerIs = async (engine: keyof typeof port) =>
    (
      await stranger.host.exec([
        'curl',
        '-s',
        '--max-time',
        '3',
        `telnet://${p.host.address}:${port[engine]}`,
        '-T',
        '/dev/null',
      ])
    ).code
  const users = {
    mariadb: { user: 'far', grants: [{ database: 'shop', privileges: 'all' as const }], locked: false, password },
    postgresql: {
      ...{ engine: 'postgresql' as const, user: 'pgfar', locked: false, password },
      grants: [{ database: 'pgshop', privileges: 'all' as const }],
    },
  }
  const look = async () => (await p.done('remote-access.look', {})).output as { doors: object[]; engines: object[] }
  const elements = () => p.sh('nft', 'list', 'table', 'inet', 'innkeeper_databases')

  for (const engine of ['mariadb', 'postgresql'] as const) {
    const is = engine === 'mariadb' ? 'shop' : 'pgshop'
    const refused = engine === 'mariadb' ? /Can't connect|111|115/ : /Connection refused/
    const at = () => visitor.host.address
    const set = (more: object = {}, asked: object = {}) =>
      p.done('database-user.ensure', { ...users[engine], host: at(), ...more }, asked)

    test(`${engine}: refused before, connected with TLS after, refused again once closed`, async () => {
      expect(await client[engine]()).toMatch(refused)
      await set()
      expect(await client[engine]()).toBe(is)
      // without TLS the account is refused, and others do not reach the port
      expect(await (engine === 'mariadb' ? client.mariadb('--skip-ssl') : client.postgresql('disable'))).toMatch(
        /Access denied|rejects connection|no encryption/,
      )
      expect(await strangerIs(engine)).toBe(7)
      expect(await elements()).toContain(`elements = { ${at()} }`)
      expect(await look()).toMatchObject({
        doors: expect.arrayContaining([{ engine, user: users[engine].user, address: at(), open: true }]),
        engines: expect.arrayContaining([
          { engine, port: port[engine], listens: 'network', guarded: true, fingerprint: expect.stringContaining(':') },
        ]),
      })
      await p.done(
        'database-user.remove',
        { engine, user: users[engine].user, host: at(), keepDays: 7 },
        { id: 881_000 + port[engine] },
      )
      expect(await client[engine]()).toMatch(refused)
      expect((await look()).doors).not.toContainEqual(expect.objectContaining({ engine }))
    })

    test(`${engine}: a door is restored from the trash, and closed by a lock, which ends the connections`, async () => {
      const user = users[engine].user
      await p.done('database-user.restore', { engine, user, host: at(), taken: [881_000 + port[engine]] })
      expect(await client[engine]()).toBe(is)
      const sleeping =
        engine === 'mariadb'
          ? visitor.host.exec([
              'mariadb',
              `--host=${p.host.address}`,
              '--user=far',
              `--password=${password}`,
              '-e',
              'select sleep(3600)',
              'shop',
            ])
          : visitor.host.exec([
              'psql',
              '-XAt',
              `host=${p.host.address} user=pgfar password=${password} dbname=pgshop`,
              '-c',
              'select pg_sleep(3600)',
            ])
      await expect
        .poll(async () => {
          const seen = await p.done('database.connections', { engine, name: is })
          return JSON.stringify(seen.output)
        })
        .toContain(engine === 'mariadb' ? 'far' : 'pg_sleep')
      await set({ locked: true, password: undefined }, { id: 882_000 + port[engine] })
      expect((await sleeping).code, 'the statement was ended').not.toBe(0)
      expect(await client[engine]()).toMatch(refused)
      await p.done(
        'database-user.ensure',
        { ...users[engine], password: undefined, host: at(), locked: true } as never,
        {
          id: 882_000 + port[engine],
          task: 'undo',
        },
      )
      expect(await client[engine]()).toBe(is)
    })
  }

  test('after a power cut the firewall is up before the engines, and one of two doors is closed without the other', async () => {
    const other = stranger.host.address
    await p.done('database-user.ensure', { ...users.mariadb, user: 'other', host: other })
    expect(await strangerIs('mariadb')).not.toBe(7)
    await p.host.off()
    await p.host.up()
    for (const one of [visitor, stranger]) await one.sh('ip', 'neigh', 'flush', 'all')
    await p.sh('systemctl', 'is-system-running', '--wait').catch(() => undefined)
    await expect.poll(() => client.mariadb()).toBe('shop')
    await p.done('database-user.remove', { user: 'other', host: other, keepDays: 7 })
    expect([await client.mariadb(), await client.postgresql(), await strangerIs('mariadb')]).toEqual([
      'shop',
      'pgshop',
      7,
    ])
    await p.sh('nft', 'delete', 'table', 'inet', 'innkeeper_databases')
    expect((await look()).engines).toContainEqual(expect.objectContaining({ engine: 'mariadb', guarded: false }))
  })
})
