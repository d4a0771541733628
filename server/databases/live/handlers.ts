import { type databases as contract, DatabaseConnection, QueryResult } from '@innkeeper/contract/databases'
import * as z from 'zod'
import { liveRead } from '../../kit/agents/liveRead.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { notFound } from '../../kit/http/errors.ts'
import { readDatabase } from '../read.ts'

const Connections = z.object({ connections: z.array(DatabaseConnection) })
const Ended = z.object({ ended: z.boolean() })

export const liveHandlers: Pick<Handlers<typeof contract>, 'connections' | 'endConnection' | 'query'> = {
  async connections({ id }, { app }) {
    const { serverId, name } = await readDatabase(app.db, id)
    const { connections } = Connections.parse(await liveRead(app, serverId, 'database.connections', { name }))
    return { items: connections, total: connections.length, at: new Date().toISOString() }
  },

  async endConnection({ id, connection }, { app, audit }) {
    const { serverId, name } = await readDatabase(app.db, id)
    audit.of('database', id)
    audit.after({ database: name, endedConnection: connection })
    const { ended } = Ended.parse(await liveRead(app, serverId, 'database-connection.end', { name, connection }))
    if (!ended) throw notFound('connection', connection)
  },

  async query({ id, sql, rows, seconds }, { app, audit }) {
    const { serverId, name } = await readDatabase(app.db, id)
    audit.of('database', id)
    audit.after({ database: name, sql })
    const input = { name, sql, rows: Number(rows), seconds: Number(seconds) }
    return QueryResult.parse(await liveRead(app, serverId, 'database.query', input, (input.seconds + 8) * 1000))
  },
}
