import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Driver } from '../../kit/driver.ts'
import { readOnly } from './databaseQuery.ts'
import { askRows, named, quoted } from './mariadbAsk.ts'

type Browse = OperationInput<'database.browse'>
interface Column {
  name: string
  type: string
  nullable: boolean
  binary: boolean
}
interface Index {
  name: string
  columns: string[]
  unique: boolean
}

/** A page of a table in the order of its key, so that a late page costs as much as the first. */
export const browseDatabase: Driver<'database.browse'> = {
  async run(c) {
    const { name, table, filter, after, rows, seconds } = c.input
    const columns = await columnsOf(c.input)
    if (!columns.length) throw new Error(`${name} has no table ${table}`)
    const indexes = await indexesOf(c.input)
    const key = keyOf(columns, indexes)
    const of = (wanted: string) => {
      const found = columns.find((one) => one.name === wanted)
      if (!found) throw new Error(`${table} has no column ${wanted}`)
      return found
    }
    if (after && after.length !== key.length) throw new Error(`The key of ${table} has changed: begin again`)
    const where = [
      ...(filter ? [condition(of(filter.column), filter)] : []),
      ...(after ? [`(${beyond(key.map(of), after)})`] : []),
    ]
    const shown = columns.map((one) => (one.binary ? `hex(${named(one.name)})` : named(one.name)))
    const sql = `select ${shown.join(', ')} from ${named(table)}
      ${where.length ? `where ${where.join(' and ')}` : ''} ${key.length ? `order by ${key.map(named).join(', ')}` : ''}`
    const read = await readOnly(c, { name, sql, rows, seconds })
    const last = read.rows.at(-1)
    const places = key.map((one) => columns.findIndex((column) => column.name === one))
    const next = read.more && last && key.length ? places.map((at) => last[at] ?? '') : null
    return {
      ...{ rows: read.rows, more: read.more, next, milliseconds: read.milliseconds },
      columns: columns.map((one) => ({ ...one, key: key.includes(one.name) })),
      indexes: indexes.map((one) => ({ ...one, columns: one.columns.join(', ') })),
    }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

async function columnsOf({ name, table }: Browse): Promise<Column[]> {
  const found = await askRows<{ name: string; type: string; nullable: number; kind: string }>(
    `select json_object('name', column_name, 'type', column_type, 'nullable', is_nullable = 'YES', 'kind', data_type)
      from information_schema.columns where table_schema = ${quoted(name)} and table_name = ${quoted(table)}
      order by ordinal_position;`,
  )
  return found.map(({ kind, nullable, ...one }) => ({
    ...one,
    nullable: Number(nullable) === 1,
    binary: /blob|binary|^bit$|geometry|point|linestring|polygon/.test(kind),
  }))
}

async function indexesOf({ name, table }: Browse): Promise<Index[]> {
  const parts = await askRows<{ name: string; column: string; unique: number }>(
    `select json_object('name', index_name, 'column', column_name, 'unique', non_unique = 0)
      from information_schema.statistics where table_schema = ${quoted(name)} and table_name = ${quoted(table)}
      order by index_name <> 'PRIMARY', index_name, seq_in_index;`,
  )
  const indexes = new Map<string, Index>()
  for (const { name: index, column, unique } of parts) {
    const known = indexes.get(index)
    if (known) known.columns.push(column)
    else indexes.set(index, { name: index, columns: [column], unique: Number(unique) === 1 })
  }
  return [...indexes.values()]
}

/** The columns that tell rows apart: of the primary key, or of a unique index without NULL. */
function keyOf(columns: Column[], indexes: Index[]): string[] {
  const isWhole = ({ columns: of }: Index) =>
    of.every((one) => columns.some(({ name, nullable }) => name === one && !nullable))
  return indexes.find((one) => one.unique && isWhole(one))?.columns ?? []
}

const literal = ({ binary }: Column, text: string) => (binary ? `unhex(${quoted(text)})` : quoted(text))

/** Rows after a key: `a > 1 or (a = 1 and b > 2)`, which MariaDB reads from the index, unlike `(a, b) > (1, 2)`. */
const beyond = (key: Column[], after: string[]): string =>
  key
    .map((column, at) => {
      const same = key.slice(0, at).map((one, n) => `${named(one.name)} = ${literal(one, after[n] ?? '')}`)
      return `(${[...same, `${named(column.name)} > ${literal(column, after[at] ?? '')}`].join(' and ')})`
    })
    .join(' or ')

function condition(column: Column, { how, text }: NonNullable<Browse['filter']>): string {
  const name = named(column.name)
  const like = quoted(text.replaceAll(/[\\%_]/g, (one) => `\\${one}`))
  switch (how) {
    case 'is':
      return `${name} = ${literal(column, text)}`
    case 'contains':
      return `${name} like concat('%', ${like}, '%')`
    case 'begins':
      return `${name} like concat(${like}, '%')`
    case 'less':
      return `${name} < ${literal(column, text)}`
    case 'more':
      return `${name} > ${literal(column, text)}`
    case 'null':
      return `${name} is null`
    case 'not null':
      return `${name} is not null`
  }
}
