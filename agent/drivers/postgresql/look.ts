import type { Driver } from '../../kit/driver.ts'
import { ask, askRows, countRows, quoted, reading, shapeOf, sumsOf, tablesOf } from './ask.ts'
import { isOurs } from './groups.ts'

/** The tables of a database with their sizes. `deep` counts rows and computes checksums. */
export const inspectDatabase: Driver<'database.inspect'> = {
  async run({ input: { name, deep } }) {
    const shape = await shapeOf(name)
    if (!shape) return { there: false }
    const all = await tablesOf(name)
    const full = all.filter(({ view }) => !view)
    const overview = {
      there: true,
      charset: shape.charset,
      collation: shape.collation,
      ours: isOurs(shape.owner),
      bytes: Number((await ask(`select pg_database_size(${quoted(name)});`)).trim()),
      tables: full.map((one) => ({ name: one.name, engine: null, rows: one.rows, bytes: one.bytes })),
      views: all.length - full.length,
      missing: [],
    }
    if (!deep) return overview
    const [rows, sums] = [await countRows(name, full), await sumsOf(name, full)]
    return {
      ...overview,
      tables: overview.tables.map((one) => ({ ...one, rows: rows[one.name] ?? 0, sum: sums[one.name] ?? null })),
    }
  },
  ...reading,
}

/** Bytes of every database, in one pass. */
export const measureDatabases: Driver<'databases.measure'> = {
  run: async () => ({
    databases: await askRows<{ name: string; bytes: number }>(
      `select json_build_object('name', datname, 'bytes', pg_database_size(oid)) from pg_database
        where not datistemplate and datname <> 'postgres' order by datname;`,
    ),
  }),
  ...reading,
}

interface Connection {
  id: number
  user: string
  host: string
  command: string
  seconds: number
  state: string | null
  sql: string | null
}

/** Connections that use a database, longest statement first. */
export const readConnections: Driver<'database.connections'> = {
  run: async ({ input: { name } }) => ({
    connections: await askRows<Connection>(
      `select json_build_object('id', pid, 'user', coalesce(usename, backend_type), 'host', coalesce(host(client_addr), 'localhost'),
        'command', coalesce(state, backend_type),
        'seconds', round(extract(epoch from now() - coalesce(state_change, backend_start))::numeric, 1),
        'state', case when wait_event_type = 'Lock' then 'waits for a lock' else state end,
        'sql', case when state = 'idle' then null else left(query, 1000) end) from pg_stat_activity
        where datname = ${quoted(name)} order by state = 'idle', state_change limit 500;`,
    ),
  }),
  ...reading,
}

/** Ends a connection if it uses the database. Leaves connections of other databases alone. */
export const endConnection: Driver<'database-connection.end'> = {
  async run({ input: { name, connection }, fence }) {
    fence()
    const ended = await ask(
      `select pg_terminate_backend(pid) from pg_stat_activity where pid = ${connection} and datname = ${quoted(name)};`,
    )
    return { ended: ended.trim() === 't' }
  },
  ...reading,
}
