import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labDir, type Practice, practice } from '../../test/practice.ts'
import { tookNoStatement as tookNoneOfMariadb } from '../mariadb/mariadbAsk.ts'
import { tookNoStatement as tookNoneOfPostgresql } from '../postgresql/ask.ts'
import { refuseUnlessChange } from './change.ts'
import { normalised, type Statement } from './slow.ts'

test('statements that differ only in their values count as one', () => {
  expect(normalised("select * from a1 where x = 'it''s' and y in (1, 2,3) -- why\n limit 10;")).toBe(
    'select * from a1 where x = ? and y in (?, …) limit ?',
  )
  expect(normalised("insert into t values (1,'a'),(2,'b')")).toBe('insert into t values (?, …), …')
  expect(normalised('select $1 from t2 where c=-1.5e3')).toBe('select ? from t2 where c=?')
})

test('a server that took no statement is told from one that lost its connection later', () => {
  const lost =
    "ERROR 2013 (HY000): Lost connection to server at 'handshake: reading initial communication packet', system error: 104"
  const noSocket = "ERROR 2002 (HY000): Can't connect to local server through socket '/run/mysqld/mysqld.sock' (111)"
  for (const text of [lost, noSocket]) expect(tookNoneOfMariadb(new Error(text)), text).toBe(true)
  expect(tookNoneOfMariadb(new Error('ERROR 2013 (HY000) at line 1: Lost connection to server during query'))).toBe(
    false,
  )
  const toSocket = 'psql: error: connection to server on socket "/var/run/postgresql/.s.PGSQL.5432" failed: '
  for (const text of [
    `${toSocket}No such file or directory\n\tIs the server running locally and accepting connections on that socket?`,
    `${toSocket}FATAL:  the database system is starting up`,
    `${toSocket}server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally`,
  ])
    expect(tookNoneOfPostgresql(new Error(text)), text).toBe(true)
  for (const text of [`${toSocket}FATAL:  role "x" does not exist`, 'server closed the connection unexpectedly'])
    expect(tookNoneOfPostgresql(new Error(text)), text).toBe(false)
})

