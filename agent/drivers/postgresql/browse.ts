import type { Driver } from '../../kit/driver.ts'
import { askRows, named, quoted, tablesFrom } from './ask.ts'
import { type Browse, type Column, readOnly } from './query.ts'

interface Index {
  name: string
  columns: string[]
  unique: boolean
}
/** A page of a table in the order of its key, so that a late page costs as much as the first. */
export const browseDatabase: Driver<'database.browse'> = {
  async run({ input }) {
    const { name, table, filter, after, rows, seconds } = input
    const [found] = await askRows<{ sql: string; columns: Column[]; indexes: Index[] }>(structure(table), {
      database: name,
    })
    if (!found) throw new Error(`${name} has no table ${table}`)
    const { columns, indexes } = found
    const key = keyOf(columns, indexes)
    if (filter && !columns.some((one) => one.name === filter.column))
      throw new Error(`${table} has no column ${filter.column}`)
    if (after && after.length !== key.length) throw new Error(`The key of ${table} has changed: begin again`)
    const where = [
      ...(filter ? [condition(filter)] : []),
      ...(after ? [`(${key.map(named).join(', ')}) > (${after.map(quoted).join(', ')})`] : []),
    ]
    const sql = `select ${columns.map((one) => named(one.name)).join(', ')} from ${found.sql}
      ${where.length ? `where ${where.join(' and ')}` : ''} ${key.length ? `order by ${key.map(named).join(', ')}` : ''}`
    const read = await readOnly({ name, sql, rows, seconds })
    const last = read.rows.at(-1)
    const places = key.map((one) => columns.findIndex((column) => column.name === one))
    const next = read.more && last && key.length ? places.map((place) => last[place] ?? '') : null
    return {
      ...{ rows: read.rows, more: read.more, next, milliseconds: read.milliseconds },
      columns: columns.map((one) => ({ ...one, key: key.includes(one.name), binary: one.type === 'bytea' })),
      indexes: indexes.map((one) => ({ ...one, columns: one.columns.join(', ') })),
    }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // reads only, so a repeat is harmless
}
/** `shop.orders` is the table `orders` of the schema `shop`, unless `public` has a table of that whole name. */
const structure = (table: string) => `set search_path = '';
  select json_build_object('sql', c.oid::regclass::text,
    'columns', (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
      'nullable', not a.attnotnull) order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
    'indexes', coalesce((select json_agg(json_build_object('name', i.relname, 'unique', x.indisunique and x.indpred is null,
        'columns', (select json_agg(pg_get_indexdef(x.indexrelid, k, true) order by k) from generate_series(1, x.indnkeyatts) k))
      order by not x.indisprimary, i.relname) from pg_index x join pg_class i on i.oid = x.indexrelid
      where x.indrelid = c.oid), '[]'))
  ${tablesFrom} and c.relkind in ('r', 'p', 'v', 'm')
    and case n.nspname when 'public' then c.relname else n.nspname || '.' || c.relname end = ${quoted(table)}
  order by n.nspname <> 'public' limit 1;`
/** The columns that tell rows apart: of the primary key, or of a unique index without NULL. */
function keyOf(columns: Column[], indexes: Index[]): string[] {
  const plain = (name: string) => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name)
  const isWhole = (names: string[]) =>
    names.every((one) => columns.some(({ name, nullable }) => name === one && !nullable))
  return (
    indexes.flatMap((one) => (one.unique && isWhole(one.columns.map(plain)) ? [one.columns.map(plain)] : []))[0] ?? []
  )
}
function condition({ column, how, text }: NonNullable<Browse['filter']>): string {
  const name = named(column)
  const like = text.replaceAll(/[\\%_]/g, (one) => `\\${one}`)
  switch (how) {
    case 'is':
      return `${name} = ${quoted(text)}`
    case 'contains':
      return `${name}::text ilike ${quoted(`%${like}%`)}`
    case 'begins':
      return `${name}::text ilike ${quoted(`${like}%`)}`
    case 'less':
      return `${name} < ${quoted(text)}`
    case 'more':
      return `${name} > ${quoted(text)}`
    case 'null':
      return `${name} is null`
    case 'not null':
      return `${name} is not null`
  }
}
