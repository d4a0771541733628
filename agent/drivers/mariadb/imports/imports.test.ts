import { writeFileSync } from 'node:fs'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import type { DumpLook } from '@innkeeper/contract/hosting/databases/dumps'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { labDir, type Practice, practice } from '../../../test/practice.ts'

const shape = { charset: 'utf8mb4', collation: 'utf8mb4_unicode_ci' } as const
const limits = { cpuPercent: 100, memoryMb: 512, tasks: 200 }
const mostBytes = 8 * 1024 ** 3
/** A dump in the format of MySQL 8, with statements that a dump from elsewhere may contain. */
const foreign = `/*!999999\\- enable the sandbox mode */ 
-- MySQL dump 10.13  Distrib 8.0.36
/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!50503 SET NAMES utf8mb4 */;
SET @MYSQLDUMP_TEMP_LOG_BIN = @@SESSION.SQL_LOG_BIN;
SET @@SESSION.SQL_LOG_BIN= 0;
SET @@GLOBAL.GTID_PURGED=/*!80000 '+'*/ '3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5';
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
CREATE DATABASE /*!32312 IF NOT EXISTS*/ \`old_shop\` /*!40100 DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci */ /*!80016 DEFAULT ENCRYPTION='N' */;
USE \`old_shop\`;
DROP TABLE IF EXISTS \`posts\`;
CREATE TABLE \`posts\` (
  \`id\` int NOT NULL AUTO_INCREMENT,
  \`title\` varchar(200) COLLATE utf8mb4_0900_ai_ci DEFAULT NULL COMMENT 'a; b -- c',
  PRIMARY KEY (\`id\`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;
LOCK TABLES \`posts\` WRITE;
INSERT INTO \`posts\` VALUES (1,'GRANT ALL; DROP DATABASE x; load_file'),(2,'it''s \\'quoted\\' \\\\'),(3,'blåbær 食 🫐 /* no comment');
UNLOCK TABLES;
/*!50003 SET sql_mode = 'STRICT_TRANS_TABLES,TIME_TRUNCATE_FRACTIONAL,NO_ZERO_DATE' */ ;
/*!50003 SET collation_connection  = utf8mb4_0900_ai_ci */ ;
DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=\`root\`@\`%\`*/ /*!50003 TRIGGER \`noted\` BEFORE INSERT ON \`posts\` FOR EACH ROW BEGIN SET NEW.title = concat(NEW.title, '!'); END */;;
CREATE DEFINER=\`root\`@\`%\` PROCEDURE \`counted\`()
BEGIN
  select count(*) from posts; -- a comment; here
END ;;
DELIMITER ;
/*!50001 CREATE ALGORITHM=UNDEFINED */
/*!50013 DEFINER=\`boss\`@\`10.0.0.1\` SQL SECURITY DEFINER */
/*!50001 VIEW \`latest\` AS select \`posts\`.\`id\` AS \`id\` from \`posts\` */;
GRANT ALL ON *.* TO 'evil'@'%' IDENTIFIED BY 'secret-word';
FLUSH PRIVILEGES;
-- Dump completed on 2026-01-01
`

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'imports' : `imports (${verdict.reason})`, () => {
  let p: Practice<Host>
  let last = 0
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 'imports', 'databases')
    await p.done('packages.ensure', { packages: ['mariadb-server'] })
    await p.done('mariadb.ensure', { listen: 'loopback' })
    await p.done('system-user.ensure', { username: 'shop', limits })
    await p.done('database.ensure', { name: 'shop', ...shape })
    await p.done('database.ensure', { name: 'other', ...shape })
    await p.done('database-user.ensure', {
      user: 'shop',
      password: 'Correct-Horse_battery9',
      grants: [{ database: 'shop', privileges: 'all' }],
      locked: false,
    })
    await root('create table other.precious (id int primary key); insert into other.precious values (1);')
  })
  beforeEach(() => fill())
  afterAll(() => p?.end())

  const root = async (sql: string) => {
    const ran = await p.host.exec(['mariadb', '--default-character-set=utf8mb4', '-BNr'], { input: sql })
    if (ran.code !== 0) throw new Error(ran.stderr)
    return ran.stdout.trim()
  }
  const fill = () =>
    root(`drop database shop; create database shop collate utf8mb4_unicode_ci; use shop; create table old (id int primary key, w text); insert into old values (1, 'former');
      create trigger t before insert on old for each row set new.w = 'by trigger';`)
  /** Puts a file into the home folder and brings it to the spool folder. */
  async function brought(content: string | Buffer) {
    const file = `import-${++last}.dump`
    writeFileSync(`${p.host.root}/home/shop/dump.sql`, content)
    await p.sh('chown', 'shop:', '/home/shop/dump.sql')
    await p.done('dump.fetch', { file, home: { username: 'shop', path: 'dump.sql' } })
    return file
  }
  const look = async (file: string) => (await p.done('dump.look', { file, mostBytes })).output as DumpLook
  const names = () => ({ aside: `ik_import_${last}`, before: `ik_before_${last}` })
  const load = (file: string, sha256: string, asked = {}) =>
    p.op(
      'database-import.load',
      { aside: names().aside, ...shape, foreign: { file, sha256, mostBytes, definer: 'shop' } },
      asked,
    )
  const short = ({ findings }: DumpLook) => findings.map(({ effect, topic, what }) => `${effect}: ${topic}: ${what}`)

  test('lists what is left out of a foreign dump, imports the rest, and restores the former contents', async () => {
    const file = await brought(foreign)
    const seen = await look(file)
    expect(short(seen)).toEqual([
      'left out: server settings: SET @@SESSION.SQL_LOG_BIN= 0;',
      expect.stringMatching(/^left out: server settings: SET @@GLOBAL.GTID_PURGED/),
      'noted: sql mode: NO_AUTO_VALUE_ON_ZERO',
      expect.stringMatching(/^left out: database: CREATE DATABASE/),
      'left out: database: USE `old_shop`;',
      'rewritten: collation: utf8mb4_0900_ai_ci becomes utf8mb4_unicode_520_ci',
      'noted: sql mode: STRICT_TRANS_TABLES,TIME_TRUNCATE_FRACTIONAL,NO_ZERO_DATE',
      'rewritten: sql mode: without TIME_TRUNCATE_FRACTIONAL',
      'rewritten: definer: root@%',
      'rewritten: definer: boss@10.0.0.1',
      "left out: accounts: GRANT ALL ON *.* TO 'evil'@'%' ...",
      'left out: accounts: FLUSH PRIVILEGES;',
    ])
    expect(seen).toMatchObject({ compression: 'none', tables: 1 })
    const loaded = await load(file, seen.sha256, { id: 7001 })
    expect(loaded).toMatchObject({ status: 'done', output: { tables: 1, rows: 3 } })
    // a repeat after a lost answer
    expect((await load(file, seen.sha256, { id: 7001, inspect: true })).output).toEqual(loaded.output)
    expect(await root('select w from shop.old')).toBe('former')
    const { aside, before } = names()
    await p.done('database-import.swap', { name: 'shop', aside, before }, { id: 7002 })
    const definers = `select definer from information_schema.triggers where trigger_schema = 'shop'
      union select definer from information_schema.views where table_schema = 'shop'
      union select definer from information_schema.routines where routine_schema = 'shop'`
    expect(await root(definers)).toBe('shop@localhost')
    const login = ['mariadb', '--user=shop', '--password=Correct-Horse_battery9', '-N', 'shop']
    expect(
      await p.sh(
        ...login,
        '-e',
        "insert into posts (title) values ('x'); select title from posts where id = 4; call counted(); select count(*) from latest",
      ),
    ).toBe('x!\n4\n4\n')
    expect(await root('select title from shop.posts where id < 4 order by id')).toBe(
      "GRANT ALL; DROP DATABASE x; load_file\nit's 'quoted' \\\nblåbær 食 🫐 /* no comment",
    )
    expect(await root("select count(*) from mysql.global_priv where user in ('evil') or user like 'ik%'")).toBe('0')
    await p.done('database.remove', { name: before }, { id: 7003 })
    expect(await root(`show databases like 'ik%'`)).toBe('')
    // undo everything, as a rollback does
    await p.done('database.remove', { name: before }, { id: 7003, task: 'undo' })
    await p.done('database-import.swap', { name: 'shop', aside, before }, { id: 7002, task: 'undo' })
    await load(file, seen.sha256, { id: 7001, task: 'undo' })
    expect(
      await root("select w from shop.old; insert into shop.old values (2, ''); select w from shop.old where id = 2"),
    ).toBe('former\nby trigger')
    expect(await root(`show databases like 'ik%'`)).toBe('')
    // what visitors wrote meanwhile is in the trash
    expect(await p.sh('sh', '-c', 'zcat /var/lib/innkeeper/trash/*-7001-ik_import_*.sql.gz | grep -c "x!"')).toBe('1\n')
  })

  test('tries a dump in a scratch database, which is gone afterwards in every case', async () => {
    const trial = async (sql: string, more: object = {}) => {
      const file = await brought(sql)
      const asked = { file, mostBytes, scratch: { aside: `ik_try_${last}`, ...shape } }
      const { output } = await p.done('dump.look', asked, { id: 7300 + last, ...more })
      return output as DumpLook
    }
    const good = 'create table a (id int primary key);\ninsert into a values (1);\n'
    expect(await trial(good)).toMatchObject({ tried: true, findings: [] })
    expect(await trial(`${good}insert into a values (1);\n`)).toMatchObject({
      tried: true,
      findings: [{ effect: 'refused', topic: 'statement', line: 3, what: expect.stringContaining('1062') }],
    })
    // the repeat of an action and its undo drop what an agent left behind when it died
    await root(`create database ik_try_${last + 1}; create table ik_try_${last + 1}.a (x int);
      create user ik_import_${7300 + last + 1}@localhost; create database ik_try_${last + 2};`)
    expect(await trial(good)).toMatchObject({ tried: true, findings: [] })
    await trial(good, { task: 'undo' })
    expect(await root(`show databases like 'ik%'`)).toBe('')
    expect(await root("select count(*) from mysql.global_priv where user like 'ik%'")).toBe('0')
  })

  test('waits for a MariaDB that the kernel has killed, and not for a stopped one', async () => {
    try {
      await p.host.exec(['systemctl', 'kill', '--signal=KILL', 'mariadb'])
      await p.done('database.ensure', { name: 'late', ...shape })
      await p.sh('systemctl', 'stop', 'mariadb')
      expect((await p.op('database.ensure', { name: 'never', ...shape })).reason).toContain('ERROR 2002')
    } finally {
      await p.sh('systemctl', 'start', 'mariadb')
    }
  })

  test('puts former contents back from the trash into a new import', async () => {
    const file = await brought('create table fresh (id int);')
    const { aside, before } = names()
    expect((await load(file, (await look(file)).sha256)).status).toBe('done')
    await p.done('database-import.swap', { name: 'shop', aside, before })
    await p.done('database.remove', { name: before }, { id: 7103 })
    last++
    const own = { taken: [7103], was: before }
    await p.done('database-import.load', { aside: names().aside, ...shape, former: own })
    await p.done('database-import.swap', { name: 'shop', ...names() })
    expect(await root('select w from shop.old where id = 1; show tables from shop')).toBe('former\nold')
    await p.done('database.remove', { name: names().before })
  })

  test('lets no dump reach beyond its database, even with statements that the reader missed', async () => {
    // left out, and listed before
    const harmless = [
      'create table a (id int); drop database other;',
      "/*!50000 create user 'evil'@'%' identified by 'x' */;",
    ]
    const hostile = [
      ...harmless,
      "prepare s from 'drop table other.precious'; execute s;",
      "set @x = 'grant all on *.* to evil'; prepare s from @x; execute s;",
      'create table a (id int); insert into other.precious values (2);',
      "select 'x' into /* hidden */ outfile '/tmp/out';",
      "create table a (t text); insert into a values (load_file('/etc/passwd'));",
      "load data local infile '/etc/passwd' into table a;",
      'select 1; \\! touch /tmp/pwned\n',
      'select 1 \\! touch /tmp/pwned\n;',
      'system touch /tmp/pwned\n',
      'source /root/drop-other.sql\n',
      'SOURCE /root/drop-other.sql;\n',
      '\\. /root/drop-other.sql\n',
      'select 1;\n  \\. /root/drop-other.sql\n',
      '/*!50000 select 1 */; source /root/drop-other.sql\n',
      'delimiter ;\nsource /root/drop-other.sql\n',
      'tee /tmp/pwned\nselect 1;\n',
      'pager tee /tmp/pwned\nselect 1;\n',
      'create view v as select * from other.precious;',
      'create definer=root@localhost /* x */ procedure p() drop database other; call p();',
      'set global max_connections = 1; create table x (i int); rename table x to other.x;',
      'do sleep(0); kill 1;',
      'delimiter //\nuse other//\ndrop table precious//\n',
    ]
    await p.sh(
      'sh',
      '-c',
      'echo "drop database other;" > /root/drop-other.sql; chmod 644 /root/drop-other.sql; chmod 755 /root',
    )
    for (const sql of hostile) {
      const file = await brought(sql)
      const seen = await look(file)
      const ran = await load(file, seen.sha256, { id: 7200 + last })
      expect([sql, ran.status]).toEqual([sql, harmless.includes(sql) ? 'done' : 'failed'])
      await load(file, seen.sha256, { id: 7200 + last, task: 'undo' })
    }
    expect(
      await root('select count(*) from other.precious; select w from shop.old where id = 1; show tables from other'),
    ).toBe('1\nformer\nprecious')
    expect(
      await root(
        "select count(*) from mysql.global_priv where user in ('evil') or user like 'ik%'; show databases like 'ik%'",
      ),
    ).toBe('0')
    expect((await p.host.exec(['sh', '-c', 'ls /tmp/pwned /tmp/out'])).stdout).toBe('')
  })

  test('accepts gzip and zstd, and refuses truncated files, decompression bombs and files that are no dump', async () => {
    for (const packed of [gzipSync(foreign), zstdCompressSync(foreign)]) {
      const file = await brought(packed)
      const seen = await look(file)
      expect((await load(file, seen.sha256, { id: 7300 + last })).status).toBe('done')
      await load(file, seen.sha256, { id: 7300 + last, task: 'undo' })
      const cut = await p.op('dump.look', { file: await brought(packed.subarray(0, packed.length - 40)), mostBytes })
      expect(cut).toMatchObject({ status: 'failed', reason: expect.stringContaining('truncated') })
    }
    const half = await look(await brought(foreign.slice(0, foreign.length - 60)))
    expect(short(half).at(-1)).toBe('refused: incomplete: The dump breaks off before its end')
    const bomb = zstdCompressSync(Buffer.alloc(800 * 1024 * 1024, ' '))
    const seen = await p.op('dump.look', { file: await brought(bomb), mostBytes })
    expect(seen).toMatchObject({ status: 'failed', reason: expect.stringContaining('bomb') })
    const small = await p.op('dump.look', { file: await brought(gzipSync(foreign.repeat(100))), mostBytes: 10_000 })
    expect(small).toMatchObject({ status: 'failed', reason: expect.stringContaining('room') })
    for (const [bytes, words] of [
      [Buffer.from('PK\x03\x04rest'), 'ZIP'],
      [Buffer.from('PGDMP'), 'PostgreSQL'],
      [Buffer.from('\xff\xfec\0r\0', 'latin1'), 'UTF-16'],
      [Buffer.alloc(0), 'empty'],
    ] as const)
      expect(await p.op('dump.look', { file: await brought(bytes), mostBytes })).toMatchObject({
        status: 'failed',
        reason: expect.stringContaining(words),
      })
    // schema and data in two dumps that people joined with cat
    const data = `/*M!999999\\- enable the sandbox mode */ \n-- MariaDB dump 10.19\nINSERT INTO posts VALUES (4,'d');\n-- Dump completed\n`
    const joined = await brought(foreign + data)
    const both = await look(joined)
    expect(short(both).filter((one) => one.startsWith('refused'))).toEqual([])
    expect(await load(joined, both.sha256, { id: 7400 })).toMatchObject({ status: 'done', output: { rows: 4 } })
    await load(joined, both.sha256, { id: 7400, task: 'undo' })
    const cutJoined = await look(await brought(foreign + data.slice(0, -20)))
    expect(short(cutJoined).at(-1)).toBe('refused: incomplete: The dump breaks off before its end')
    const two = await look(await brought('use a; create table t (i int); use b; create table t (i int);'))
    expect(short(two).at(-1)).toContain('2 databases: a, b')
  })

  test('reads a file of the home folder as its account', async () => {
    await p.sh('sh', '-c', 'ln -sfn /etc/shadow /home/shop/link.sql; mkfifo -m 666 /home/shop/pipe.sql')
    for (const path of ['link.sql', 'pipe.sql', 'absent.sql'])
      expect(await p.op('dump.fetch', { file: 'import-900.dump', home: { username: 'shop', path } })).toMatchObject({
        status: 'failed',
        reason: expect.stringContaining('may not read'),
      })
    expect(
      (await p.anyOp('dump.fetch', { file: 'import-900.dump', home: { username: 'shop', path: '../x' } })).status,
    ).toBe('failed')
  })

  test('loads a dump that an action has written into an empty database, and empties it again', async () => {
    const file = await brought(foreign)
    const { sha256 } = await look(file)
    const whole = { aside: 'arrived', ...shape, fresh: true } as const
    const ask = (foreign: object, id: number, more = {}) =>
      p.op(
        'database-import.load',
        { ...whole, foreign: { file, mostBytes, definer: 'shop', ...foreign } },
        { id, ...more },
      )
    const written = [
      { file: 'import-1.dump', sha256: 'b'.repeat(64) },
      { file, sha256 },
    ]
    expect((await ask({ written }, 7501)).reason).toContain('there is no database arrived')
    await p.done('database.ensure', { name: 'arrived', ...shape, fresh: true }, { id: 7500 })
    expect((await ask({ written: written.slice(0, 1) }, 7501)).reason).toContain('neither looked at nor written')
    const wrong = [{ file, sha256: 'a'.repeat(64) }]
    expect((await ask({ written: wrong }, 7501)).reason).toContain('is not the dump that was looked at')
    // the next attempt begins anew
    expect(await ask({ written }, 7501, { attempt: 2 })).toMatchObject({
      status: 'done',
      output: {
        ...{ tables: 1, rows: 3 },
        findings: expect.arrayContaining([
          expect.objectContaining({ effect: 'rewritten', topic: 'collation' }),
          expect.objectContaining({ effect: 'left out', topic: 'accounts' }),
        ]),
      },
    })
    expect(await root('select title from arrived.posts where id = 2')).toBe("it's 'quoted' \\")
    expect(await root(`select definer from information_schema.triggers where trigger_schema = 'arrived'`)).toBe(
      'shop@localhost',
    )
    expect((await ask({ written }, 7502)).reason).toContain('arrived is not empty')
    await ask({ written }, 7501, { task: 'undo' })
    expect(await root('show tables from arrived')).toBe('')
    expect(await p.sh('sh', '-c', 'zcat /var/lib/innkeeper/trash/*-7501-arrived.sql.gz | grep -c quoted')).toBe('1\n')
    await p.done('database.ensure', { name: 'arrived', ...shape, fresh: true }, { id: 7500, task: 'undo' })
    expect(await root("show databases like 'arrived'")).toBe('')
  })

  test('names the line within a transaction of many statements, and leaves nothing of a load that fails', async () => {
    const rows = Array.from({ length: 40 }, (_, n) => `insert into big values (${n}, repeat('x', 60));`)
    const file =
      await brought(`set unique_checks = 0, foreign_key_checks = 0;\ncreate table big (id int primary key, w text);
${rows.join('\n')}\ninsert into big values (7, '');\ninsert into big values (100, '');\n`)
    const { sha256 } = await look(file)
    expect((await load(file, sha256, { id: 7601 })).reason).toContain("Line 43 of the dump: Duplicate entry '7'")
    await load(file, sha256, { id: 7601, task: 'undo' })
    expect(await root(`show databases like 'ik%'`)).toBe('')
  })

  test('survives a kill at any point of load and swap', async () => {
    const rows = Array.from({ length: 6000 }, (_, n) => `insert into big values (${n}, '${'x'.repeat(60)}');`)
    const file = await brought(`create table big (id int primary key, w text);\n${rows.join('\n')}\n`)
    const { sha256 } = await look(file)
    const { aside, before } = names()
    const foreign = { file, sha256, mostBytes, definer: 'shop' }
    await p.killAfter(1500, 'database-import.load', { aside, ...shape, foreign }, 7401)
    expect((await load(file, sha256, { id: 7401, inspect: true })).output).toEqual({ tables: 1, rows: 6000 })
    for (const ms of [50, 120, 200, 300]) {
      await p.killAfter(ms, 'database-import.swap', { name: 'shop', aside, before }, 7402)
      await p.done('database-import.swap', { name: 'shop', aside, before }, { id: 7402, inspect: true })
      expect(await root('select count(*) from shop.big')).toBe('6000')
      await p.done('database-import.swap', { name: 'shop', aside, before }, { id: 7402, task: 'undo' })
      expect(await root('select w from shop.old where id = 1')).toBe('former')
      await p.killAfter(ms, 'database-import.swap', { name: 'shop', aside, before }, 7402)
      await p.done('database-import.swap', { name: 'shop', aside, before }, { id: 7402, task: 'undo' })
      expect(await root('select w from shop.old where id = 1; show tables from shop')).toBe('former\nold')
    }
    await load(file, sha256, { id: 7401, task: 'undo' })
    expect(await root(`show databases like 'ik%'`)).toBe('')
  })
})
