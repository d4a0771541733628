import type { DatabaseMarks } from '@innkeeper/contract/agent/databases'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labDir, type Practice, practice } from '../../test/practice.ts'

const shape = { charset: 'utf8mb4', collation: 'utf8mb4_unicode_ci' } as const
const password = 'Correct-Horse_battery9'
const grants = [{ database: 'shop', privileges: 'all' as const }]
const user = { user: 'shop', password, grants, locked: false }
/** Everything that a dump must contain: a BLOB of all bytes, awkward text, a view, a trigger, a routine, an event. */
const contents = `
create table posts (id int primary key auto_increment, title varchar(200), body longtext, data longblob);
create table empty_one (id int primary key);
create table log (id int primary key auto_increment, what text);
create trigger noted after insert on posts for each row insert into log (what) values (new.title);
insert into posts (title, body, data) values ('(first)', 'a\\nb''c\\\\d -- Dump completed', unhex('00010a0d27225c60ff')),
  ('blåbær 食 🫐', '(not a row)\\n(another)', repeat(unhex('00ff'), 70000)), ('INSERT INTO \`x\` VALUES', null, null);
create definer = 'shop'@'localhost' view latest as select id, title from posts order by id desc;
create procedure counted() select count(*) from posts;
create event tidy on schedule every 1 day do delete from log where id < 0;
`