test('definitions, sessions and transactions are refused before they reach the engine', () => {
  for (const sql of ['drop table a', '/* x */ TRUNCATE a', 'alter table a add b int'])
    expect(() => refuseUnlessChange(sql), sql).toThrow('no way back')
  for (const sql of ['commit', 'set autocommit=1', 'call x()', '', 'select 1', 'lock tables a write'])
    expect(() => refuseUnlessChange(sql), sql).toThrow('Only INSERT')
  expect(() => refuseUnlessChange('delete from a returning id')).toThrow('RETURNING')
  for (const sql of [
    "/*! load data local infile '/etc/shadow' */ replace into table a",
    '/*M!100100 x */ delete from a',
  ])
    expect(() => refuseUnlessChange(sql), sql).toThrow('executes')
  expect(() => refuseUnlessChange("-- note\nupdate a set b = 'returning /*! kept */'")).not.toThrow()
})

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'statements' : `statements (${verdict.reason})`, () => {
  let p: Practice<Host>
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 'statements', 'databases')
    await p.done('packages.ensure', { packages: ['mariadb-server', 'postgresql'] })
    await p.done('mariadb.ensure', { listen: 'loopback' })
    await p.done('postgresql.ensure', { listen: 'loopback' })
    await p.done('postgresql-access.ensure', {})
    await p.done('database.ensure', { name: 'shop', charset: 'utf8mb4', collation: 'utf8mb4_unicode_ci' })
    await p.done('database.ensure', { engine: 'postgresql', name: 'pgshop', charset: 'UTF8', collation: 'C.UTF-8' })
    await p.sh(
      ...['mariadb', 'shop', '-e'],
      "create table t (id int primary key auto_increment, v varchar(20)); insert into t (v) select 'a' from seq_1_to_20; create table old (id int) engine=MyISAM; insert into old values (1)",
    )
    await p.done('database-user.ensure', {
      ...{ engine: 'postgresql', user: 'pgshop', password: 'Correct-Horse_battery9', locked: false },
      grants: [{ database: 'pgshop', privileges: 'all' }],
    })
    await root(
      "create table t (id serial primary key, v text); insert into t (v) select 'a' from generate_series(1, 20)",
      'pgshop',
    )
    const owner = (
      await root("select pg_get_userbyid(datdba) from pg_database where datname = 'pgshop'", 'pgshop')
    ).trim()
    await root(`alter table t owner to ${owner}`, 'pgshop')
  })
  afterAll(() => p?.end())

  const root = async (sql: string, database: string) => {
    const ran = await p.host.exec(
      ['sh', '-c', `cd / && runuser -u postgres -- psql -X -qAt -v ON_ERROR_STOP=1 -d ${database}`],
      { input: sql },
    )
    if (ran.code !== 0) throw new Error(ran.stderr)
    return ran.stdout
  }
  const valuesOf = {
    mariadb: () =>
      p.sh(
        'mariadb',
        '-BNe',
        "select group_concat(concat(v, ':', n) order by v) from (select v, count(*) n from shop.t group by v) x",
      ),
    postgresql: () =>
      root(
        "select string_agg(v || ':' || n, ',' order by v) from (select v, count(*) n from t group by v) x",
        'pgshop',
      ),
  }

  test('mariadb: a statement that lifts its own time limit ends with the console', async () => {
    const sql = "set max_statement_time = 0; select benchmark(1e12, sha2('x', 512))"
    const ran = await p.op('database.query', { engine: 'mariadb', name: 'shop', sql, rows: 10, seconds: 1 })
    expect(ran.status).toBe('failed')
    const running = "select count(*) from information_schema.processlist where user like 'ik\\\\_console%'"
    await expect.poll(() => p.sh('mariadb', '-BNe', running)).toBe('0\n')
  })

  test('postgresql: runs no function of a customer as the superuser, and obeys no setting of the database', async () => {
    const owner = "select pg_get_userbyid(datdba) from pg_database where datname = 'pgshop'"
    const asOwner = async (sql: string) => root(`set role ${(await root(owner, 'pgshop')).trim()}; ${sql}`, 'pgshop')
    const caught = 'language plpgsql as $f$ begin insert into public.caught values (current_user);'
    await asOwner(`create table public.caught (who text);
      create function public.format(text, name) returns text ${caught} return pg_catalog.format($1, $2); end $f$;
      create function public.json_build_object(text, text, text, bigint) returns json ${caught} return '{}'; end $f$;
      create function public.as_text(public.t) returns text ${caught} return 'x'; end $f$;
      create cast (public.t as text) with function public.as_text(public.t);
      alter database pgshop set default_transaction_read_only = on; alter database pgshop set statement_timeout = 1;`)
    const of = { engine: 'postgresql' as const, name: 'pgshop' }
    await p.done('database.ensure', { ...of, charset: 'UTF8', collation: 'C.UTF-8' })
    await p.done('database.inspect', { ...of, deep: true })
    await root('alter database pgshop reset all', 'postgres')
    expect(await root('select count(*) from caught', 'pgshop')).toBe('0\n')
    await asOwner(`drop cast (public.t as text); drop function public.as_text, public.json_build_object, public.format;
      drop table public.caught;`)
  })

  test('postgresql: a customer’s triggers, functions and search path tell no other number of rows', async () => {
    const of = { engine: 'postgresql' as const, name: 'pgshop', seconds: 3 }
    const owner = (
      await root("select pg_get_userbyid(datdba) from pg_database where datname = 'pgshop'", 'pgshop')
    ).trim()
    await root(
      `set role ${owner}; create table lied (n int); insert into lied select generate_series(1, 3);
      create function lie() returns trigger language plpgsql as $f$ begin raise warning 'ik_rows=77'; return new; end $f$;
      create trigger lie before update on lied for each row execute function lie();
      create function public.set_config(text, text, boolean) returns text language sql as $f$ select '88' $f$;
      create function public.current_setting(text) returns text language sql as $f$ select '99' $f$;
      create function public.never(bigint, int) returns boolean language sql as $f$ select false $f$;
      create operator public.<> (leftarg = bigint, rightarg = int, function = public.never);
      alter database pgshop set search_path = public, pg_catalog;`,
      'pgshop',
    )
    const write = async (sql: string, expected?: number) =>
      (await p.op('database.write', { ...of, sql, ...(expected !== undefined && { expected }) })).output
    const sql = 'update lied set n = n + 10'
    expect(await write(sql)).toMatchObject({ rows: 3, committed: false })
    expect(await write(sql, 2)).toMatchObject({ rows: 3, committed: false })
    expect(await root('select sum(n) from lied', 'pgshop')).toBe('6\n')
    expect(await write(sql, 3)).toMatchObject({ rows: 3, committed: true })
    await root('alter database pgshop reset all', 'postgres')
    expect(await root('select sum(n) from lied', 'pgshop')).toBe('36\n')
    await root(
      `drop table lied; drop function lie, public.set_config, public.current_setting; drop function public.never cascade;`,
      'pgshop',
    )
  })

  for (const engine of ['mariadb', 'postgresql'] as const) {
    const of = { engine, name: engine === 'mariadb' ? 'shop' : 'pgshop', seconds: 3 }
    const write = (sql: string, expected?: number) =>
      p.op('database.write', { ...of, sql, ...(expected !== undefined && { expected }) })

    test(`${engine}: counts the rows of a change without changing them, and changes rows only with the same count`, async () => {
      const sql = "update t set v = 'it''s \\\\ ; new' where id <= 5"
      expect((await write(sql)).output).toMatchObject({ rows: 5, committed: false })
      expect(await valuesOf[engine]()).toBe('a:20\n')
      expect((await write(sql, 4)).output).toMatchObject({ rows: 5, committed: false })
      expect(await valuesOf[engine]()).toBe('a:20\n')
      expect((await write(sql, 5)).output).toMatchObject({ rows: 5, committed: true })
      expect(await valuesOf[engine]()).toContain('a:15,it')
      expect((await write('delete from t where id > 100', 0)).output).toMatchObject({ rows: 0, committed: true })
    })

    test(`${engine}: refuses changes that cannot be rolled back, several statements, and slow statements`, async () => {
      for (const sql of ['drop table t', 'commit', 'delete from t where id = 1; commit', 'delete from nothing_there'])
        expect((await write(sql, 1)).status, sql).toBe('failed')
      const slow = engine === 'mariadb' ? 'update t set v = sleep(1)' : 'update t set v = pg_sleep(9)::text'
      expect((await write(slow)).status).toBe('failed')
      expect(await valuesOf[engine]()).toContain('a:15,it')
      if (engine === 'mariadb') expect((await write('delete from old', 1)).reason).toContain('denied')
    })

    test(`${engine}: slow statements are summed up without their values, with what was read`, async () => {
      for (const [id, seconds] of [
        [1, 1.1],
        [2, 1.3],
      ])
        await (engine === 'mariadb'
          ? p.sh('mariadb', 'shop', '-e', `select id, sleep(${seconds}) from t where id = ${id}`)
          : root(`select id, pg_sleep(${seconds}) from t where id = ${id}`, 'pgshop'))
      const { output } = await p.done('database.slow', of)
      const { seconds, statements } = output as { seconds: number; statements: Statement[] }
      expect(seconds).toBe(1)
      const one = statements.find(({ sql }) => /sleep\(\?\) from t where id = \?/.test(sql))
      expect(one).toMatchObject({ count: 2, worstMs: expect.any(Number), sent: 2 })
      expect(one?.worstMs).toBeGreaterThanOrEqual(1300)
      expect(one?.totalMs).toBeGreaterThanOrEqual(2400)
      expect(one?.examined).toBeGreaterThan(0)
      expect(Date.now() - Date.parse(one?.lastAt ?? '')).toBeLessThan(60_000)
    })
  }
})
