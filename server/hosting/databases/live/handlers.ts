import {
  ChangedRows,
  type databases as contract,
  DatabaseConnection,
  QueryResult,
  SlowStatement,
  TablePage,
} from '@innkeeper/contract/hosting/databases/calls'
import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { liveRead } from '../../../kit/agents/liveRead.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { notFound, refused } from '../../../kit/http/errors.ts'
import { readDatabase } from '../read.ts'
import { engineOf } from '../steps.ts'

const Connections = z.object({ connections: z.array(DatabaseConnection) })
const Slow = z.object({
  seconds: z.number().nullable(),
  unit: z.enum(['rows', 'pages']),
  statements: z.array(SlowStatement),
})
const BROWSE_S = 10
const Ended = z.object({ ended: z.boolean() })

/** The server of a database, and how an operation names the database. */
async function target(db: Db, id: number) {
  const database = await readDatabase(db, id)
  return { serverId: database.serverId, name: database.name, ...engineOf(database) }
}

type Names = 'connections' | 'endConnection' | 'query' | 'browse' | 'write' | 'slow'

/** Refuses while a workflow works on the website: a move or a merge would lose changes made during that time. */
async function checkQuiet(db: Db, id: number): Promise<void> {
  const { name, status, websiteId } = await readDatabase(db, id)
  if (status !== 'active') throw refused(`${name} is ${status}: its rows can be changed only while it is active`)
  const [held] = await rows(db, sql`select from resource_locks where resource = ${`website:${websiteId}`}`)
  if (held) throw refused(`A workflow is changing the website of ${name}: wait for its end`)
}

export const liveHandlers: Pick<Handlers<typeof contract>, Names> = {
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
    return TablePage.parse(await liveRead(app, serverId, 'database.browse', input))
  },

  async slow({ id }, { app }) {
    const { serverId, ...of } = await target(app.db, id)
    const { seconds, unit, statements } = Slow.parse(await liveRead(app, serverId, 'database.slow', of))
    return { seconds, unit, items: statements, total: statements.length, at: new Date().toISOString() }
  },

  async write({ id, sql: text, seconds, rows: limit, expected }, { app, audit }) {
    const { serverId, ...of } = await target(app.db, id)
    await checkQuiet(app.db, id)
    const most = Number(limit)
    if (expected !== undefined && Number(expected) > most)
      throw refused(`${expected} rows are more than the limit of ${most}`, { rows: 'Raise the limit first' })
    audit.of('database', id)
    const wanted = expected === undefined ? {} : { expected: Number(expected) }
    audit.after({ database: of.name, sql: text, ...wanted })
    const input = { ...of, sql: text, seconds: Number(seconds), ...wanted }
    const answer = ChangedRows.parse(await liveRead(app, serverId, 'database.write', input))
    audit.after({ database: of.name, sql: text, ...wanted, rows: answer.rows, committed: answer.committed })
    return answer
  },

  async query({ id, sql, rows, seconds }, { app, audit }) {
    const { serverId, ...of } = await target(app.db, id)
    const { name } = of
    audit.of('database', id)
    audit.after({ database: name, sql })
    const input = { ...of, sql, rows: Number(rows), seconds: Number(seconds) }
    return QueryResult.parse(await liveRead(app, serverId, 'database.query', input))
  },
}
