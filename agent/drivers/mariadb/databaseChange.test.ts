import { writeFileSync } from 'node:fs'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits, rootOf } from '../../test/fixtures.ts'
import { labDir, type Practice, practice } from '../../test/practice.ts'

const shape = { charset: 'utf8mb4', collation: 'utf8mb4_unicode_ci' } as const
const password = 'Correct-Horse_battery9'

/** Contents that RENAME TABLE cannot move alone: a trigger, views, a routine, an event, a foreign key, a sequence. */
const related = `
create table owners (id int primary key, name varchar(50)); create sequence numbers; insert into owners values (1, 'Åse');
create table pets (id int primary key auto_increment, owner int, foreign key (owner) references owners (id));
create table noted (what text);
create trigger tr after insert on pets for each row insert into noted values ('pet');
create view with_pets as select o.name from owners o join pets p on p.owner = o.id; insert into pets (owner) values (1);
create procedure pets_of() select count(*) from pets; create event tidy on schedule every 1 day do delete from noted;
create definer = 'gone'@'%' view orphan as select 1 as one;`
const working = `insert into pets (owner) values (1); call pets_of(); select count(*) from with_pets;
select count(*) from noted; select event_name from information_schema.events where event_schema = database();
select table_name from information_schema.views where table_schema = database() order by 1;`

