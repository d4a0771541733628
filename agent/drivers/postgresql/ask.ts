import { readdirSync } from 'node:fs'
import { must, onceThere, read } from '../../kit/host.ts'
import { accountOf } from '../accounts/systemAccounts.ts'

/** Role whose members connect by password; pg_hba.conf names it. */
export const ACCOUNTS = 'innkeeper_accounts'
/** Clusters of Debian. */
export const DATABASES = '/var/lib/postgresql'
const SOCKETS = '/var/run/postgresql'

/** `named` quotes an identifier, `quoted` a string literal, whatever standard_conforming_strings is. */
export const named = (name: string) => `"${name.replaceAll('"', '""')}"`
export const quoted = (text: string) =>
  text.includes('\\') ? `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'` : `'${text.replaceAll("'", "''")}'`

/** The newest version, such as `15`; `0` if none is installed, for which no program exists. */
export function newest(): number {
  try {
    return Math.max(0, ...readdirSync('/etc/postgresql').map(Number).filter(Number.isInteger))
  } catch {
    return 0 // not installed; the check for the program reports it
  }
}

export const folderOf = (version: number) => `/etc/postgresql/${version}/main`
export const programOf = (name: 'psql' | 'pg_dump' | 'postgres') => `/usr/lib/postgresql/${newest()}/bin/${name}`

/** Port of Debian's cluster `main`, which is not 5432 if an older cluster exists. */
export async function portOf(): Promise<string> {
  const text = (await read(`${folderOf(newest())}/postgresql.conf`)) ?? ''
  return /^[ \t]*port[ \t]*=[ \t]*(\d+)/m.exec(text)?.[1] ?? '5432'
}

/** The system account `postgres`, which connects over the socket as superuser. */
export async function superuser(): Promise<{ uid: number; gid: number }> {
  const found = await accountOf('postgres')
  if (!found) throw new Error('PostgreSQL is not installed: this server has no account postgres')
  return { uid: found.uid, gid: found.gid }
}

/** How a client reaches the server: conninfo, whose values are allow-listed names. */
export const target = async (database: string, more: Record<string, string> = {}): Promise<string> =>
  Object.entries({ host: SOCKETS, port: await portOf(), dbname: database, connect_timeout: '10', ...more })
    .map(([key, value]) => `${key}='${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`)
    .join(' ')

/**
 * Without the schemas of the database: the superuser would otherwise run functions of a customer, such as a
 * `public.format(text, name)`, which suits an argument better than PostgreSQL's own. Also without the settings that a
 * customer may give the database.
 */
const options = [
  ...['client_min_messages=warning', 'search_path=pg_catalog', 'role=none', 'statement_timeout=0', 'lock_timeout=0'],
  ...['default_transaction_read_only=off', 'standard_conforming_strings=on'],
]
  .map((one) => `-c ${one}`)
  .join(' ')

/** Output of SQL as the superuser, one line per row. SQL goes to standard input. */
export const ask = (sql: string, { database = 'postgres' } = {}): Promise<string> =>
  onceThere(engine, () => askOnce(sql, database))
const engine = {
  title: 'PostgreSQL',
  unit: () => `postgresql@${newest()}-main`,
  isAway: tookNoStatement,
  probe: () => askOnce('select 1;', 'postgres'),
}

/** Whether psql's error says that no server was there, or that the connection ended before its first statement. */
export function tookNoStatement(error: unknown): boolean {
  return /No such file or directory\s{1,20}Is the server running|Connection refused|FATAL: {1,4}the database system is|connection to server [^\n]{0,300} failed: (?:server closed the connection|could not (?:send|receive))/.test(
    String(error),
  )
}

async function askOnce(sql: string, database: string): Promise<string> {
  return must(
    [
      ...([programOf('psql'), '--no-psqlrc', '--quiet', '--tuples-only', '--no-align'] as const),
      ...['--set=ON_ERROR_STOP=1', `--dbname=${await target(database)}`, '--file=-'],
    ],
    { input: sql, as: await superuser(), env: { PGOPTIONS: options } },
  )
}

/** The rows of a query that selects one JSON object. */
export async function askRows<T>(sql: string, options: { database?: string } = {}): Promise<T[]> {
  const said = await ask(sql, options)
  return said
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T) // built by json_build_object in the query
}

export interface Shape {
  charset: string
  collation: string
  /** Group that owns the database and its objects. */
  owner: string
}

/** Encoding, locale and owner of a database; undefined if the database does not exist. */
export async function shapeOf(name: string): Promise<Shape | undefined> {
  const [found] = await askRows<Shape>(
    `select json_build_object('charset', pg_encoding_to_char(encoding), 'collation', datcollate, 'owner',
      pg_get_userbyid(datdba)) from pg_database where datname = ${quoted(name)};`,
  )
  return found
}

/** SQL for the name of a table in dumps, filters and on screens: without the schema if the schema is `public`. */
const TABLE_NAME = `case n.nspname when 'public' then c.relname else n.nspname || '.' || c.relname end`
export const tablesFrom = `from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`

export interface Table {
  name: string
  /** Its qualified and quoted name for SQL. */
  sql: string
  view: boolean
  rows: number
  bytes: number
}

/** Tables with estimates of their rows, and views. Tables of extensions are left out. */
export const tablesOf = (name: string) =>
  askRows<Table>(
    // without a search path, regclass names each table with its schema
    `set search_path = '';
    select json_build_object('name', ${TABLE_NAME}, 'sql', c.oid::regclass::text, 'view', c.relkind in ('v', 'm'),
      'rows', greatest(c.reltuples, 0)::bigint, 'bytes', pg_total_relation_size(c.oid))
      ${tablesFrom} and c.relkind in ('r', 'p', 'v', 'm') order by n.nspname, c.relname;`,
    { database: name },
  )

/** The row count of each table. */
export async function countRows(name: string, tables: readonly Table[]): Promise<Record<string, number>> {
  const sql = tables.map(
    (one) => `select json_build_object('name', ${quoted(one.name)}, 'rows', (select count(*) from ${one.sql}));`,
  )
  const rows = await askRows<{ name: string; rows: number }>(sql.join('\n'), { database: name })
  return Object.fromEntries(rows.map((one) => [one.name, one.rows]))
}

/** A checksum of each table that ignores the order of rows. `t::text` would run a cast of the customer as superuser. */
export async function sumsOf(name: string, tables: readonly Table[]): Promise<Record<string, string>> {
  const sql = tables.map(
    (one) => `select json_build_object('name', ${quoted(one.name)}, 'sum',
      (select count(*) || ':' || coalesce(sum(hashtextextended(textin(record_out(t)), 0)::numeric), 0) from ${one.sql} t));`,
  )
  const rows = await askRows<{ name: string; sum: string }>(sql.join('\n'), { database: name })
  return Object.fromEntries(rows.map((one) => [one.name, one.sum]))
}

/** Undo and inspection of an operation that only reads: a repeat is harmless. */
export const reading = { undo: async () => undefined, inspect: async () => 'no' as const }
