import { createHash } from 'node:crypto'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../test/fixtures.ts'
import { labDir, type Practice, practice } from '../../test/practice.ts'
import { copied } from './test/copy.ts'
import { layered } from './test/layers.ts'
import { scarce } from './test/room.ts'
import { browsed, pieces } from './test/tree.ts'

const verdict = await can(labDir)
const place = { username: 'web1', path: '/home/web1/shop.example' }
const [key, password] = ['an-account-password-24ch', 'a-repository-password-24']
const repository = { account: 'server-7', password }

describe.skipIf(!verdict.able)(verdict.able ? 'backups' : `backups (${verdict.reason})`, () => {
  let p: Practice<Host>
  let remote: typeof repository & { address: string; port: number; key: string; certificate: string }
  const restic = (...words: string[]) =>
    p.host.exec([
      ...['setpriv', '--reuid=innkeeper-backup', '--regid=innkeeper-backup', '--clear-groups', 'env', 'HOME=/tmp'],
      ...[`RESTIC_PASSWORD=${password}`, '/opt/innkeeper/backup/restic', '--no-cache'],
      ...['-r', '/srv/innkeeper/backups/server-7', ...words],
    ])
  const backUp = async (backup: number) => {
    const carried = await p.done('backup-files.run', { ...remote, ...place, website: 12, backup, excludes: ['*.log'] })
    return carried.output as { snapshot: string; files: number; bytes: number; problem: string | null }
  }
  const asOwner = (text: string) => p.sh('su', 'web1', '-s', '/bin/sh', '-c', text)
  const sums = () =>
    p.sh(
      'sh',
      '-c',
      `cd ${place.path} && find . -mindepth 1 -printf '%P %y %m %U %G %l %T@\\n' | sort && find . -type f -exec sha256sum {} + | sort`,
    )

  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 'restic-1', 'databases')
    await p.done('packages.ensure', { packages: ['mariadb-server', 'php8.2-cli', 'php8.2-mysql'] })
    await p.done('mariadb.ensure', { listen: 'loopback' })
    await p.done('backup-program.ensure', { server: true })
    await p.done('system-user.ensure', { username: 'web1', limits })
    await p.done('document-root.ensure', { username: 'web1', domain: 'shop.example', path: `${place.path}/public` })
    await p.done('database.ensure', { name: 'shop', charset: 'utf8mb4', collation: 'utf8mb4_unicode_ci' })
    await p.sh(
      'mariadb',
      'shop',
      '-e',
      "create table t (id int primary key, word text); insert into t values (1, 'én'), (2, 'b')",
    )
    const address = p.host.address
    const { output } = await p.done('backup-server.ensure', { address, port: 8100 })
    const { certificate } = output as { certificate: string }
    await p.done('backup-account.ensure', { account: 'server-7', key })
    await p.done('backup-repository.ensure', repository)
    remote = { ...repository, address, port: 8100, key, certificate }
    const odd = `cd ${place.path} && printf a > 'new
line' && printf b > $(printf 'latin\\351') && ln -s /etc/passwd out && printf c > x.log && mkdir -p public/up && printf hello > public/up/a.txt && ln public/up/a.txt public/up/b.txt && chmod 640 public/up/a.txt && truncate -s 50M public/sparse`
    await p.sh('su', '-s', '/bin/bash', 'web1', '-c', odd)
  })
  afterAll(() => p?.end())

  test('a website is restored exactly: names, modes, owners, links and content', async () => {
    const before = (await sums()).replace(/^x\.log.*\n|.*x\.log\n/gm, '')
    const { snapshot, problem } = await backUp(1)
    expect(problem).toBeNull()
    await asOwner(`rm -rf ${place.path}/public/up; echo bad > ${place.path}/public/bad.php`)
    const which = { ...place, restore: 1 }
    await p.done('restore-files.prepare', { ...remote, ...which, snapshot })
    await p.done('restore-files.swap', which, { id: 90_001 })
    expect(await sums()).toBe(before)
    await p.done('restore-files.swap', which, { id: 90_001, task: 'undo', attempt: 2 })
    expect(await p.sh('cat', `${place.path}/public/bad.php`)).toBe('bad\n')
    await p.done('restore-files.swap', which, { id: 90_001, attempt: 3 })
    await p.done('restore-files.keep', { ...which, keepDays: 5 })
    expect(await sums()).toBe(before)
    expect(await p.sh('sh', '-c', 'ls /home/.innkeeper-restores')).toBe('')
    expect((await p.sh('stat', '-c', '%h', `${place.path}/public/up/a.txt`)).trim()).toBe('2')
  })

  test('an overlay is backed up with the files of both its layers, and a mount below the folder is left out', async () => {
    const { snapshot, problem } = await layered(p, place.path, () => backUp(20))
    expect(problem).toBeNull()
    const listed = (await restic('ls', snapshot)).stdout
    expect(listed).toContain('/public/index.php\n')
    expect(listed).toContain('/public/above.txt\n')
    expect(listed).not.toContain('elsewhere.txt')
  })

  test('only chosen files are restored, and undo reverts that', async () => {
    const { snapshot } = await backUp(2)
    await asOwner(`echo changed > ${place.path}/public/up/a.txt; echo stays > ${place.path}/public/later.txt`)
    const which = { ...place, restore: 2, paths: ['public/up'] }
    await p.done('restore-files.prepare', { ...remote, ...which, snapshot })
    await p.done('restore-files.swap', which, { id: 90_002 })
    expect(await p.sh('cat', `${place.path}/public/up/a.txt`, `${place.path}/public/later.txt`)).toBe('hellostays\n')
    await p.done('restore-files.swap', which, { id: 90_002, task: 'undo', attempt: 2 })
    expect(await p.sh('cat', `${place.path}/public/up/a.txt`)).toBe('changed\n')
    expect(await p.sh('ls', '/home/.innkeeper-restores/2')).toBe('content\n')
    await p.sh('rm', '-r', '/home/.innkeeper-restores/2')
    const late = await p.op('restore-files.swap', which, { id: 90_022 })
    expect(late).toMatchObject({ status: 'failed', reason: expect.stringContaining('restore again') })
    expect(await p.sh('ls', '/home/.innkeeper-restores')).toBe('')
    const lacking = await p.op('restore-files.prepare', { ...remote, ...which, paths: ['public/none'], snapshot })
    expect(lacking).toMatchObject({ status: 'failed', reason: expect.stringContaining('public/none') })
  })

  test('a database is restored from its dump; a failed dump leaves no snapshot', async () => {
    const common = { ...remote, website: 12, backup: 3 }
    const { output } = await p.done('backup-database.run', { ...common, name: 'shop' })
    const { snapshot } = output as { snapshot: string }
    await p.sh('mariadb', 'shop', '-e', 'delete from t; create table more (id int)')
    await p.done('restore-dump.fetch', { ...remote, snapshot, name: 'shop', file: 'restore-3-1.sql.gz' })
    await p.done('database.load', { name: 'shop', file: 'restore-3-1.sql.gz', keep: 'before-3-1.sql.gz', spent: true })
    expect(await p.sh('mariadb', '-N', 'shop', '-e', 'select * from t; show tables')).toBe('1\tén\n2\tb\nt\n')
    const none = await p.done('backup-database.run', { ...common, name: 'nowhere' })
    expect(none.output).toMatchObject({ snapshot: null, problem: expect.stringContaining('nowhere') })
  })

  test('a snapshot is browsed by folder', async () => {
    await asOwner(
      `mkdir ${place.path}/public/many && seq -f ${place.path}/public/many/entry-%05g-${'x'.repeat(60)} 2000 | xargs touch`,
    )
    await browsed(p, repository, (await backUp(4)).snapshot, restic)
    await asOwner(`rm -r ${place.path}/public/many`)
  })

  test('a repository is copied with its chunker parameters; everything can be restored from the copy', async () => {
    const { snapshot } = await backUp(6)
    const before = (await sums()).replace(/^x\.log.*\n|.*x\.log\n/gm, '')
    const { copy, to } = await copied(p, remote, snapshot)
    const which = { ...place, restore: 6 }
    await p.done('restore-files.prepare', { ...to, ...which, snapshot: copy })
    await p.done('restore-files.swap', which, { id: 90_006 })
    await p.done('restore-files.keep', { ...which, keepDays: 5 })
    expect((await sums()).replace(/^x\.log.*\n|.*x\.log\n/gm, '')).toBe(before)
  })

  test('the account of a machine can append and read, never remove', async () => {
    const { snapshot } = await backUp(5)
    const trusted = '/var/lib/innkeeper/backup/server-7-8100.pem'
    const asMachine = (...words: string[]) =>
      p.host.exec([
        ...['env', `RESTIC_PASSWORD=${password}`, 'RESTIC_REST_USERNAME=server-7', `RESTIC_REST_PASSWORD=${key}`],
        ...['/opt/innkeeper/backup/restic', '--no-cache', '--cacert', trusted],
        ...['-r', `rest:https://${remote.address}:8100/server-7/`, ...words],
      ])
    await asMachine('forget', snapshot)
    expect((await asMachine('snapshots', '--json')).stdout).toContain(snapshot)
    const wanted = { ...remote, ...place, website: 12, backup: 5, excludes: [] }
    const wrong = await p.op('backup-files.run', { ...wanted, key: 'x'.repeat(24) })
    expect(wrong.status).toBe('failed')
    const lost = await p.op('backup-files.run', { ...wanted, password: 'y'.repeat(24) })
    expect(lost.reason).toContain('the password of the repository is wrong')
  })

  test('single tables are cut out of a dump, and a folder is read as an archive piece by piece', async () => {
    await p.sh('mariadb', 'shop', '-e', 'create table other (id int); insert into other values (7)')
    const { output } = await p.done('backup-database.run', { ...remote, website: 12, backup: 8, name: 'shop' })
    const { snapshot, tables } = output as { snapshot: string; tables: string[] }
    expect(tables).toEqual(['other', 't'])
    await p.sh('mariadb', 'shop', '-e', 'delete from t; delete from other')
    const file = 'restore-8-1.sql.gz'
    await p.done('restore-dump.fetch', { ...remote, snapshot, name: 'shop', file, tables: ['t'] })
    await p.done('database.load', { name: 'shop', file, keep: 'before-8-1.sql.gz', spent: true, tables: ['t'] })
    expect(await p.sh('mariadb', '-N', 'shop', '-e', 'select count(*) from t; select count(*) from other')).toBe(
      '2\n0\n',
    )
    const none = await p.op('restore-dump.fetch', { ...remote, snapshot, name: 'shop', file, tables: ['gone'] })
    expect(none.reason).toContain('gone')

    await asOwner(`head -c 500000 /dev/urandom > ${place.path}/public/half.bin`)
    const files = await backUp(8)
    const asked = {
      ...repository,
      session: 'download-1',
      snapshot: files.snapshot,
      path: '/public',
      archive: 'tar' as const,
    }
    expect((await pieces(p, asked, [0], [2, 1])).toString('latin1')).toContain('public/index.php')
    await p.done('backup-archive.end', { session: 'download-1' })
    const half = await pieces(p, { ...asked, session: 'download-2', path: '/public/half.bin' }, [0], [4, 1, 3, 2])
    expect(`${createHash('sha256').update(half).digest('hex')}`).toBe(
      (await p.sh('sha256sum', `${place.path}/public/half.bin`)).slice(0, 64),
    )
    expect((await p.op('backup-archive.read', { ...asked, piece: 3 })).reason).toContain('begin again')
  })

  test('a drill on another machine loads the database, serves the page without a network, and leaves nothing', async () => {
    const config = `<?php define('DB_NAME', 'shop'); define('DB_USER', 'shopper'); define('DB_PASSWORD', 'x');`
    const page = `<?php require 'wp-config.php'; $db = new mysqli('127.0.0.1', DB_USER, DB_PASSWORD, DB_NAME);
      if (@fsockopen('${p.host.gateway}', 53, $n, $s, 2)) die('a network'); http_response_code($db->query('select * from t')->num_rows === 2 ? 203 : 500);`
    const put = async (name: string, input: string) =>
      p.host.exec(
        [
          'setpriv',
          '--reuid=web1',
          '--regid=web1',
          '--clear-groups',
          'dd',
          `of=${place.path}/public/${name}`,
          'status=none',
        ],
        { input },
      )
    await put('wp-config.php', config)
    await put('index.php', page)
    const files = await backUp(9)
    const { output } = await p.done('backup-database.run', { ...remote, website: 12, backup: 9, name: 'shop' })
    const { snapshot } = output as { snapshot: string }
    const asked = {
      ...remote,
      snapshot: files.snapshot,
      domain: 'shop.example',
      documentRoot: 'public',
      phpVersion: '8.2',
    }
    const drill = await p.done('backup-drill.serve', { ...asked, dumps: [{ snapshot, name: 'shop' }] })
    expect(drill.output).toEqual({ databases: 1, page: 203 })
    // a PostgreSQL database beside it
    await p.done('packages.ensure', { packages: ['postgresql'] })
    await p.done('postgresql.ensure', { listen: 'loopback' })
    await p.done('postgresql-access.ensure', {})
    const engine = 'postgresql' as const
    await p.done('database.ensure', { engine, name: 'pgshop', charset: 'UTF8', collation: 'C.UTF-8' })
    const psql = (database: string, sql: string) =>
      p.sh('runuser', '-u', 'postgres', '--', 'psql', '-XqAt', '-d', database, '-c', sql)
    await psql('pgshop', 'create table t as select n from generate_series(1, 3) n')
    const dumped = await p.done('backup-database.run', { ...remote, engine, website: 12, backup: 9, name: 'pgshop' })
    const other = dumped.output as { snapshot: string; tables: string[] }
    expect(other.tables).toEqual(['t'])
    const dumps = [
      { snapshot, name: 'shop' },
      { engine, snapshot: other.snapshot, name: 'pgshop' },
    ]
    const both = await p.done('backup-drill.serve', { ...asked, dumps })
    expect([both.output, both.said.join()]).toEqual([
      { databases: 2, page: 203 },
      expect.stringContaining('pgshop: 1 tables came back'),
    ])
    expect(
      await psql(
        'postgres',
        `select (select count(*) from pg_database where datname like 'drill%'), (select count(*) from pg_roles where rolname like 'drill%'),
          (select count(*) from pg_roles where rolname ~ '^ik_[0-9a-f]{12}$')`,
      ),
    ).toBe('0|0|1\n')
    const lacking = await p.op('backup-drill.serve', { ...asked, dumps: [] })
    expect(lacking).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('the restored website answers 500'),
    })
    expect(
      await p.sh(
        'mariadb',
        '-N',
        '-e',
        "show databases like 'drill%'; select user from mysql.user where user like 'drill%'",
      ),
    ).toBe('')
    expect(await p.sh('ls', '/home/.innkeeper-drills')).toBe('')
  })

  test('a lock of a killed process is removed, and a lock of another machine of the same name stays until it is old', async () => {
    const locks = '/srv/innkeeper/backups/server-7/locks'
    const asOwner = 'setpriv --reuid=innkeeper-backup --regid=innkeeper-backup --clear-groups env HOME=/tmp'
    const local = `env RESTIC_PASSWORD=${password} /opt/innkeeper/backup/restic --no-cache -r /srv/innkeeper/backups/server-7`
    const hold = (script: string) => p.sh('systemd-run', '--collect', '--unit=holder', 'bash', '-c', script)
    // an exclusive lock, for which every backup would wait
    await hold(`${asOwner} ${local} --limit-download 1 check --read-data`)
    await expect.poll(async () => (await p.sh('ls', locks)).trim()).toMatch(/^[0-9a-f]{64}$/)
    await p.sh('systemctl', 'kill', '--signal=KILL', 'holder')
    await expect.poll(async () => (await p.host.exec(['pgrep', '-x', 'restic'])).stdout).toBe('')
    expect((await p.sh('ls', locks)).trim()).toMatch(/^[0-9a-f]{64}$/)
    await p.done('backup-repository.prune', repository)
    expect(await p.sh('ls', locks)).toBe('')
    await expect.poll(async () => (await p.host.exec(['systemctl', 'is-active', 'holder'])).stdout).toBe('inactive\n')

    // a backup of a machine that has the same name as this server
    const env = `RESTIC_PASSWORD=${password} RESTIC_REST_USERNAME=server-7 RESTIC_REST_PASSWORD=${key}`
    const from = `--cacert /var/lib/innkeeper/backup/server-7-8100.pem -r rest:https://${remote.address}:8100/server-7/`
    await hold(`sleep 600 | env ${env} /opt/innkeeper/backup/restic --no-cache ${from} backup --stdin --host h`)
    await expect.poll(() => p.sh('ls', locks)).not.toBe('')
    const look = async () => (await p.done('backup-repository.look', repository)).output as { locks: object[] }
    expect((await look()).locks).toMatchObject([{ stale: false, exclusive: false, username: 'root' }])
    expect((await p.done('backup-repository.unlock', repository)).output).toEqual({ left: 1 })
    await p.sh('systemctl', 'kill', '--signal=KILL', 'holder')
    expect((await look()).locks).toMatchObject([{ stale: false }]) // another machine may have this name
    await p.sh('sh', '-c', `touch --date '31 minutes ago' ${locks}/*`)
    expect((await look()).locks).toEqual([])
    await p.sh('sh', '-c', `touch ${locks}/${'ab'.repeat(32)} && chown innkeeper-backup ${locks}/*`) // the empty lock that a full disk leaves
    expect((await look()).locks).toMatchObject([{ host: 'unknown', stale: false }])
    await p.sh('sh', '-c', `touch --date '31 minutes ago' ${locks}/*`)
    expect((await look()).locks).toEqual([])
  })

  test('a killed backup leaves no lock, also not from another machine', async () => {
    await p.sh('su', '-s', '/bin/sh', 'web1', '-c', `head -c 40000000 /dev/urandom > ${place.path}/public/big`)
    const input = { ...remote, ...place, website: 12, backup: 20, excludes: [], limit: 500 }
    const run = p.op('backup-files.run', input)
    const locks = () => p.sh('ls', '/srv/innkeeper/backups/server-7/locks')
    await expect.poll(locks).not.toBe('')
    await p.host.exec(['pkill', '-KILL', '-x', 'restic'])
    expect((await run).reason).toContain('restic ended with')
    expect(await locks()).toBe('')
    await p.killAfter(3000, 'backup-files.run', input)
    await expect.poll(async () => (await p.host.exec(['pgrep', '-x', 'restic'])).code).toBe(1)
    expect(await locks()).not.toBe('')
    await backUp(21)
    expect(await locks()).toBe('')
  })

  test('a full disk is emptied by forget and prune, and a restore without room is refused', async () => {
    await asOwner(`cp ${place.path}/public/big ${place.path}/public/bigger`)
    const one = await backUp(22)
    await scarce(p, { ...remote, ...place, restore: 9, bytes: one.bytes, snapshot: one.snapshot })
    const small = '/srv/innkeeper/backups'
    await p.sh('systemctl', 'stop', 'innkeeper-rest-server')
    await p.sh(
      'bash',
      '-c',
      `cp -a ${small} /srv/kept && mount -t tmpfs -o size=400m,mode=700 tmpfs ${small} && cp -a /srv/kept/. ${small} && chown innkeeper-backup: ${small}`,
    )
    try {
      await p.done('backup-repository.look', repository)
      await p.host.exec([
        'sh',
        '-c',
        `dd if=/dev/zero of=${small}/filler bs=1M 2>/dev/null; dd if=/dev/zero of=${small}/filler2 bs=1 2>/dev/null`,
      ])
      expect((await restic('forget', one.snapshot)).code).not.toBe(0)
      await p.done('backup-repository.forget', { ...repository, snapshots: [one.snapshot] })
      await p.done('backup-repository.prune', repository)
      await p.sh('rm', `${small}/filler`, `${small}/filler2`)
      await p.done('backup-repository.look', repository)
      expect(await p.sh('ls', '-A', small)).toContain('.reserve')
    } finally {
      await p.sh('bash', '-c', `umount -l ${small}; systemctl start innkeeper-rest-server`)
    }
  })

  test('a deleted repository is restored with its account', async () => {
    const gone = { account: 'server-7', keepDays: 5 }
    await p.done('backup-repository.remove', gone, { id: 90_007 })
    expect(
      (await p.op('backup-files.run', { ...remote, ...place, website: 12, backup: 30, excludes: [] })).status,
    ).toBe('failed')
    await p.done('backup-repository.remove', gone, { id: 90_007, task: 'undo', attempt: 2 })
    expect((await backUp(30)).problem).toBeNull()
  })

  test('a drill proves a backup, forget and prune free its space, and damage is found', async () => {
    const one = await backUp(6)
    const parts = [{ snapshot: one.snapshot, files: one.files, bytes: one.bytes }]
    await p.done('backup-drill.run', { ...repository, parts })
    const less = await p.op('backup-drill.run', { ...repository, parts: [{ ...parts[0]!, files: one.files + 1 }] })
    expect(less.reason).toContain('came back')
    const none = 'ab'.repeat(32)
    const checked = await p.done('backup-repository.check', {
      ...repository,
      share: 100,
      snapshots: [one.snapshot, none],
    })
    expect(checked.output).toEqual({ good: true, missing: [none] })
    const forgotten = await p.done('backup-repository.forget', { ...repository, snapshots: [one.snapshot] })
    expect(forgotten.output).toMatchObject({ forgotten: 1 })
    await p.done('backup-repository.forget', { ...repository, snapshots: [one.snapshot] })
    await p.done('backup-repository.prune', repository)
    const look = await p.done('backup-repository.look', repository)
    expect(look.output).toMatchObject({ locks: [], snapshots: expect.any(Number), size: expect.any(Number) })
    expect((await restic('check', '--read-data')).code).toBe(0)
    const kept = await backUp(7)
    const corrupt =
      'f=$(find /srv/innkeeper/backups/server-7/data -type f -size +0 | head -1); chmod u+w $f; printf XXXXXXXX | dd of=$f bs=1 seek=20 conv=notrunc'
    await p.sh('sh', '-c', corrupt)
    const damaged = await p.op('backup-repository.check', { ...repository, share: 100 })
    expect(damaged).toMatchObject({ status: 'failed', reason: expect.stringContaining('damaged') })
    expect(kept.snapshot).toMatch(/^[0-9a-f]{64}$/)
  })
})
