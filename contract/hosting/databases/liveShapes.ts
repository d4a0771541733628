import * as z from 'zod'
import { instant } from '../../kit/endpoint.ts'
import { databaseEngine } from '../../kit/values.ts'

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