const living = `
create table quiet (id int primary key, words text);
create table busy (id int primary key auto_increment, words text);
create table places (id int primary key, place int);
create table emptied (id int primary key);
create table old_engine (id int primary key) engine = myisam;
create view all_of_it as select q.words from quiet q join busy b using (id);
insert into quiet values (1, 'stays'); insert into busy (words) values ('one'); insert into places values (1, 1), (2, 2);
insert into emptied values (1); insert into old_engine values (1);
`
const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'databases' : `databases (${verdict.reason})`, () => {
  let p: Practice<Host>
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 'databases', 'databases')
    await p.done('packages.ensure', { packages: ['mariadb-server'] })
    await p.done('mariadb.ensure', { listen: 'loopback' })
    await p.done('database.ensure', { name: 'shop', ...shape })
    await p.done('database-user.ensure', user)
    await as('shop', contents)
    await p.done('database.ensure', { name: 'living', ...shape })
    await as('living', living)
  })
  afterAll(() => p?.end())

  /** Runs SQL as root with the mariadb client, not with the driver's code. */
  const root = async (sql: string) => {
    const ran = await p.host.exec(['mariadb', '--batch', '--skip-column-names', '--raw'], { input: sql })
    if (ran.code !== 0) throw new Error(ran.stderr)
    return ran.stdout.trim()
  }
  const as = (database: string, sql: string) => root(`use ${database};\n${sql}`)
  /** Whether an account can connect with a password, as an application does. */
  const comesIn = async (name: string, secret: string, host = 'localhost') =>
    (await p.host.exec(['mariadb', `--user=${name}`, `--password=${secret}`, `--host=${host}`, '--execute=select 1']))
      .code === 0
  const spool = '/var/lib/innkeeper/spool'
  const sumOf = (database: string) =>
    as(
      database,
      'select md5(group_concat(id, title, ifnull(body, 0), ifnull(hex(data), 0))) from (select * from posts order by id) p;',
    )

  test('tells other accounts of the server no names of databases', async () =>
    expect((await p.host.exec(['setpriv', '--reuid=nobody', '--clear-groups', 'ls', '/var/lib/mysql'])).stdout).toBe(
      '',
    ))

  test('lets an account connect by socket and loopback, to its own database only', async () => {
    expect([await comesIn('shop', password), await comesIn('shop', password, '127.0.0.1')]).toEqual([true, true])
    expect(await comesIn('shop', 'another-password-of-it')).toBe(false)
    await p.done('database.ensure', { name: 'shopxa', ...shape })
    const seen = await p.sh('mariadb', '--user=shop', `--password=${password}`, '-N', '--execute=show databases')
    expect(seen.split('\n').filter((name) => name.startsWith('shop'))).toEqual(['shop'])
  })

  test('stores the password nowhere but in MariaDB', async () => {
    const found = await p.host.exec([
      'grep',
      '-rlF',
      '--',
      password,
      '/var/lib/innkeeper',
      '/etc',
      '/root',
      '/tmp',
      '/var/log',
    ])
    expect(found.stdout).toBe('')
  })

  test('escapes an underscore, so that a name grants no other database', async () => {
    await p.done('database.ensure', { name: 'a_b', ...shape })
    await p.done('database.ensure', { name: 'axb', ...shape })
    await p.done('database-user.ensure', {
      user: 'under',
      password,
      grants: [{ database: 'a_b', privileges: 'read' }],
      locked: false,
    })
    const seen = await p.sh('mariadb', '--user=under', `--password=${password}`, '-N', '--execute=show databases')
    expect(seen).toContain('a_b')
    expect(seen).not.toContain('axb')
    expect(
      (
        await p.host.exec([
          'mariadb',
          '--user=under',
          `--password=${password}`,
          'a_b',
          '--execute=create table t (i int)',
        ])
      ).code,
    ).toBe(1)
  })

  test('locks an account without changing its password, and unlocks it', async () => {
    await p.done('database-user.ensure', { user: 'shop', grants, locked: true })
    expect(await comesIn('shop', password)).toBe(false)
    await p.done('database-user.ensure', { user: 'shop', grants, locked: false })
    expect(await comesIn('shop', password)).toBe(true)
  })

  test('undo of a new password restores the former one, which nobody needs to know', async () => {
    const other = 'Another_password-of-it'
    await p.done('database-user.ensure', { ...user, password: other }, { id: 9001 })
    expect([await comesIn('shop', other), await comesIn('shop', password)]).toEqual([true, false])
    await p.done('database-user.ensure', { ...user, password: other }, { id: 9001, task: 'undo' })
    expect([await comesIn('shop', other), await comesIn('shop', password)]).toEqual([false, true])
  })

  test('dumps completely and loads the same rows, bytes, view, trigger, routine and event', async () => {
    const { output } = await p.done('database.dump', { name: 'shop', file: 'whole.sql.gz' })
    const reported = output as { sha256: string; rows: Record<string, number>; bytes: number }
    expect(reported.rows).toEqual({ posts: 3, empty_one: 0, log: 3 })
    expect(await p.sh('sha256sum', `${spool}/whole.sql.gz`)).toContain(reported.sha256)
    expect((await p.sh('sh', '-c', `zcat ${spool}/whole.sql.gz | tail -n 1`)).trim()).toBe('-- Dump completed')
    await p.done('database.ensure', { name: 'copy', ...shape })
    const copier = {
      user: 'copier',
      password,
      grants: [{ database: 'copy', privileges: 'all' as const }],
      locked: false,
    }
    await p.done('database-user.ensure', copier)
    await p.done('database.load', { name: 'copy', file: 'whole.sql.gz', sha256: reported.sha256, definer: 'copier' })
    expect(await sumOf('copy')).toBe(await sumOf('shop'))
    expect(
      await as('copy', 'select count(*) from latest; call counted(); show triggers like "posts"; show events;'),
    ).toMatch(/^3\n3\nnoted\tINSERT[\s\S]*tidy/)
  })

  test('refuses truncated, changed and foreign dumps, and leaves the database unchanged', async () => {
    await p.sh('sh', '-c', `head -c 400 ${spool}/whole.sql.gz > ${spool}/cut.sql.gz`)
    await p.sh('sh', '-c', `zcat ${spool}/whole.sql.gz | head -n 20 | gzip > ${spool}/headed.sql.gz`)
    for (const [file, why] of [
      ['cut', 'cannot be read'],
      ['headed', 'is incomplete'],
      ['absent', 'cannot be read'],
    ] as const) {
      const { status, reason } = await p.op('database.load', { name: 'copy', file: `${file}.sql.gz` })
      expect([status, reason]).toEqual(['failed', expect.stringContaining(why)])
    }
    const wrong = await p.op('database.load', { name: 'copy', file: 'whole.sql.gz', sha256: 'ab'.repeat(32) })
    expect(wrong.reason).toContain('differs from the dump that was written')
    expect(await sumOf('copy')).toBe(await sumOf('shop'))
  })

  test('fails with mariadb-dump, and leaves no file', async () => {
    await p.done('database.ensure', { name: 'torn', ...shape })
    await as('torn', 'create table t (i int) engine = MyISAM; insert into t values (1); flush tables;')
    await p.sh('rm', '/var/lib/mysql/torn/t.MYD')
    const { status, reason } = await p.op('database.dump', { name: 'torn', file: 'torn.sql.gz' })
    expect([status, reason]).toEqual(['failed', expect.stringContaining('mariadb-dump ended with')])
    expect(await p.sh('sh', '-c', `ls ${spool}`)).not.toContain('torn')
    expect((await p.op('database.dump', { name: 'nowhere', file: 'x.sql.gz' })).reason).toContain(
      'there is no database nowhere',
    )
  })

  test('dumps objects of a missing definer, refuses to load them, and rewrites the definer on request', async () => {
    await p.done('database.ensure', { name: 'moved', ...shape })
    await as(
      'moved',
      `create table t (i int); insert into t values (1);
      create definer = 'gone'@'%' view v as select i from t;
      create definer = 'gone'@'%' procedure one() select 1;
      create definer = 'gone'@'%' trigger tr before insert on t for each row set new.i = 2;`,
    )
    await p.done('database.dump', { name: 'moved', file: 'moved.sql.gz' })
    await p.done('database.ensure', { name: 'target', ...shape })
    const refused = await p.op('database.load', { name: 'target', file: 'moved.sql.gz' })
    expect([refused.status, refused.reason]).toEqual(['failed', expect.stringContaining('run as gone@%')])
    expect(await as('target', 'show tables;')).toBe('')
    await p.done('database-user.ensure', {
      user: 'target',
      password,
      grants: [{ database: 'target', privileges: 'all' }],
      locked: false,
    })
    await p.done('database.load', { name: 'target', file: 'moved.sql.gz', definer: 'target' })
    const asked = 'select i from v; call one(); insert into t values (9); select max(i) from t;'
    expect(await p.sh('mariadb', '--user=target', `--password=${password}`, '-N', 'target', `--execute=${asked}`)).toBe(
      '1\n1\n2\n',
    )
    const seen = (await p.done('database.inspect', { name: 'moved', deep: false })).output as {
      missing: { name: string }[]
    }
    expect(seen.missing.map(({ name }) => name).sort()).toEqual(['one', 'tr', 'v'])
  })

  test('undo of a load restores the former content, or an empty database', async () => {
    await p.done('database.ensure', { name: 'undone', ...shape })
    await p.done('database.load', { name: 'undone', file: 'whole.sql.gz' }, { id: 9101 })
    await as('undone', "insert into posts (title) values ('mine');")
    await p.done(
      'database.load',
      { name: 'undone', file: 'moved.sql.gz', definer: 'shop', keep: 'kept-1.sql.gz' },
      { id: 9102 },
    )
    expect(await as('undone', 'show tables;')).toBe('t\nv')
    await p.done(
      'database.load',
      { name: 'undone', file: 'moved.sql.gz', definer: 'shop', keep: 'kept-1.sql.gz' },
      { id: 9102, task: 'undo' },
    )
    expect(await as('undone', 'select count(*) from posts;')).toBe('4')
    await p.done('database.load', { name: 'undone', file: 'whole.sql.gz' }, { id: 9101, task: 'undo' })
    expect(await as('undone', 'show tables;')).toBe('')
  })

  test('copies only the tables that changed since a dump; undo reverts both loads', async () => {
    interface Reported {
      sha256: string
      rows: Record<string, number>
      definers: string[]
      whole: boolean
    }
    const dump = async (file: string, asked: object) => {
      const { output } = await p.done('database.dump', { name: 'living', file, ...asked })
      return output as unknown as Reported
    }
    const load = (file: string, { sha256, definers }: Reported, id: number, more: object = {}) =>
      p.done('database.load', { name: 'follower', file, sha256, definers, ...more }, { id })
    const tables = ['quiet', 'busy', 'places', 'emptied', 'old_engine']
    const both = async () => {
      const sums = (of: string) => as(of, tables.map((table) => `checksum table ${table} extended;`).join(' '))
      return [(await sums('living')).replaceAll('living.', ''), (await sums('follower')).replaceAll('follower.', '')]
    }
    await p.done('database.ensure', { name: 'follower', ...shape })
    const marksNow = async () =>
      ((await p.done('database.marks', { name: 'living' })).output as { marks: DatabaseMarks }).marks
    // a table that was written within two seconds before the marks counts as changed
    const age =
      "select unix_timestamp() - unix_timestamp(update_time) from information_schema.tables where table_name = 'quiet'"
    await expect.poll(async () => Number(await as('living', `${age};`))).toBeGreaterThan(2)
    const before = await marksNow()
    const seed = await dump('seed-1.sql.gz', {})
    await load('seed-1.sql.gz', seed, 9401)
    await as(
      'living',
      `insert into busy (words) values ('two'); update places set place = 3 - place; truncate emptied;
      insert into old_engine values (2);`,
    )
    const later = await dump('later-1.sql.gz', { changedSince: before })
    expect(later).toMatchObject({ whole: false, rows: { busy: 2, places: 2, emptied: 0, old_engine: 2 } })
    expect(later.rows).not.toHaveProperty('quiet')
    await load('later-1.sql.gz', later, 9402, { renew: true, whole: later.whole })
    const [there, here] = await both()
    expect(here).toBe(there)
    expect(await as('follower', 'select * from all_of_it;')).toBe('stays')
    // checksums do not include indexes and views
    await as('living', 'alter table quiet add index (words(5));')
    const whole = await dump('later-2.sql.gz', { changedSince: before })
    expect(whole.whole).toBe(true)
    await load('later-2.sql.gz', whole, 9403, { renew: true, whole: true })
    expect(await as('follower', 'show index from quiet where column_name = "words";')).not.toBe('')
    const marks = await marksNow()
    const none = await dump('later-3.sql.gz', { changedSince: { ...marks, at: marks.at + 3600 } })
    expect(none).toMatchObject({ whole: false, rows: {} })
    await load('later-3.sql.gz', none, 9404, { renew: true, whole: false })
    expect((await both())[1]).toBe((await both())[0])
    await p.done('database.load', { name: 'follower', file: 'later-1.sql.gz', renew: true }, { id: 9402, task: 'undo' })
    await p.done('database.load', { name: 'follower', file: 'seed-1.sql.gz' }, { id: 9401, task: 'undo' })
    expect(await as('follower', 'show tables;')).toBe('')
  })

  test('loads chosen tables, and keeps the others', async () => {
    await p.done('database.dump', { name: 'shop', file: 'some.sql.gz', tables: ['posts'] })
    await as('copy', "delete from posts where id = 1; insert into log (what) values ('stays');")
    const more = await p.op('database.load', { name: 'copy', file: 'whole.sql.gz', tables: ['posts'] })
    expect(more.reason).toContain('more than was asked for')
    await p.done('database.load', { name: 'copy', file: 'some.sql.gz', tables: ['posts'] })
    expect(await sumOf('copy')).toBe(await sumOf('shop'))
    expect(await as('copy', "select count(*) from log where what = 'stays';")).toBe('1')
  })

  test('undo reverts these tables only: later rows in the others stay, and an added table is dropped', async () => {
    const tables = ['posts', 'newcomer']
    await p.done('database.ensure', { name: 'theirs', ...shape })
    await p.done('database.load', { name: 'theirs', file: 'whole.sql.gz', definer: 'copier' })
    await as(
      'theirs',
      "update posts set title = 'theirs'; create table newcomer (i int); insert into newcomer values (1);",
    )
    await p.done('database.dump', { name: 'theirs', file: 'two.sql.gz', tables })
    const before = await as('copy', 'select group_concat(title order by id) from posts;')
    const load = { name: 'copy', file: 'two.sql.gz', tables, definer: 'copier', keep: 'mine.sql.gz' }
    const meanwhile = () => as('copy', "insert into log (what) values ('meanwhile');")
    const seen = () =>
      as(
        'copy',
        `select group_concat(title order by id) from posts; select count(*) from log where what = 'meanwhile';
          show tables like 'newcomer';`,
      )
    await p.done('database.load', load, { id: 9501 })
    await meanwhile()
    expect(await seen()).toContain('theirs')
    await p.done('database.load', load, { id: 9501, task: 'undo' })
    expect(await seen()).toBe(`${before}\n1`)
    await p.done('database.load', load, { id: 9502 })
    await meanwhile()
    const back = { ...load, file: 'mine.sql.gz', keep: 'theirs.sql.gz' }
    expect((await p.op('database.load', back)).reason).toContain('lacks newcomer')
    await p.done('database.load', { ...back, lacking: 'go' }, { id: 9503 })
    expect(await seen()).toBe(`${before}\n2`)
    await p.done('database.load', { ...back, lacking: 'go' }, { id: 9503, task: 'undo' })
    expect(await seen()).toContain('newcomer')
  })

  test('moves a database into the trash and restores it, even after a power cut in the middle', async () => {
    const before = await sumOf('shop')
    await p.done('database-user.remove', { user: 'shop' }, { id: 9201 })
    for (const ms of [10, 80, 200, 400]) await p.killAfter(ms, 'database.remove', { name: 'shop' })
    // MariaDB ends the statement of a killed client
    await expect
      .poll(() => root("select count(*) from information_schema.processlist where info like 'drop database%';"))
      .toBe('0')
    await p.done('database.ensure', { name: 'shop', ...shape })
    if (!(await as('shop', 'show tables;')))
      await p.done('database.load', { name: 'shop', file: 'whole.sql.gz', definer: 'under' })
    await p.done('database.remove', { name: 'shop' }, { id: 9202 })
    expect(await root("show databases like 'shop';")).toBe('')
    expect(await comesIn('shop', password)).toBe(false)
    await p.done('database-user.restore', { user: 'shop', taken: [9201] })
    await p.done('database.restore', { name: 'shop', taken: [9202] })
    expect(await sumOf('shop')).toBe(before)
    expect(await comesIn('shop', password)).toBe(true)
  })

  test('undo drops a database of its own action, and keeps an existing one', async () => {
    await p.done('database.ensure', { name: 'fresh', ...shape }, { id: 9301 })
    await p.done('database.ensure', { name: 'fresh', ...shape }, { id: 9302 })
    await p.done('database.ensure', { name: 'fresh', ...shape }, { id: 9302, task: 'undo' })
    expect(await root("show databases like 'fresh';")).toBe('fresh')
    await p.done('database.ensure', { name: 'fresh', ...shape }, { id: 9301, task: 'undo' })
    expect(await root("show databases like 'fresh';")).toBe('')
  })

  test('browses a table by its key and a filter, without writing', async () => {
    await p.done('database.ensure', { name: 'browsed', ...shape })
    await as(
      'browsed',
      `create table pairs (a int, b varchar(20), c blob, note text, primary key (a, b));
      insert into pairs select seq div 3, concat('k', seq mod 3), unhex('00ff'), if(seq = 7, '50% \\\\ it''s', null) from seq_0_to_10;
      create table keyless (n int); insert into keyless select seq from seq_1_to_5;`,
    )
    const page = async (more: object) =>
      (await p.done('database.browse', { name: 'browsed', table: 'pairs', rows: 4, seconds: 5, ...more })).output as {
        rows: (string | null)[][]
        next: string[] | null
        columns: { name: string; key: boolean }[]
      }
    const seen: string[] = []
    for (let after: string[] | null | undefined; after !== null; ) {
      const { rows, next } = await page(after ? { after } : {})
      seen.push(...rows.map(([a, b]) => `${a}${b}`))
      after = next
    }
    expect(seen.join(' ')).toBe('0k0 0k1 0k2 1k0 1k1 1k2 2k0 2k1 2k2 3k0 3k1')
    const { columns, rows } = await page({ filter: { column: 'note', how: 'contains', text: "0% \\ it's" } })
    expect(rows).toEqual([['2', 'k1', '00FF', "50% \\ it's"]])
    expect(columns.map(({ name, key }) => (key ? `${name} is in the key` : name)).join()).toBe(
      'a is in the key,b is in the key,c,note',
    )
    expect((await page({ filter: { column: 'c', how: 'is', text: '00ff' } })).rows).toHaveLength(4)
    expect((await page({ filter: { column: 'b', how: 'begins', text: '%' } })).rows).toEqual([])
    expect(await page({ table: 'keyless', rows: 2 })).toMatchObject({ more: true, next: null })
    for (const more of [{ table: 'absent' }, { filter: { column: 'x` or 1', how: 'is', text: '' } }, { after: ['1'] }])
      expect(
        (await p.op('database.browse', { name: 'browsed', table: 'pairs', rows: 4, seconds: 5, ...more } as never))
          .status,
      ).toBe('failed')
    expect(await root("select count(*) from mysql.global_priv where user like 'ik%'")).toBe('0')
  })
})
