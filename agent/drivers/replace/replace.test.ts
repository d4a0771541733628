import { writeFileSync } from 'node:fs'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labDir, type Practice, practice } from '../../test/practice.ts'

const from = 'http://old.example'
const to = 'https://the-new-shop.example'
const text = { from, to, how: 'text' } as const

/** Values as WordPress stores them, made by PHP itself on the host. */
const values = `<?php
$widgets = ['title' => 'Blåbær 食 🫐', 'text' => '<a href="http://old.example/é">http://old.example</a>', 2 => true, 'f' => 1.5];
$inner = serialize(['again' => serialize($widgets), 'json' => json_encode(['u' => 'http://old.example/æ'])]);
$values = [
  'siteurl' => 'http://old.example', 'home' => 'http://old.example',
  'widget_text' => serialize($widgets), 'theme_mods' => serialize(['nested' => $inner]),
  'elementor' => json_encode(['url' => 'http://old.example/a', 'again' => json_encode(['url' => 'http://old.example/é'])]),
  'object' => serialize((object) ['url' => 'http://old.example', 'list' => new ArrayObject(['http://old.example'])]),
  'broken' => 's:99:"http://old.example";', 'other' => serialize(['http://elsewhere.example']), 'plain' => 'x',
];
foreach ($values as $name => $value) echo $name, "\\t", bin2hex($value), "\\n";`
/** Reads serialized values back and shows each text in them. */
const reading = `<?php
function texts($value) {
  if (is_object($value)) return texts($value instanceof ArrayObject ? $value->getArrayCopy() : get_object_vars($value));
  if (is_array($value)) return array_merge([], ...array_map('texts', array_values($value)));
  if (!is_string($value)) return [];
  $inner = @unserialize($value);
  if ($inner !== false) return texts($inner);
  $inner = json_decode($value, true);
  return is_array($inner) ? texts($inner) : [$value];
}
while ($line = fgets(STDIN)) { [$name, $hex] = explode("\\t", trim($line)); echo $name, ' ', json_encode(texts(hex2bin($hex)), JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE), "\\n"; }`

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'replacing in databases' : `replacing (${verdict.reason})`, () => {
  let p: Practice<Host>
  let made: [string, string][]
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 'replace', 'databases')
    await p.done('packages.ensure', { packages: ['mariadb-server', 'postgresql', 'php8.2-fpm'] })
    await p.done('mariadb.ensure', { listen: 'loopback' })
    await p.done('postgresql.ensure', { listen: 'loopback' })
    await p.done('postgresql-access.ensure', {})
    await p.done('database.ensure', { name: 'wp', charset: 'utf8mb4', collation: 'utf8mb4_unicode_ci' })
    await p.done('database.ensure', { engine: 'postgresql', name: 'pgwp', charset: 'UTF8', collation: 'C.UTF-8' })
    writeFileSync(`${p.host.root}/root/values.php`, values)
    writeFileSync(`${p.host.root}/root/reading.php`, reading)
    made = (await php('values.php', '')).map((line) => line.split('\t') as [string, string])
    const options = made.map(([name, hex]) => `('${name}', x'${hex}')`).join(', ')
    await maria(`
      create table wp_options (option_id bigint unsigned primary key auto_increment, option_name varchar(191) unique,
        option_value longtext, touched timestamp default '2020-01-01 00:00:00' on update current_timestamp);
      insert into wp_options (option_name, option_value) values ${options};
      create table wp_posts (ID bigint unsigned primary key, guid varchar(40), post_content longtext, post_title text);
      insert into wp_posts values (1, '${from}/?p=1', '<img src="${from}/a.jpg"> info@old.example', 'Blåbær 🫐'),
        (2, '${from}/?p=22222222222222', 'x', '');
      create table latin (id varchar(20) primary key, v varchar(60)) character set latin1;
      insert into latin values ('æ', '${from}/blåbær'), ('o''hara', 'x ${from}');
      create table binaries (a int, b int, data longblob, primary key (a, b));
      insert into binaries values (1, 2, '${from}'), (1, 3, concat(x'ff00fe', '${from}'));
      create table urls (url varchar(100) primary key); insert into urls values ('${from}/k');
      create table keyless (v text) engine = MyISAM; insert into keyless values ('${from}'), ('${from}'), ('y');
      create view shown as select * from wp_posts;`)
    const owner = (
      await postgres("select pg_get_userbyid(datdba) from pg_database where datname = 'pgwp'", 'postgres')
    ).trim()
    const rows = made.map(([name, hex]) => `('${name}', convert_from('\\x${hex}', 'UTF8'))`).join(', ')
    await postgres(
      `set role ${owner};
      create table wp_options (id serial primary key, option_name varchar(191), option_value text);
      insert into wp_options (option_name, option_value) values ${rows};
      create table docs (name text primary key, body jsonb, raw json, data bytea);
      insert into docs values ('a''b', '{"z": "${from}", "a": ["${from}/é"]}', '{ "u" : "http:\\/\\/old.example" }', '${from}');
      create table short (id int primary key, v varchar(20)); insert into short values (1, '${from}');
      create function mean() returns trigger language plpgsql as $$ begin if current_user <> '${owner}' then raise exception 'runs as %', current_user; end if; return new; end $$;
      create trigger mean before update on docs for each row execute function mean();`,
      'pgwp',
    )
  })
  afterAll(() => p?.end())

  const php = async (file: string, input: string) => {
    const ran = await p.host.exec(['php8.2', `/root/${file}`], { input })
    if (ran.code !== 0 || ran.stderr) throw new Error(ran.stderr + ran.stdout)
    return ran.stdout.trim().split('\n')
  }
  const maria = async (sql: string) => {
    const ran = await p.host.exec(
      ['mariadb', '--batch', '--skip-column-names', '--default-character-set=utf8mb4', 'wp'],
      {
        input: sql,
      },
    )
    if (ran.code !== 0) throw new Error(ran.stderr)
    return ran.stdout.trim()
  }
  const postgres = async (sql: string, database: string) => {
    const ran = await p.host.exec(
      ['sh', '-c', `cd / && runuser -u postgres -- psql -X -qAt -v ON_ERROR_STOP=1 -d ${database}`],
      { input: sql },
    )
    if (ran.code !== 0) throw new Error(ran.stderr)
    return ran.stdout.trim()
  }
  const engines = {
    mariadb: {
      of: { engine: 'mariadb', name: 'wp' } as const,
      options: () => maria('select option_name, hex(option_value) from wp_options order by option_id'),
      all: () =>
        maria(
          'checksum table wp_options, wp_posts, latin, binaries, urls, keyless extended; select max(touched) from wp_options',
        ),
      change: () => maria("update wp_options set option_value = 'mine' where option_name = 'home'"),
    },
    postgresql: {
      of: { engine: 'postgresql', name: 'pgwp' } as const,
      options: async () =>
        (
          await postgres(
            `select option_name || e'\\t' || encode(convert_to(option_value, 'UTF8'), 'hex') from wp_options order by id`,
            'pgwp',
          )
        ).toLowerCase(),
      all: () =>
        postgres(
          "select md5(string_agg(t::text, e'\\n' order by t::text)) from (select o::text from wp_options o union all select d::text from docs d union all select s::text from short s) t",
          'pgwp',
        ),
      change: () => postgres("update wp_options set option_value = 'mine' where option_name = 'home'", 'pgwp'),
    },
  }

  test.for([
    'mariadb',
    'postgresql',
  ] as const)('%s: a search counts, a run replaces texts and keeps serialized values readable, undo restores the former values', async (engine) => {
    const { of, options, all, change } = engines[engine]
    const before = await all()
    const texts = await php('reading.php', await options())
    const search = (await p.done('database.search', { ...of, ...text, seconds: 20 })).output as {
      values: number
      columns: { table: string; column: string; values: number; count: number; samples: { after: string }[] }[]
      left: { table: string; column: string; why: string; values: number }[]
      unsearched: string[]
    }
    expect(await all()).toBe(before)
    expect(search.unsearched).toEqual([])
    expect(search.columns.find(({ column }) => column === 'option_value')).toMatchObject({ values: 6, count: 11 })
    expect(search.columns[0]?.samples[0]?.after).toContain(to)
    expect(search.left).toContainEqual({ table: 'wp_options', column: 'option_value', why: 'unreadable', values: 1 })
    expect(search.left.map(({ table, why }) => `${table} ${why}`)).toEqual(
      expect.arrayContaining(
        engine === 'mariadb' ? ['binaries binary', 'urls key', 'wp_posts too long'] : ['short too long'],
      ),
    )
    const keep = `replaced-${engine}.log.gz`
    for (const ms of [120, 250]) await p.killAfter(ms, 'database.replace', { ...of, ...text, keep }, 8100)
    const done = await p.done('database.replace', { ...of, ...text, keep }, { id: 8100 })
    expect(done.output).toMatchObject({ values: search.values, changed: search.values })
    const now = await php('reading.php', await options())
    expect(now.filter((line) => !line.startsWith('broken'))).toEqual(
      texts.filter((line) => !line.startsWith('broken')).map((line) => line.replaceAll(from, to)),
    )
    expect(now.find((line) => line.startsWith('theme_mods'))).toContain(`${to}/é`)
    // a repeat, as after a lost answer, replaces nothing twice
    await p.done('database.replace', { ...of, ...text, keep }, { id: 8100 })
    expect(await php('reading.php', await options())).toEqual(now)

    await p.done('database.put-back', { ...of, file: keep, values: search.values }, { id: 8200 })
    expect(await all()).toBe(before)
    await p.done('database.put-back', { ...of, file: keep, values: search.values }, { id: 8200, task: 'undo' })
    expect(await php('reading.php', await options())).toEqual(now)
    await change()
    await p.done('database.replace', { ...of, ...text, keep }, { id: 8100, task: 'undo' })
    expect((await php('reading.php', await options())).filter((line) => !line.startsWith('home'))).toEqual(
      texts.filter((line) => !line.startsWith('home')),
    )
    expect(await php('reading.php', await options())).toContain('home ["mine"]')
    expect(await p.sh('ls', '/var/lib/innkeeper/spool')).not.toContain(keep)
  })

  test('a replacement that fails for one value changes nothing; only chosen tables are searched', async () => {
    const before = await engines.mariadb.all()
    const wish = { name: 'wp', from: 'http://old.example/bl', to: 'http://食.example/bl', how: 'text' as const }
    const refused = await p.op('database.replace', { ...wish, keep: 'refused.log.gz' }, { id: 8300 })
    expect([refused.status, refused.reason]).toEqual(['failed', expect.stringContaining('Incorrect string value')])
    await p.done('database.replace', { ...wish, keep: 'refused.log.gz' }, { id: 8300, task: 'undo' })
    expect(await engines.mariadb.all()).toBe(before)
    const some = await p.done('database.search', { name: 'wp', ...text, tables: ['wp_posts'], seconds: 5 })
    expect(some.output).toMatchObject({ tables: 1, values: 2 })
    expect((await p.op('database.search', { name: 'wp', ...text, tables: ['gone'], seconds: 5 })).reason).toContain(
      'gone',
    )
    const domain = { from: 'old.example', to: 'new.example', how: 'domain' as const, seconds: 5 }
    const found = await p.done('database.search', { name: 'wp', ...domain, tables: ['wp_posts'] })
    expect(JSON.stringify(found.output)).toContain('info@old.example')
    expect(JSON.stringify(found.output)).not.toContain('info@new.example')
  })
})
