import { type databases as contract, DatabaseConnection, QueryResult, TablePage } from '@innkeeper/contract/databases'
import * as z from 'zod'
import { liveRead } from '../../kit/agents/liveRead.ts'
import type { Db } from '../../kit/db/db.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { notFound } from '../../kit/http/errors.ts'
import { readDatabase } from '../read.ts'
import { engineOf } from '../steps.ts'

const Connections = z.object({ connections: z.array(DatabaseConnection) })
const BROWSE_S = 10
const Ended = z.object({ ended: z.boolean() })

/** The server of a database, and how an operation names the database. */
async function target(db: Db, id: number) {
  const database = await readDatabase(db, id)
  return { serverId: database.serverId, name: database.name, ...engineOf(database) }
}

export const liveHandlers: Pick<Handlers<typeof contract>, 'connections' | 'endConnection' | 'query' | 'browse'> = {
  async connections({ id }, { app }) {
    const { serverId, ...of } = await target(app.db, id)
    const { connections } = Connections.parse(await liveRead(app, serverId, 'database.connections', of))
    return { items: connections, total: connections.length, at: new Date().toISOString() }
  },

  async endConnection({ id, connection }, { app, audit }) {
    const { serverId, ...of } = await target(app.db, id)
    const { name } = of
    audit.of('database', id)
    audit.after({ database: name, endedConnection: connection })
    const { ended } = Ended.parse(await liveRead(app, serverId, 'database-connection.end', { ...of, connection }))
    if (!ended) throw notFound('connection', connection)
  },

  async browse({ id, table, column, how, text, after, rows }, { app, audit }) {
    const { serverId, ...of } = await target(app.db, id)
    const { name } = of
    const filter = column === undefined ? {} : { filter: { column, how: how ?? 'contains', text: text ?? '' } }
    audit.of('database', id)
    audit.after({ database: name, table, ...filter })
    const input = { ...of, table, ...filter, ...(after && { after }), rows: Number(rows), seconds: BROWSE_S }
    return TablePage.parse(await liveRead(app, serverId, 'database.browse', input, (BROWSE_S + 8) * 1000))
  },

  async query({ id, sql, rows, seconds }, { app, audit }) {
    const { serverId, ...of } = await target(app.db, id)
    const { name } = of
    audit.of('database', id)
    audit.after({ database: name, sql })
    const input = { ...of, sql, rows: Number(rows), seconds: Number(seconds) }
    return QueryResult.parse(await liveRead(app, serverId, 'database.query', input, (input.seconds + 8) * 1000))
  },
}
