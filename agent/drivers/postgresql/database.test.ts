import { writeFileSync } from 'node:fs'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labDir, type Practice, practice } from '../../test/practice.ts'
import { attacks, website } from './test/attacks.ts'
import { restartTests } from './test/restart.ts'

const engine = 'postgresql' as const
const shape = { engine, charset: 'UTF8', collation: 'C.UTF-8' } as const
const password = 'Correct-Horse_battery9'
const grants = [{ database: 'shop', privileges: 'all' as const }]
const user = { engine, user: 'shop', password, grants, locked: false }
const contents = `
create table posts (id serial primary key, title text, data bytea);
create table empty_one (id int primary key);
create schema other; create table other.log (id serial primary key, what text);
create function noted() returns trigger language plpgsql as $$ begin insert into other.log (what) values (new.title); return new; end $$;
create trigger noted after insert on posts for each row execute function noted();
insert into posts (title, data) values (E'a\\nb''c\\\\d ; -- PostgreSQL database dump complete', '\\x00010a0d27225c60ff'), ('blåbær 食 🫐', null);
insert into posts (title) select 'row ' || n from generate_series(1, 998) n;
create view latest as select id, title from posts order by id desc;
`

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'PostgreSQL databases' : `PostgreSQL (${verdict.reason})`, () => {
  let p: Practice<Host>
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 'pg-databases')
    await p.done('packages.ensure', { packages: ['postgresql'] })
    await p.done('postgresql.ensure', { listen: 'loopback' })
    await p.done('postgresql-access.ensure', {})
    await p.sh('mkdir', '-p', '-m', '700', spool)
  })
  afterAll(() => p?.end())

  /** psql as an account with its password, as an application does; not the driver's code. */
  const psql = async (name: string, secret: string, database: string, sql: string, host = '127.0.0.1') => {
    const ran = await p.host.exec(
      ['sh', '-c', `PGPASSWORD='${secret}' psql -X -qAt -v ON_ERROR_STOP=1 -h ${host} -U ${name} -d ${database}`],
      { input: sql },
    )
    return { code: ran.code, out: ran.stdout.trim(), err: ran.stderr.trim() }
  }
  const root = async (database: string, sql: string) => {
    const ran = await p.host.exec(['sh', '-c', `cd / && runuser -u postgres -- psql -X -qAt -d ${database}`], {
      input: sql,
    })
    if (ran.code !== 0 || ran.stderr) throw new Error(ran.stderr)
    return ran.stdout.trim()
  }
  const spool = '/var/lib/innkeeper/spool'
  const sumOf = (database: string) =>
    root(database, `select md5(string_agg(t::text, '' order by id)), (select count(*) from latest) from posts t;`)

  test('a new database is usable by psql, over loopback and the socket, with a password only', async () => {
    await p.done('database.ensure', { name: 'shop', ...shape })
    await p.done('database-user.ensure', user)
    expect(await psql('shop', password, 'shop', 'select 1')).toMatchObject({ code: 0, out: '1' })
    expect((await psql('shop', password, 'shop', 'select 1', '/var/run/postgresql')).out).toBe('1')
    expect(await psql('shop', password, 'shop', contents)).toMatchObject({ code: 0, err: '' })
    expect((await psql('shop', 'another-password-of-it', 'shop', 'select 1')).code).not.toBe(0)
    expect((await psql('shop', password, 'postgres', 'select 1')).code).not.toBe(0)
    expect(await p.sh('sh', '-c', 'ss -ltnH | grep 5432 | grep -v 127.0.0.1 | grep -v "::1" | wc -l')).toBe('0\n')
  })

  test('stores the password nowhere; PostgreSQL stores only its verifier', async () => {
    const places = ['/var/lib/innkeeper', '/etc', '/root', '/tmp', '/var/log', '/run', '/var/lib/postgresql']
    const found = await p.host.exec(['grep', '-rlFs', '--', password, ...places])
    expect(found.stdout).toBe('')
    expect(await root('postgres', `select left(rolpassword, 14) from pg_authid where rolname = 'shop'`)).toBe(
      'SCRAM-SHA-256$',
    )
  })

  test('accounts with all privileges share the objects that each creates; readers also read later objects', async () => {
    await p.done('database-user.ensure', { ...user, user: 'second' })
    await p.done('database-user.ensure', {
      ...user,
      user: 'reader',
      grants: [{ database: 'shop', privileges: 'read' }],
    })
    const custom = { database: 'shop', privileges: 'custom' as const, chosen: ['select' as const, 'insert' as const] }
    await p.done('database-user.ensure', { ...user, user: 'writer', grants: [custom] })
    await psql(
      'second',
      password,
      'shop',
      `create table later (id serial primary key, t text); insert into later (t) values ('x')`,
    )
    expect((await psql('shop', password, 'shop', 'alter table later add c int; select count(*) from later')).out).toBe(
      '1',
    )
    expect(
      (await psql('reader', password, 'shop', 'select count(*) from later; select count(*) from other.log')).out,
    ).toBe('1\n1000')
    expect((await psql('reader', password, 'shop', 'delete from later')).err).toMatch(/permission denied/)
    expect((await psql('reader', password, 'shop', 'create table t (i int)')).err).toMatch(/permission denied/)
    expect(
      (await psql('writer', password, 'shop', `insert into later (t) values ('y'); select count(*) from later`)).out,
    ).toBe('2')
    expect((await psql('writer', password, 'shop', 'update later set t = null')).err).toMatch(/permission denied/)
    expect((await psql('shop', password, 'shop', 'drop table later')).code).toBe(0)
    const wrong = { ...custom, chosen: ['lock tables' as const] }
    expect((await p.op('database-user.ensure', { ...user, user: 'writer', grants: [wrong] })).reason).toMatch(
      /lock tables/,
    )
    expect((await p.op('database-user.ensure', { ...user, user: 'pg_monitor' })).status).toBe('failed')
  })

  test('locks and unlocks, rotates with undo, and takes privileges away from open connections', async () => {
    const held = p.host.exec([
      'sh',
      '-c',
      `PGPASSWORD='${password}' psql -X -h 127.0.0.1 -U shop -d shop -c 'select pg_sleep(3600)'`,
    ])
    await expect.poll(() => root('postgres', `select count(*) from pg_stat_activity where usename = 'shop'`)).toBe('1')
    await p.done('database-user.ensure', { engine, user: 'shop', grants, locked: true })
    expect((await held).code).not.toBe(0)
    expect((await psql('shop', password, 'shop', 'select 1')).code).not.toBe(0)
    await p.done('database-user.ensure', { engine, user: 'shop', grants, locked: false })
    const other = 'Another_password-of-it'
    await p.done('database-user.ensure', { ...user, password: other }, { id: 9001 })
    expect([(await psql('shop', other, 'shop', '')).code, (await psql('shop', password, 'shop', '')).code]).toEqual([
      0, 2,
    ])
    await p.done('database-user.ensure', { ...user, password: other }, { id: 9001, task: 'undo' })
    expect([(await psql('shop', other, 'shop', '')).code, (await psql('shop', password, 'shop', '')).code]).toEqual([
      2, 0,
    ])
    await p.done('database-user.remove', { engine, user: 'second', keepDays: 30 }, { id: 9002 })
    expect((await psql('second', password, 'shop', '')).code).toBe(2)
    await p.done('database-user.remove', { engine, user: 'second', keepDays: 30 }, { id: 9002, task: 'undo' })
    expect((await psql('second', password, 'shop', 'create table again (i int); drop table again')).code).toBe(0)
  })

  test('renames with its accounts while somebody is connected, and back', async () => {
    await p.done('database.rename', { engine, name: 'shop', newName: 'shop_two' }, { id: 9010 })
    expect(
      (await psql('shop', password, 'shop_two', 'create table r (i int); drop table r; select count(*) from posts'))
        .out,
    ).toBe('1000')
    await p.done('database.rename', { engine, name: 'shop', newName: 'shop_two' }, { id: 9010, task: 'undo' })
    expect((await psql('shop', password, 'shop', 'select count(*) from posts')).out).toBe('1000')
  })

  test('dumps completely, loads the same contents into a copy, and restores the former contents', async () => {
    const { output } = await p.done('database.dump', { engine, name: 'shop', file: 'whole.sql.gz' })
    const { sha256, rows } = output as { sha256: string; rows: Record<string, number> }
    expect(rows).toEqual({ posts: 1000, empty_one: 0, 'other.log': 1000 })
    await p.done('database.ensure', { name: 'copy', ...shape })
    await p.done('database-user.ensure', { ...user, user: 'copier', grants: [{ database: 'copy', privileges: 'all' }] })
    await psql('copier', password, 'copy', 'create table mine (i int); insert into mine values (1)')
    await p.done('database.load', { engine, name: 'copy', file: 'whole.sql.gz', sha256 }, { id: 9020 })
    expect(await sumOf('copy')).toBe(await sumOf('shop'))
    expect(
      (
        await psql(
          'copier',
          password,
          'copy',
          `insert into posts (title) values ('new'); select count(*) from other.log`,
        )
      ).out,
    ).toBe('1001')
    await p.done('database.load', { engine, name: 'copy', file: 'whole.sql.gz', sha256 }, { id: 9020, task: 'undo' })
    expect((await psql('copier', password, 'copy', 'select count(*) from mine')).out).toBe('1')
  })

  test('goes into the trash and is restored with its accounts', async () => {
    const before = await sumOf('shop')
    await p.done('database.remove', { engine, name: 'shop', keepDays: 30 }, { id: 9030 })
    expect((await psql('shop', password, 'shop', '')).code).toBe(2)
    await p.done('database.restore', { engine, name: 'shop', taken: [9030], keepDays: 30 })
    expect(await sumOf('shop')).toBe(before)
    expect((await psql('shop', password, 'shop', 'create table r (i int); drop table r')).code).toBe(0)
    expect((await psql('reader', password, 'shop', 'select count(*) from posts')).out).toBe('1000')
  })

  test('shows tables, sizes, connections and rows, and the console cannot write', async () => {
    const seen = (await p.done('database.inspect', { engine, name: 'shop', deep: true })).output as {
      tables: { name: string; rows: number }[]
    }
    expect(seen).toMatchObject({ there: true, views: 1, charset: 'UTF8' })
    expect(seen.tables.map(({ name, rows }) => [name, rows])).toEqual([
      ['other.log', 1000],
      ['empty_one', 0],
      ['posts', 1000],
    ])
    const { databases } = (await p.done('databases.measure', { engine })).output as {
      databases: { name: string; bytes: number }[]
    }
    expect(databases.find(({ name }) => name === 'shop')?.bytes).toBeGreaterThan(1_000_000)
    const query = (sql: string, rows = 200, seconds = 5) =>
      p.op('database.query', { engine, name: 'shop', sql, rows, seconds })
    expect((await query(`select 1 as one, null as nothing, '' as empty, E'a,"b"\\nc' as odd`)).output).toMatchObject({
      ...{ columns: ['one', 'nothing', 'empty', 'odd'], rows: [['1', null, '', 'a,"b"\nc']], more: false },
    })
    expect((await query('select * from posts -- all', 200)).output).toMatchObject({ more: true })
    expect((await query('explain select * from posts')).status).toBe('done')
    expect((await query('delete from posts')).reason).toMatch(/read-only|permission denied/)
    expect((await query('select 1; select 2')).reason).toMatch(/one statement/)
    expect((await query('\\! touch /tmp/out')).reason).toMatch(/command of the client/)
    expect((await query('commit')).status).toBe('done')
    expect((await query('select pg_sleep(9)', 1, 1)).reason).toMatch(/statement timeout/)
    await root('shop', website)
    for (const tried of attacks) expect([tried, (await query(tried)).status]).toEqual([tried, 'failed'])
    await query('set transaction read write') // ends with the connection
    expect((await query('select count(*) from posts')).output).toMatchObject({ rows: [['1000']] })
    expect((await p.host.exec(['ls', '/tmp/out'])).code).not.toBe(0)
    const page = (after?: string[]) =>
      p.done('database.browse', { engine, name: 'shop', table: 'posts', rows: 50, seconds: 5, ...(after && { after }) })
    const first = (await page()).output as {
      next: string[]
      rows: string[][]
      columns: { name: string; key: boolean }[]
    }
    expect([first.next, first.rows.length, first.columns[0]]).toMatchObject([['50'], 50, { name: 'id', key: true }])
    expect(((await page(['990'])).output as { rows: string[][] }).rows).toHaveLength(10)
    const filter = { column: 'title', how: 'contains' as const, text: 'row 99' }
    const found = await p.done('database.browse', {
      ...{ engine, name: 'shop', table: 'posts', filter },
      ...{ rows: 50, seconds: 5 },
    })
    expect((found.output as { rows: string[][] }).rows).toHaveLength(10)
    expect(await root('postgres', `select count(*) from pg_roles where rolname like 'ik_guest%'`)).toBe('0')
    const held = p.host.exec([
      'sh',
      '-c',
      `PGPASSWORD='${password}' psql -X -h 127.0.0.1 -U shop -d shop -c 'select pg_sleep(3600)'`,
    ])
    const open = async () =>
      (
        (await p.done('database.connections', { engine, name: 'shop' })).output as {
          connections: { id: number; user: string }[]
        }
      ).connections.find((one) => one.user === 'shop')
    await expect.poll(open).toBeDefined()
    const { output } = await p.done('database-connection.end', { engine, name: 'shop', connection: (await open())!.id })
    expect([output, (await held).code]).toEqual([{ ended: true }, 2])
  })

  test('imports a foreign dump into a database of its own, without owners, accounts and commands, and exchanges the two', async () => {
    const dump = `--\n-- PostgreSQL database dump\n--\n\\restrict abc\nSET statement_timeout = 0;\nSET transaction_timeout = 0;\n
CREATE ROLE stranger SUPERUSER;\nCREATE SCHEMA public;\nALTER SCHEMA public OWNER TO stranger;\n
CREATE EXTENSION IF NOT EXISTS pgcrypto WITH SCHEMA public;\nCOMMENT ON EXTENSION pgcrypto IS 'x';
CREATE FUNCTION public.f() RETURNS text LANGUAGE sql AS $_$ select 'GRANT ALL; \\connect x' $_$;
ALTER FUNCTION public.f() OWNER TO stranger;\nCREATE TABLE public.things (id int, t text);\nALTER TABLE public.things OWNER TO stranger;
COPY public.things (id, t) FROM stdin;\n1\tGRANT x; DROP TABLE y;\n2\t\\\\! touch /tmp/out\n3\t\\N\n\\.\n
GRANT ALL ON TABLE public.things TO stranger;\n-- PostgreSQL database dump complete\n`
    const put = (file: string, bytes: Buffer | string) => writeFileSync(`${p.host.root}${spool}/${file}`, bytes)
    put('import-1.dump', dump)
    put('import-2.dump', gzipSync(dump))
    put('import-3.dump', zstdCompressSync(dump))
    const look = (file: string) => p.done('dump.look', { engine, file, mostBytes: 1e9 })
    const { output } = await look('import-2.dump')
    const seen = output as {
      sha256: string
      findings: { effect: string; topic: string; what: string; count: number }[]
    }
    expect(seen).toMatchObject({ compression: 'gzip', tables: 1 })
    expect((await look('import-3.dump')).output).toMatchObject({ compression: 'zstd', tables: 1 })
    expect(seen.findings).toContainEqual(
      expect.objectContaining({ effect: 'rewritten', topic: 'definer', what: 'stranger', count: 3 }),
    )
    expect(seen.findings.filter(({ effect }) => effect === 'refused')).toEqual([])
    const before = await sumOf('shop')
    const foreign = { file: 'import-2.dump', sha256: seen.sha256, mostBytes: 1e9, definer: 'shop' }
    const load = { ...shape, aside: 'ik_import_1', name: 'shop', foreign }
    await p.done('database-import.load', load, { id: 9040 })
    expect(await sumOf('shop')).toBe(before)
    const swap = { engine, name: 'shop', aside: 'ik_import_1', before: 'ik_before_1' }
    await p.done('database-import.swap', swap, { id: 9041 })
    expect(
      (
        await psql(
          'shop',
          password,
          'shop',
          `select count(*), min(t collate "C") from things where t like 'G%' or id > 0; select f(); create table n (i int); drop table things`,
        )
      ).out,
    ).toBe(`3|GRANT x; DROP TABLE y;\nGRANT ALL; \\connect x`)
    expect((await psql('reader', password, 'shop', 'select count(*) from n')).out).toBe('0')
    await p.done('database-import.swap', swap, { id: 9041, task: 'undo' })
    expect(await sumOf('shop')).toBe(before)
    await p.done('database-import.load', load, { id: 9040, task: 'undo' })
    expect(await root('postgres', `select count(*) from pg_database where datname like 'ik_%'`)).toBe('0')
    expect(await root('postgres', `select count(*) from pg_roles where rolname = 'stranger'`)).toBe('0')
  })

  test('refuses a dump that reaches beyond its database, and a broken one leaves nothing', async () => {
    const findings = async (dump: string) => {
      await p.host.exec(['sh', '-c', `cat > ${spool}/import-9.dump`], { input: dump })
      const { output } = await p.done('dump.look', { engine, file: 'import-9.dump', mostBytes: 1e9 })
      return output as { sha256: string; findings: { effect: string; topic: string }[] }
    }
    const refused = async (dump: string) =>
      (await findings(dump)).findings.flatMap(({ effect, topic }) => (effect === 'refused' ? [topic] : []))
    expect(await refused(`COPY t FROM PROGRAM 'id';`)).toEqual(['files of the server'])
    expect(await refused(`select 1 \\! touch /tmp/out\n`)).toEqual(['client commands'])
    expect(await refused(`\\connect a\ncreate table t (i int);\n\\connect b\n`)).toEqual(['other database'])
    await p.host.exec(['sh', '-c', `cat > ${spool}/import-8.dump`], { input: 'PGDMP\x01\x0e and more' })
    const custom = await p.op('dump.look', { engine, file: 'import-8.dump', mostBytes: 1e9 })
    expect(custom.reason).toMatch(/PostgreSQL in its own format/)
    expect(await refused(`create table t (i int);\nCOPY t FROM stdin;\n1\n`)).toEqual(['incomplete'])
    expect(await refused('INSERT INTO `x` VALUES (1);')).toEqual(['format'])
    const { sha256 } = await findings(`create table t (i int);\nselect * from nowhere;\n`)
    const scratch = { aside: 'ik_try_9', name: 'shop', charset: shape.charset, collation: shape.collation }
    const tried = await p.done('dump.look', { engine, file: 'import-9.dump', mostBytes: 1e9, scratch })
    expect(tried.output).toMatchObject({ tried: true, findings: [{ topic: 'statement', line: 2 }] })
    const foreign = { file: 'import-9.dump', sha256, mostBytes: 1e9, definer: 'shop' }
    const failed = await p.op(
      'database-import.load',
      { ...shape, aside: 'ik_import_9', name: 'shop', foreign },
      { id: 9050 },
    )
    expect(failed.reason).toMatch(/Line 2 of the dump: relation "nowhere" does not exist/)
    const asked = { ...shape, aside: 'ik_import_9', name: 'shop', foreign }
    await p.done('database-import.load', asked, { id: 9050, task: 'undo' })
    // a setting changes how psql reads quotes, so that our reader takes the command for a part of a text
    const hidden = `select set_config('standard_' || 'conforming_strings', 'off', false);
select 'a\\''
\\! touch /tmp/out
/* ' */ ;\n`
    const seen = await findings(`create table t (i int);\n${hidden}`)
    const tricked = await p.op(
      'database-import.load',
      { ...shape, aside: 'ik_import_9', name: 'shop', foreign: { ...foreign, sha256: seen.sha256 } },
      { id: 9051 },
    )
    expect(seen.findings).toEqual([])
    expect(tricked.reason).toBe('The dump contains commands of psql within its statements')
    await p.done(
      'database-import.load',
      { ...shape, aside: 'ik_import_9', name: 'shop', foreign },
      { id: 9051, task: 'undo' },
    )
    expect(await root('postgres', `select count(*) from pg_roles where rolname like 'ik_guest%'`)).toBe('0')
    expect((await p.host.exec(['test', '-e', '/tmp/out'])).code).toBe(1)
  })

  test('loads some tables of a dump with references checked, leaves the others unchanged, and undo restores them', async () => {
    await p.done('database.ensure', { name: 'some', ...shape })
    const owner = await root('postgres', `select pg_get_userbyid(datdba) from pg_database where datname = 'some'`)
    await root(
      'some',
      `set role ${owner}; create table customers (id serial primary key, name text);
      create table orders (id serial primary key, customer int references customers, note text);
      create table gone (id int primary key); create table other (id int);
      create function loud() returns trigger language plpgsql as $$ begin raise exception 'loud'; end $$;
      insert into customers (name) select 'c' || n from generate_series(1, 50) n;
      insert into orders (customer, note) select n, 'o' from generate_series(1, 50) n;
      insert into gone values (1); insert into other values (1);
      create trigger loud before insert or delete on customers for each row execute function loud();`,
    )
    await p.done('database.dump', { engine, name: 'some', file: 'some.sql.gz', tables: ['customers'] })
    await root(
      'some',
      `alter table customers disable trigger loud; update customers set name = 'spoiled'; insert into customers (name) values ('late');
      alter table customers enable trigger loud; drop table gone; insert into other values (2);`,
    )
    const content = () =>
      root(
        'some',
        `select (select count(*) || ' ' || min(name) from customers), (select count(*) from other), to_regclass('gone') is not null,
          (select count(*) from pg_constraint where contype = 'f'), (select tgenabled from pg_trigger where tgname = 'loud')`,
      )
    const load = {
      engine,
      name: 'some',
      file: 'some.sql.gz',
      tables: ['customers', 'gone'],
      keep: 'before-some.sql.gz',
    }
    const spoiled = await content()
    await p.done('database.load', load, { id: 9101 })
    expect(await content()).toBe('50 c1|2|t|1|O')
    // the sequence does not return to a number that a later row uses
    expect(await root('some', `select last_value >= 51 from customers_id_seq`)).toBe('t')
    await root('some', 'insert into other values (3)')
    await p.done('database.load', load, { id: 9101, task: 'undo' })
    expect(await content()).toBe(spoiled.replace('|2|', '|3|'))
    // orders refer to customers that the dump lacks: nothing changes
    await root('some', `alter table customers disable trigger loud; insert into orders (customer) values (51)`)
    const failed = await p.op('database.load', { ...load, keep: 'before-two.sql.gz' }, { id: 9102 })
    expect([failed.status, failed.reason]).toEqual(['failed', expect.stringMatching(/foreign key|violates/)])
    expect(await content()).toBe(spoiled.replace('|2|', '|3|').replace(/O$/, 'D'))
    const partly = await p.op('database.load', { ...load, tables: ['nothing'] }, { id: 9103 })
    expect(partly.reason).toContain('does not have the table nothing')
    expect(await root('postgres', `select count(*) from pg_database where datname like 'ik_%'`)).toBe('0')
  })

  restartTests(() => p)
})
