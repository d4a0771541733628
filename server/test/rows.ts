import { getTableName, is, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { type Db, rows } from '../kit/db/db.ts'
import { sqlState } from '../kit/db/failures.ts'
import { tablesOf } from '../kit/ownBackup/backup.ts'
import { tables } from '../registry.ts'
import { type Dice, dice } from '../seed/dice.ts'

interface Column {
  name: string
  /** The type as PostgreSQL writes it. */
  type: string
  required: boolean
  /** The referenced column, if any. */
  refers: { table: string; column: string } | null
}
type Value = string | number | boolean | null

/** Whether the column is the end of a span: its value must be after that of the start. */
const isEnd = (column: string) => /^end/.test(column)

/** Makes a value for each type of column. Add a line for a new type. */
const values: Record<string, (about: string, n: number) => Value> = {
  text: (about, n) => `${about} ${n}`,
  integer: (about, n) => n + (isEnd(about) ? 600 : 1), // many checks require a positive number
  bigint: (_, n) => n,
  'double precision': (_, n) => n / 4,
  boolean: (_, n) => n % 2 === 0,
  // closed months must be before all planned days
  date: (about, n) => `${about === 'month' ? 2025 : 2026}-01-${10 + (n % 18)}`,
  smallint: (_, n) => (n % 5) + 1,
  'timestamp(3) with time zone': (about, n) => `2026-01-${10 + (n % 18)} ${isEnd(about) ? 12 : 10}:20:30.456+01`,
  uuid: (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  tsvector: (about, n) => `${about} ${n}`,
  jsonb: (about, n) => JSON.stringify({ [about]: [n] }),
  'text[]': (about, n) => `{"${about} ${n}","a, b"}`,
  // the longest array that a check requires: the hours of a week
  'integer[]': (_, n) => `{${Array.from({ length: 168 }, (_, hour) => n + hour)}}`,
}

/** Columns that are null when the row is inserted, because the referenced row comes later. */
const unwritten: readonly string[] = ['websites.group_id']

/** Tables that can have only one row, because a check requires 1 in this column. */
const lone = new Map([
  ['encryption_keys', 'only'],
  ['log_streams', 'only'],
  ['own_heartbeats', 'only'],
  ['scrum_settings', 'only'],
  ['shift_settings', 'only'],
  ['sign_in_settings', 'only'],
  ['sms_settings', 'only'],
])
/** Tables with one row for each allowed value of this column. Migrations may have inserted these rows. */
const perWord = new Map([
  ['qc_queue_settings', 'kind'],
  ['tracker_counters', 'face'],
  ['tracker_file_configs', 'face'],
])

const snake = (key: string) => key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)
/** The allowed values of text columns, by column: `actions.status`. */
const words = new Map<string, readonly string[]>()
for (const table of tables)
  if (is(table, PgTable))
    for (const { name, enumValues } of getTableConfig(table).columns)
      if (enumValues?.length) words.set(`${getTableName(table)}.${snake(name)}`, enumValues)

/** Maximum number of rows that a table can have; undefined without a limit. */
export const most = (table: string): number | undefined =>
  lone.has(table) ? 1 : words.get(`${table}.${perWord.get(table)}`)?.length

/**
 * Adds `each` rows to every table. Reads the tables from the catalogue of the database, because the schema may be older
 * than this version. Throws with the name of a table to which no row can be added.
 */
export async function fillTables(db: Db, each: number, except: readonly string[] = []): Promise<void> {
  for (const { name } of await tablesOf(db)) {
    if (except.includes(name)) continue
    const columns = await columnsOf(db, name)
    const [before] = await rows<{ n: number }>(db, sql`select count(*)::int as n from ${sql.identifier(name)}`)
    const from = before?.n ?? 0
    const to = most(name) ?? from + each
    for (let n = from; n < to; n++) await addRow(db, name, columns, n)
  }
}

/** Inserts a row. If a check or unique index refuses it, tries again with other columns and values, up to 60 times. */
async function addRow(db: Db, table: string, columns: Column[], n: number): Promise<void> {
  let why: unknown
  for (let variant = 0; variant < 60; variant++) {
    const d = dice(n * 1000 + variant)
    const given: [string, SQL][] = []
    for (const column of columns.filter(({ name, refers }) => refers || !unwritten.includes(`${table}.${name}`)))
      if (column.required || d.chance(0.6))
        given.push([column.name, await valueIn(db, table, column, variant < 30 ? n : n + variant, d)])
    const names = given.map(([name]) => sql.identifier(name))
    try {
      await db.transaction((tx) =>
        tx.execute(sql`insert into ${sql.identifier(table)} (${sql.join(names, sql`, `)})
          values (${sql.join(
            given.map(([, value]) => value),
            sql`, `,
          )})`),
      )
      return
    } catch (error) {
      if (!/^23(505|514|502|P01)$/.test(sqlState(error)?.code ?? '')) throw error
      why = error
    }
  }
  throw new Error(`No row of ${table} could be made`, { cause: why })
}

async function valueIn(db: Db, table: string, column: Column, n: number, d: Dice): Promise<SQL> {
  const { name, type, refers } = column
  if (refers) {
    const found = sql`select ${sql.identifier(refers.column)} from ${sql.identifier(refers.table)}`
    const [some] = await rows<{ n: number }>(db, sql`select count(*)::int as n from (${found}) f`)
    if (!some?.n) return sql`null` // the referenced table is this table, which is still empty
    return sql`(${found} order by 1 offset ${d.chance(0.7) ? n % some.n : d.below(some.n)} limit 1)`
  }
  if (lone.get(table) === name) return sql`1`
  const known = words.get(`${table}.${name}`)
  if (known) return sql`${perWord.get(table) === name ? known[n] : d.pick(known)}`
  const value = values[type]
  if (!value) throw new Error(`${table}.${name} is ${type}: give its values in server/test/rows.ts`)
  return sql`${value(name, n)}::text::${sql.raw(type)}` // safe: the name of the type comes from the catalogue
}

const columnsOf = (db: Db, table: string): Promise<Column[]> =>
  rows<Column>(
    db,
    sql`select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required,
        (select json_build_object('table', r.relname, 'column', f.attname) from pg_constraint c
          join pg_class r on r.oid = c.confrelid
          join pg_attribute f on f.attrelid = c.confrelid and f.attnum = c.confkey[1]
          where c.conrelid = a.attrelid and c.contype = 'f' and c.conkey = array[a.attnum] limit 1) as refers
      from pg_attribute a where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped
        and a.attgenerated = '' and a.attidentity = '' order by a.attnum`,
  )
