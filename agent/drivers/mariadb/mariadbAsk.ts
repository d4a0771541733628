import { isFull } from '../../kit/files/fullDisk.ts'
import { must, onceThere } from '../../kit/host.ts'

/** The client as root, over the socket. SQL goes to standard input, so that no password appears in the process list. */
export const client = ['mariadb', '--protocol=socket', '--batch', '--skip-column-names', '--raw'] as const

/** `named` quotes an identifier, `quoted` a string literal. */
export const named = (name: string) => `\`${name.replaceAll('`', '``')}\``
export const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/** The output of SQL, one line per row. Fails when somebody holds a lock on its tables for ten minutes. */
export async function ask(sql: string): Promise<string> {
  if (writes(sql) && (await isFull(data, ROOM)))
    throw new Error(`no space left on device: MariaDB would wait until ${data} has room`)
  return onceThere(engine, () =>
    must([...client], { input: `set session sql_mode = ''; set session lock_wait_timeout = 600;\n${sql}` }),
  )
}

/**
 * On a full disk MariaDB answers a statement that writes accounts or tables of MyISAM and Aria only once there is room, and lets
 * nobody in meanwhile. Removing tables makes room.
 */
const writing = /^(?:create|alter|rename|grant|revoke|set password|insert|update|replace|delete|drop user|drop role)\b/i
const writes = (sql: string) => sql.split('\n').some((line) => writing.test(line.trimStart()))
const data = '/var/lib/mysql'
/** More than such a statement writes, and less than what is kept for an undo. */
const ROOM = 262_144
const engine = {
  title: 'MariaDB',
  unit: () => 'mariadb',
  isAway: tookNoStatement,
  probe: () => must([...client], { input: 'select 1;' }),
}

/** Whether the client's error says that no server was there, or that the connection ended before its handshake did. */
export function tookNoStatement(error: unknown): boolean {
  return /ERROR 200[23] |ERROR 2013 .{0,200} at '(?:handshake|reading (?:initial communication|authorization|final connect))/.test(
    String(error),
  )
}

/** The rows of a query that selects one JSON object. */
export async function askRows<T>(sql: string): Promise<T[]> {
  const said = await ask(sql)
  return said
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T) // built by json_object in the query
}

export interface Shape {
  charset: string
  collation: string
}

/** The character set of a database; undefined if the database does not exist. */
export async function shapeOf(name: string): Promise<Shape | undefined> {
  const [found] = await askRows<Shape>(
    `select json_object('charset', default_character_set_name, 'collation', default_collation_name)
      from information_schema.schemata where schema_name = ${quoted(name)};`,
  )
  return found
}

export const create = (name: string, { charset, collation }: Shape) =>
  `create database ${named(name)} character set ${charset} collate ${collation};`

/** Tables and views, by name. */
export const tablesOf = (name: string) =>
  askRows<{ name: string; view: 0 | 1 }>(
    `select json_object('name', table_name, 'view', table_type = 'VIEW') from information_schema.tables
      where table_schema = ${quoted(name)} and table_type in ('BASE TABLE', 'VIEW') order by table_name;`,
  )

/** The row count of each table. */
export async function countRows(name: string, tables: readonly string[]): Promise<Record<string, number>> {
  const counts = tables.map(
    (table) => `select json_object('table', ${quoted(table)}, 'rows', count(*)) from ${named(name)}.${named(table)};`,
  )
  const rows = await askRows<{ table: string; rows: number }>(counts.join('\n'))
  return Object.fromEntries(rows.map((row) => [row.table, row.rows]))
}

/** MariaDB's CHECKSUM TABLE of each table, which ignores the order of rows. */
export async function sumsOf(name: string, tables: readonly string[]): Promise<Record<string, string>> {
  if (!tables.length) return {}
  const said = await ask(
    `checksum table ${tables.map((table) => `${named(name)}.${named(table)}`).join(', ')} extended;`,
  )
  const lines = said.split('\n').filter(Boolean)
  return Object.fromEntries(lines.map((line, at) => [tables[at] ?? '', line.slice(line.lastIndexOf('\t') + 1)]))
}

export interface Runs {
  what: string
  name: string
  definer: string
  there: boolean
}

/** The definers (`shop@localhost`) of views, triggers, routines and events, and whether these accounts exist. */
export async function definersOf(name: string): Promise<Runs[]> {
  const schema = quoted(name)
  const one = (what: string, column: string, table: string, of: string) => `select '${what}' as what, ${column} as name,
    definer from information_schema.${table} where ${of} = ${schema}`
  const found = await askRows<
    Omit<Runs, 'there'> & { there: string | number }
  >(`select json_object('what', what, 'name', name, 'definer', definer, 'there',
      exists (select 1 from mysql.global_priv p where concat(p.user, '@', p.host) = convert(d.definer using utf8mb3)))
    from (${one('view', 'table_name', 'views', 'table_schema')}
      union all ${one('trigger', 'trigger_name', 'triggers', 'trigger_schema')}
      union all ${one('routine', 'routine_name', 'routines', 'routine_schema')}
      union all ${one('event', 'event_name', 'events', 'event_schema')}) d order by what, name;`)
  // MariaDB converts numbers to text in the derived table
  return found.map((one) => ({ ...one, there: Number(one.there) === 1 }))
}

/** Broken views, whose tables or columns no longer exist: mariadb-dump stops at such a view. */
export async function brokenViews(name: string): Promise<string[]> {
  const views = (await tablesOf(name)).filter(({ view }) => view)
  if (!views.length) return []
  // one line per error of a view, or one with `status OK`: shop.newest, check, Error, text
  const said = await ask(`check table ${views.map((view) => `${named(name)}.${named(view.name)}`).join(', ')};`)
  const whole = new Set(said.split('\n').flatMap((line) => (/\tstatus\tOK$/.test(line) ? line.split('\t')[0] : [])))
  return views.flatMap((view) => (whole.has(`${name}.${view.name}`) ? [] : view.name))
}

/** All accounts, written as definers in a dump: `shop@localhost`. */
export async function accounts(): Promise<Set<string>> {
  const rows = await askRows<{ name: string }>(
    `select json_object('name', concat(user, '@', host)) from mysql.global_priv;`,
  )
  return new Set(rows.map(({ name }) => name))
}