const client = ['mariadb', '--batch', '--skip-column-names', '--raw', '--default-character-set=utf8mb4'] as const

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'changed databases' : `changed databases (${verdict.reason})`, () => {
  let p: Practice<Host>
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 'db-changes', 'databases')
    await p.done('packages.ensure', { packages: ['mariadb-server'] })
    await p.done('mariadb.ensure', { listen: 'loopback' })
  })
  afterAll(() => p?.end())

  /** Runs SQL as root with the mariadb client, not with the driver's code. */
  const root = async (sql: string) => {
    const ran = await p.host.exec([...client], { input: sql })
    if (ran.code !== 0) throw new Error(ran.stderr)
    return ran.stdout.trim()
  }
  const as = (database: string, sql: string) => root(`use ${database};\n${sql}`)

  test('takes over neither a database nor an account that somebody else created', async () => {
    await root(
      "create database theirs; create table theirs.keep (id int); create user 'theirs'@'localhost' identified by 'x'",
    )
    const taken = expect.objectContaining({ status: 'failed', reason: expect.stringContaining('theirs already') })
    expect(await p.op('database.ensure', { name: 'theirs', ...shape, fresh: true })).toEqual(taken)
    const account = { user: 'theirs', password, grants: [], locked: true, fresh: true }
    expect(await p.op('database-user.ensure', account)).toEqual(taken)
    const newcomers = {
      accounts: ['theirs'],
      databases: [
        { engine: 'mariadb' as const, name: 'theirs' },
        { engine: 'postgresql' as const, name: 'theirs' },
      ],
      databaseUsers: [{ engine: 'mariadb' as const, user: 'theirs', host: 'localhost' }],
    }
    const { output } = await p.done('migration.look', { phpVersion: '8.2', folders: [], newcomers })
    expect(output).toMatchObject({ taken: ['database theirs', 'database account theirs'] })
    expect(await p.sh('mariadb', '--user=theirs', '--password=x', '-N', '--execute=select 1')).toContain('1')
    expect(await root('show tables from theirs')).toBe('keep')
  })

  test('an account has chosen privileges, and one for another host exists beside it', async () => {
    await p.done('database.ensure', { name: 'shop', ...shape })
    const grants = [{ database: 'shop', privileges: 'custom' as const, chosen: ['select' as const, 'insert' as const] }]
    await p.done('database-user.ensure', { user: 'picky', password, grants, locked: false })
    expect(await root("show grants for 'picky'@'localhost';")).toMatch(/GRANT SELECT, INSERT ON `shop`/)
    const host = '10.0.0.7/24'
    await p.done('database-user.ensure', { user: 'picky', host, password, grants, locked: false })
    const hosts = () => root("select group_concat(host order by host) from mysql.global_priv where user = 'picky';")
    expect(await hosts()).toBe('10.0.0.0/255.255.255.0,127.0.0.1,localhost')
    const same = await p.op('database-user.ensure', { user: 'picky', host, grants, locked: false }, { inspect: true })
    expect(same).toMatchObject({ output: { inspected: true } })
    await p.done('database-user.remove', { user: 'picky', host }, { id: 9604 })
    expect(await hosts()).toBe('127.0.0.1,localhost')
    await p.done('database-user.restore', { user: 'picky', host, taken: [9604] })
    expect(await hosts()).toContain('10.0.0.0/255.255.255.0')
  })

  test('ends the open connections of an account that is locked or loses a privilege, and no other ones', async () => {
    const grants = [{ database: 'shop', privileges: 'all' as const }]
    await p.done('database-user.ensure', { user: 'near', password, grants, locked: false })
    await p.done('database-user.ensure', { user: 'shop', password, grants, locked: false })
    const connect = (name: string, host: string) =>
      p.host.exec([
        'mariadb',
        `--user=${name}`,
        `--password=${password}`,
        `--host=${host}`,
        '--execute=select sleep(3600)',
      ])
    const connected = () =>
      root(
        "select group_concat(user order by user, host) from information_schema.processlist where info like '%sleep%' and id <> connection_id()",
      )
    const ends = [connect('shop', 'localhost'), connect('shop', '127.0.0.1'), connect('near', 'localhost')]
    await expect.poll(connected).toBe('near,shop,shop')
    await p.done('database-user.ensure', { user: 'shop', grants, locked: true })
    await expect.poll(connected).toBe('near')
    await p.done('database-user.ensure', {
      user: 'near',
      grants: [{ database: 'shop', privileges: 'read' }],
      locked: false,
    })
    await expect.poll(connected).toBe('NULL')
    expect((await Promise.all(ends)).map(({ code }) => code)).toEqual([1, 1, 1])
  })

  test('renames a database with all its contents, also after a power cut in the middle, and back', async () => {
    await p.done('database.ensure', { name: 'before', ...shape })
    await as('before', related)
    await p.done('database.ensure', { name: 'taken', ...shape })
    expect((await p.op('database.rename', { name: 'before', newName: 'taken' })).reason).toContain('exists already')
    const rename = { name: 'before', newName: 'after_it' }
    for (const ms of [60, 150, 300]) await p.killAfter(ms, 'database.rename', rename, 9701)
    await p.done('database.rename', rename, { id: 9701 })
    expect(await root("show databases like 'before';")).toBe('')
    expect(await as('after_it', working)).toBe('2\n2\n2\ntidy\norphan\nwith_pets')
    await expect(root('insert into after_it.pets (owner) values (9);')).rejects.toThrow('foreign key')
    await p.done('database.rename', rename, { id: 9701, task: 'undo' })
    expect(await root("show databases like 'after_it';")).toBe('')
    expect(await as('before', working)).toBe('3\n3\n3\ntidy\norphan\nwith_pets')
  })

  test('tables are converted strictly: lost characters are refused, and undo converts back', async () => {
    await p.done('database.ensure', { name: 'words', ...shape })
    await as(
      'words',
      "create table fits (w varchar(20)); insert into fits values ('blåbær'); create table wont (w text);",
    )
    const wish = { name: 'words', charset: 'latin1' as const, collation: 'latin1_swedish_ci', existing: true }
    const collations = () =>
      root("select group_concat(distinct table_collation) from information_schema.tables where table_schema = 'words';")
    await p.done('database.convert', wish, { id: 9801 })
    expect(await collations()).toBe('latin1_swedish_ci')
    expect(await as('words', 'select w from fits;')).toBe('blåbær')
    await p.done('database.convert', wish, { id: 9801, task: 'undo' })
    expect(await collations()).toBe('utf8mb4_unicode_ci')
    await as('words', "insert into wont values ('食');")
    const refused = await p.op('database.convert', wish, { id: 9802 })
    expect([refused.status, refused.reason]).toEqual(['failed', expect.stringContaining('Incorrect string value')])
    await p.done('database.convert', wish, { id: 9802, task: 'undo' })
    expect([await collations(), await as('words', 'select w from wont;')]).toEqual(['utf8mb4_unicode_ci', '食'])
  })

  test('measures every database in one pass; a query reads only its own database, within limits, and leaves no account', async () => {
    await p.done('database.ensure', { name: 'asked', ...shape })
    await as('asked', "create table t (id int, w text); insert into t values (1, '<a> & \"b\"'), (2, null), (3, '');")
    const { output } = await p.done('databases.measure', {})
    const { databases } = output as { databases: { name: string; bytes: number }[] }
    expect(databases.find(({ name }) => name === 'asked')?.bytes).toBeGreaterThan(60_000)
    expect(databases.map(({ name }) => name)).not.toContain('mysql')
    const query = (sql: string, more: object = {}) =>
      p.op('database.query', { name: 'asked', sql, rows: 100, seconds: 2, ...more })
    expect((await query('select * from t order by id')).output).toMatchObject({
      columns: ['id', 'w'],
      rows: [
        ['1', '<a> & "b"'],
        ['2', null],
        ['3', ''],
      ],
      more: false,
    })
    expect((await query('select id from t order by id', { rows: 2 })).output).toMatchObject({
      rows: [['1'], ['2']],
      more: true,
    })
    for (const [sql, why] of [
      ['delete from t', 'denied'],
      ['insert into t values (4, null)', 'denied'],
      ['select * from mysql.global_priv', 'denied'],
      ["select w from t into outfile '/tmp/out'", 'denied'],
      ['select 1; drop table t', 'READ ONLY'],
      ['\\! touch /tmp/escaped', 'Unknown command'],
      [
        `select count(*) from ${'abcde'.split('').map((one) => `information_schema.collations ${one}`)}`,
        'max_statement_time',
      ],
    ] as const)
      expect([sql, (await query(sql)).reason]).toEqual([sql, expect.stringContaining(why)])
    expect(await as('asked', 'select count(*) from t;')).toBe('3')
    expect(await p.sh('ls', '/tmp')).not.toContain('escaped')
    expect(await root("select count(*) from mysql.global_priv where user like 'ik%';")).toBe('0')
  })

  test('a connection is listed with its statement and can be ended; a connection to another database is not', async () => {
    await p.done('database.ensure', { name: 'busy', ...shape })
    const long = p.host.exec(['mariadb', '--database=busy', '--execute=select sleep(3600)'])
    const seen = async () => {
      const { output } = await p.done('database.connections', { name: 'busy' })
      return (output as { connections: { id: number; sql: string | null }[] }).connections
    }
    await expect.poll(seen).toMatchObject([{ sql: 'select sleep(3600)' }])
    const [first] = await seen()
    const end = (name: string) => p.done('database-connection.end', { name, connection: first?.id ?? 1 })
    expect((await end('shop')).output).toEqual({ ended: false })
    expect((await end('busy')).output).toEqual({ ended: true })
    expect((await long).code).toBe(1)
    expect(await seen()).toEqual([])
  })

  test('names the websites of a network of WordPress that its database has, without those that are gone', async () => {
    await p.done('system-user.ensure', { username: 'web1', limits })
    const { path } = rootOf('network.example')
    await p.done('document-root.ensure', rootOf('network.example'))
    const find = () => p.op('website-network.find', { username: 'web1', path })
    expect(await find()).toMatchObject({ status: 'failed', reason: expect.stringContaining('wp-config.php') })
    await root('create database network;')
    await as(
      'network',
      `create table wp_7blogs (blog_id int, domain varchar(200), path varchar(100), archived tinyint, spam tinyint, deleted tinyint);
      insert into wp_7blogs values (1, 'network.example', '/', 0, 0, 0), (2, 'network.example', '/shop/', 0, 0, 0),
        (3, 'network.example', '/old/', 1, 0, 0), (4, 'network.example', '/spam/', 0, 1, 0), (5, 'x.example', '/', 0, 0, 1);`,
    )
    writeFileSync(
      `${p.host.root}${path}/wp-config.php`,
      "<?php\n$table_prefix = 'wp_7';\ndefine( 'DB_NAME', 'network' );\n",
    )
    expect((await find()).output).toEqual({
      sites: [
        { host: 'network.example', path: '/' },
        { host: 'network.example', path: '/shop/' },
      ],
    })
  })

  test('a removed account loses its open connections', async () => {
    const password = 'a-password-that-is-long'
    const grants = [{ database: 'busy', privileges: 'read' as const }]
    await p.done('database-user.ensure', { user: 'visitor', password, grants, locked: false })
    const visiting = ['mariadb', '--user=visitor', `--password=${password}`, '--database=busy']
    const long = p.host.exec([...visiting, '--execute=select sleep(3600)'])
    const there = () => root("select count(*) from information_schema.processlist where user = 'visitor';")
    await expect.poll(there).toBe('1')
    await p.done('database-user.remove', { user: 'visitor' })
    expect((await long).code).toBe(1)
    expect(await there()).toBe('0')
  })
})
