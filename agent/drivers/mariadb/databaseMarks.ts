import { createHash } from 'node:crypto'
import type { DatabaseMarks } from '@innkeeper/contract/agent/databases'
import { dumpShape } from './dump.ts'
import { askRows, quoted, sumsOf } from './mariadbAsk.ts'

interface Table {
  name: string
  type: string
  /** The table id of InnoDB, which changes when a table is truncated or renamed. */
  number: number | null
  written: number | null
}
/** Timestamps of changes have a resolution of one second, and are set before other sessions see the change. */
const SLACK_S = 2

export async function marksOf(name: string): Promise<DatabaseMarks> {
  const at = await clock()
  const tables = await tablesIn(name)
  const sums = await sumsOf(
    name,
    tables.map((table) => table.name),
  )
  return {
    at,
    shape: await shapeIn(name, tables),
    tables: Object.fromEntries(tables.map((one) => [one.name, { number: one.number, sum: sums[one.name] ?? null }])),
  }
}

/**
 * The tables that changed since the marks, once writing has stopped; undefined if all tables must be copied. InnoDB
 * keeps the time of a table's last change while the table is in memory: a table last changed before the marks is not
 * read.
 */
export async function changedSince(name: string, { at, shape, tables }: DatabaseMarks): Promise<string[] | undefined> {
  const now = await tablesIn(name)
  if (shape === null || (await shapeIn(name, now)) !== shape) return undefined
  const changed: string[] = []
  const unknown: string[] = []
  for (const one of now) {
    const isOther = one.number !== tables[one.name]?.number
    if (isOther || (one.written !== null && one.written >= at - SLACK_S)) changed.push(one.name)
    else if (one.written === null || one.number === null) unknown.push(one.name)
  }
  const sums = await sumsOf(name, unknown)
  return [...changed, ...unknown.filter((table) => !sums[table] || sums[table] !== tables[table]?.sum)]
}

/** Tables whose content differs from the marks. Slower than `changedSince`, which may also name unchanged tables. */
export async function otherThan(name: string, marks: DatabaseMarks): Promise<string[]> {
  const now = await tablesIn(name)
  const suspects = (await changedSince(name, marks)) ?? now.map((table) => table.name)
  const sums = await sumsOf(name, suspects)
  const gone = Object.keys(marks.tables).filter((table) => !now.some((one) => one.name === table))
  return [...gone, ...suspects.filter((table) => !sums[table] || sums[table] !== marks.tables[table]?.sum)]
}

const clock = async () => (await askRows<number>('select unix_timestamp();'))[0] ?? 0

/** The base tables; views contain no rows. */
const tablesIn = (name: string) =>
  askRows<Table>(
    `set time_zone = '+00:00';
      select json_object('name', t.table_name, 'type', t.table_type, 'number', s.table_id,
        'written', unix_timestamp(t.update_time))
      from information_schema.tables t left join information_schema.innodb_sys_tables s
        on substring_index(s.name, '/', 1) = t.table_schema
        -- it keeps names as its files have them; parts of a table have others
        and convert(convert(cast(substring_index(s.name, '/', -1) as binary) using filename) using utf8mb3)
          = convert(t.table_name using utf8mb3)
      where t.table_schema = ${quoted(name)} and t.table_type <> 'VIEW' order by t.table_name;`,
  )

/**
 * A digest of the table definitions. Null if a dump of some tables would lose something or fail: events, which would
 * run on both servers, sequences, system-versioned tables, and views whose definer does not exist.
 */
async function shapeIn(name: string, tables: readonly Table[]): Promise<string | null> {
  if (tables.some(({ type }) => type !== 'BASE TABLE')) return null
  const [special] = await askRows<number>(
    `select exists (select 1 from information_schema.events where event_schema = ${quoted(name)})
      or exists (select 1 from information_schema.views v where table_schema = ${quoted(name)} and not exists
        (select 1 from mysql.global_priv p where concat(p.user, '@', p.host) = convert(v.definer using utf8mb3)));`,
  )
  if (special) return null
  const text = (await dumpShape(name)).replaceAll(/ AUTO_INCREMENT=\d+/g, '')
  return createHash('sha256').update(text).digest('hex')
}
