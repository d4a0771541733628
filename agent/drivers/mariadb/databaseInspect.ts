import type { Driver } from '../../kit/driver.ts'
import { askRows, countRows, definersOf, quoted, shapeOf, sumsOf } from './mariadbAsk.ts'

interface Table {
  name: string
  engine: string | null
  view: 0 | 1
  rows: number
  bytes: number
}

/**
 * The tables of a database with their sizes. `deep` counts rows and computes checksums, which reads the whole database.
 */
export const inspectDatabase: Driver<'database.inspect'> = {
  async run({ input: { name, deep } }) {
    const shape = await shapeOf(name)
    if (!shape) return { there: false }
    const tables = await askRows<Table>(
      `select json_object('name', table_name, 'engine', engine, 'view', table_type = 'VIEW', 'rows', coalesce(table_rows, 0),
        'bytes', coalesce(data_length, 0) + coalesce(index_length, 0)) from information_schema.tables
        where table_schema = ${quoted(name)} and table_type in ('BASE TABLE', 'VIEW') order by table_name;`,
    )
    const full = tables.filter(({ view }) => !view)
    const missing = (await definersOf(name)).filter(({ there }) => !there)
    const overview = {
      there: true,
      ...shape,
      bytes: full.reduce((sum, { bytes }) => sum + bytes, 0),
      tables: full.map(({ view: _, ...table }) => table),
      views: tables.length - full.length,
      missing: missing.map(({ what, name, definer }) => ({ what, name, definer })),
    }
    if (!deep) return overview
    const names = full.map((table) => table.name)
    const [rows, sums] = [await countRows(name, names), await sumsOf(name, names)]
    return {
      ...overview,
      tables: overview.tables.map((one) => ({ ...one, rows: rows[one.name] ?? 0, sum: sums[one.name] ?? null })),
    }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}
