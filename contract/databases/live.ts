import * as z from 'zod'
import { del, get, instant, post, whole } from '../kit.ts'
import { columnName, databaseEngine, databaseSql, filterHow, tableName } from '../values.ts'

/** A connection to a database, as its server answers now. */
export const DatabaseConnection = z.object({
  id: z.int(),
  user: z.string(),
  host: z.string(),
  command: z.string(),
  /** Seconds in the current state. */
  seconds: z.number(),
  state: z.string().nullable(),
  /** The running statement, cut after 1,000 characters. */
  sql: z.string().nullable(),
})
export type DatabaseConnection = z.output<typeof DatabaseConnection>

/** Remote access to the database engines of a server: the accounts, and the current state of each on the server. */
export const RemoteAccess = z.object({
  engines: z.array(
    z.object({
      engine: databaseEngine,
      port: z.int(),
      listens: z.enum(['network', 'loopback', 'nowhere']),
      /** SHA-256 of the certificate that clients see. */
      fingerprint: z.string().nullable(),
      /** True: the firewall opens the port for exactly the accounts of this list. */
      guarded: z.boolean(),
    }),
  ),
  accounts: z.array(
    z.object({
      id: z.int(),
      engine: databaseEngine,
      username: z.string(),
      /** Address or network. */
      host: z.string(),
      websiteId: z.int(),
      domain: z.string(),
      ownerName: z.string(),
      databases: z.array(z.string()),
      /** `missing`: the account should have access, and the server refuses it. */
      state: z.enum(['open', 'locked', 'missing']),
    }),
  ),
  /** Remote access that the server allows and Innkeeper does not know. */
  strangers: z.array(z.object({ engine: databaseEngine, username: z.string(), host: z.string() })),
  address: z.string().nullable(),
  at: instant,
})
export type RemoteAccess = z.output<typeof RemoteAccess>

/** Rows of a query. `more`: the limit cut the result. */
export const QueryResult = z.object({
  columns: z.array(z.string()),
  rows: z.array(z.array(z.string().nullable())),
  more: z.boolean(),
  milliseconds: z.int(),
})
export type QueryResult = z.output<typeof QueryResult>

/** What a change of rows does. `committed`: the change is done; otherwise nothing changed. */
export const ChangedRows = z.object({ rows: z.int(), committed: z.boolean(), milliseconds: z.int() })
export type ChangedRows = z.output<typeof ChangedRows>

/** Statements that took long, without their values. */
export const SlowStatement = z.object({
  sql: z.string(),
  /** Runs that took longer than the limit. */
  count: z.int(),
  totalMs: z.number(),
  worstMs: z.number(),
  lastAt: instant,
  /** Rows or pages that the engine read for all runs, by `unit`. Null: the engine does not report them. */
  examined: z.number().nullable(),
  /** Rows that all runs answered or changed. */
  sent: z.number().nullable(),
})
export type SlowStatement = z.output<typeof SlowStatement>

/** A page of a table. `next`: the value for `after`; null on the last page, and for a table without a key. */
export const TablePage = z.object({
  columns: z.array(
    z.object({ name: z.string(), type: z.string(), nullable: z.boolean(), key: z.boolean(), binary: z.boolean() }),
  ),
  indexes: z.array(z.object({ name: z.string(), columns: z.string(), unique: z.boolean() })),
  rows: z.array(z.array(z.string().nullable())),
  more: z.boolean(),
  next: z.array(z.string()).nullable(),
  milliseconds: z.int(),
})
export type TablePage = z.output<typeof TablePage>

/** What a server answers about its databases now. */
export const liveCalls = {
  connections: get('/database/databases/:id/connections', 'database:database:read', {
    summary: 'Open connections of a database with their statements, longest first, read from the server now',
    live: true,
    returns: z.object({ items: z.array(DatabaseConnection), total: z.int(), at: instant }),
  }),
  endConnection: del('/database/databases/:id/connections/:connection', 'database:connection:end', {
    summary: 'End a connection of a database; its transaction is rolled back',
    live: true,
    effect: 'stream',
    status: 204,
  }),
  query: post('/database/databases/:id/query', 'database:database:query', {
    summary: 'Run SQL that reads a database, with a time limit and a row limit; the action log records it',
    body: { sql: databaseSql, rows: whole(1, 1000).default(200), seconds: whole(1, 60).default(10) },
    live: true,
    effect: 'stream',
    status: 200,
    returns: QueryResult,
  }),
  write: post('/database/databases/:id/changes', 'database:database:write', {
    summary:
      'Run one INSERT, UPDATE, DELETE or MERGE: answers how many rows it would change, and changes them on request',
    body: {
      sql: databaseSql,
      seconds: whole(1, 60).default(10),
      /** Maximum number of rows that may change. */
      rows: whole(1, 100_000).default(1000),
      /** Commits if exactly this many rows change. Absent: nothing changes. */
      expected: whole(0, 100_000).optional(),
    },
    live: true,
    effect: 'stream',
    status: 200,
    returns: ChangedRows,
  }),
  slow: get('/database/databases/:id/slow', 'database:database:read', {
    summary: 'Slow statements of a database without their values, with their time and rows, read from the server now',
    live: true,
    returns: z.object({
      /** Seconds from which a statement is slow. Null: the server does not log slow statements. */
      seconds: z.number().nullable(),
      /** What `examined` counts: rows, or pages of 8 KiB. */
      unit: z.enum(['rows', 'pages']),
      items: z.array(SlowStatement),
      total: z.int(),
      at: instant,
    }),
  }),
  browse: post('/database/databases/:id/rows', 'database:database:query', {
    summary: 'Structure of a table and a page of its rows by its key and a filter; the action log records it',
    body: {
      table: tableName,
      column: columnName.optional(),
      how: filterHow.default('contains'),
      text: z.string().max(1000).default(''),
      after: z.array(z.string().max(3100)).max(16).optional(),
      rows: whole(1, 200).default(50),
    },
    live: true,
    effect: 'stream',
    status: 200,
    returns: TablePage,
  }),
  remoteAccess: get('/database/access/:server', 'database:user:read', {
    summary: 'Remote access to the databases of a server, compared with its firewall and engines now',
    live: true,
    returns: RemoteAccess,
  }),
}
