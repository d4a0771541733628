import { is } from 'drizzle-orm'
import { getTableConfig, type PgColumn, PgTable } from 'drizzle-orm/pg-core'
import * as tables from '../../server/tables.ts'

export interface Plain {
  table: string
  /** Inserts rows $1 to $2. `{users}` is replaced by the number of users. */
  insert: string
}

/** Stay empty: the bench signs in by password alone. */
const empty = ['passkeys', 'second_factors']

/**
 * Fills every table that provider.ts does not describe, from its definition. New domains get rows without further work.
 */
export function otherTables(described: Set<string>): Plain[] {
  const all = Object.values(tables).flatMap((one) => (is(one, PgTable) ? [getTableConfig(one)] : []))
  return all.flatMap(({ name, columns, foreignKeys, primaryKeys, indexes }) => {
    if (described.has(name) || empty.includes(name)) return []
    const together = primaryKeys.flatMap((key) => key.columns.map(({ name }) => name))
    const references = new Map(
      foreignKeys.flatMap((key) => {
        const { columns: own, foreignTable } = key.reference()
        const to = getTableConfig(foreignTable).name
        return own.map((column) => [column, to] as const)
      }),
    )
    const turns = new Map(
      // of two columns that are unique together, the second advances when the first has completed a cycle
      indexes.flatMap(({ config }) => {
        const [first, second] = config.columns.map((part) =>
          columns.find((one) => 'name' in part && one.name === part.name),
        )
        const round = config.unique && first && references.get(first)
        return round && second ? [[second, `i / (${countOf(round)})`] as const] : []
      }),
    )
    // a nullable reference to its own table, such as a parent folder
    const isAbove = (column: PgColumn) => references.get(column) === name && !column.notNull
    const isDefault = (column: PgColumn) => column.hasDefault && /^json/.test(column.getSQLType())
    const filled = columns.filter(
      (column) =>
        !column.generatedIdentity && nameOf(column) !== 'deleted_at' && !isAbove(column) && !isDefault(column),
    )
    const list = filled.map((column) => `"${nameOf(column)}"`).join(', ')
    const values = filled
      .map((column) => sqlOf(column, references.get(column), together.indexOf(column.name) > 0, turns.get(column)))
      .join(', ')
    return {
      table: name,
      insert: `insert into "${name}" (${list}) select ${values} from generate_series($1::int, $2::int) i`,
    }
  })
}

/**
 * Counts one more user than this fills: the administrator, created at the first start, sends the requests of the bench
 * and has data too.
 */
const countOf = (table: string) => (table === 'users' ? '{users} + 1' : `{${table}}`)

const nameOf = ({ name }: PgColumn) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * SQL of the value in row `i`: spread over the values that the column may have, and unique for names. `further`: the
 * column follows another one in a key and must differ where the first column repeats. `turn`: the number of the value
 * in its sequence.
 */
function sqlOf(column: PgColumn, references: string | undefined, further: boolean, turn = 'i'): string {
  const name = nameOf(column)
  const type = column.getSQLType()
  if (further && /^(integer|bigint|smallint)/.test(type)) return 'i + 1' // a migration may have inserted the first row
  if (references && (column.primary || column.isUnique)) return 'i'
  if (references) return `1 + ${turn} % (${countOf(references)})`
  if (column.enumValues?.length) {
    const values = column.enumValues.map((value) => `'${value}'`).join(', ')
    return `(array[${values}])[1 + i % ${column.enumValues.length}]`
  }
  if (type.endsWith('[]')) return `'{}'`
  if (/^(integer|bigint|smallint)/.test(type)) {
    if (/_id$/.test(name) && /user|staff|owner/.test(name)) return '1 + i % ({users} + 1)'
    return name === 'version' || column.hasDefault ? '1' : 'i'
  }
  if (type === 'boolean') return 'i % 3 = 0'
  if (/^timestamp/.test(type))
    return name === 'expires_at' ? `now() + interval '1 day'` : `now() - i * interval '11 seconds'`
  if (type === 'date') return `current_date - (i % 3000)::int`
  if (/^(double|real|numeric)/.test(type)) return 'i / 7.0'
  if (/^json/.test(type)) return column.notNull ? `'[]'` : 'null'
  return `substr(md5(i::text), 1, 8) || '-' || i`
}
