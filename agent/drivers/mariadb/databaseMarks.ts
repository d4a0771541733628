import { createHash } from 'node:crypto'
import type { DatabaseMarks } from '@innkeeper/contract/agent/databases'
import { dumpShape } from './dump.ts'
import { askRows, quoted, sumsOf } from './mariadbAsk.ts'

interface Table {
  name: string
  type: string
  /** InnoDB's own: a table that was emptied or took another's name has another one. */
  number: number | null
  written: number | null
}
/** A change is dated by the second, and a moment before others see it. */
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
 * The tables that are not what they were, once nobody writes any more; undefined where only all of it will do. InnoDB
 * dates each change of rows as long as it has the table in memory: what it dates before the marks is not read again.
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

const clock = async () => (await askRows<number>('select unix_timestamp();'))[0] ?? 0

/** Its own tables; views have nothing in them. */
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
 * A digest of its definitions. Null where it has what a dump of some tables would leave out or not bring back: events,
 * which would run at both ends, sequences, tables with a history, and views of somebody who is not there.
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
