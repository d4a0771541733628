import type { Driver } from '../../kit/driver.ts'
import { ask, askRows, quoted } from './mariadbAsk.ts'

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
  async run({ input: { name } }) {
    const connections = await askRows<Connection>(
      `select json_object('id', id, 'user', user, 'host', host, 'command', command, 'seconds', round(time_ms / 1000, 1),
        'state', nullif(state, ''), 'sql', left(info, 1000)) from information_schema.processlist
        where db = ${quoted(name)} order by command = 'Sleep', time_ms desc limit 500;`,
    )
    return { connections }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

/** Ends a connection if it uses the database. Leaves connections of other databases alone. */
export const endConnection: Driver<'database-connection.end'> = {
  async run({ input: { name, connection }, fence }) {
    const [found] = await askRows<{ id: number }>(
      `select json_object('id', id) from information_schema.processlist where id = ${connection} and db = ${quoted(name)};`,
    )
    if (!found) return { ended: false }
    fence()
    // the connection may end by itself in between: error 1094, unknown thread
    await ask(`kill connection ${connection};`).catch((error: unknown) => {
      if (!String(error).includes('1094')) throw error
    })
    return { ended: true }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // a connection that has ended is not found again
}
