import * as z from 'zod'
import { del, get, instant, post, whole } from '../../kit/endpoint.ts'
import { columnName, databaseSql, filterHow, tableName } from '../../kit/values.ts'
import { ChangedRows, DatabaseConnection, QueryResult, RemoteAccess, SlowStatement, TablePage } from './liveShapes.ts'

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
