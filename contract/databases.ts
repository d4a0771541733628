import * as z from 'zod'
import { del, get, id, instant, post, stored, version } from './kit.ts'
import { charset, collation, databaseName, databaseUsername } from './values.ts'

export const databaseEngine = z.enum(['mariadb', 'postgresql'])
export const databaseStatus = z.enum(['creating', 'active', 'failed', 'deleting', 'deleted'])
export const privileges = z.enum(['all', 'read'])

/** An account with access to a database. Only `reveal` answers its password. */
export const DatabaseUser = z.object({
  ...stored,
  username: z.string(),
  /** Host that the account connects from. `localhost` means the socket and 127.0.0.1. */
  host: z.string(),
  privileges,
  locked: z.boolean(),
})
export type DatabaseUser = z.output<typeof DatabaseUser>

export const Database = z.object({
  ...stored,
  name: z.string(),
  engine: databaseEngine,
  websiteId: z.int(),
  domain: z.string(),
  serverId: z.int(),
  serverName: z.string(),
  charset: z.string(),
  collation: z.string(),
  status: databaseStatus,
  /** Size in MiB when the server was last measured. */
  sizeMb: z.number().nullable(),
  sizeSeenAt: instant.nullable(),
  /** The running workflow, or the last one. */
  workflowId: z.int().nullable(),
  /** Connection settings for an application, without the password. */
  connection: z.object({ host: z.string(), port: z.int(), socket: z.string() }),
  users: z.array(DatabaseUser),
})
export type Database = z.output<typeof Database>

/** A database that was deleted without its website. Its dump stays in the trash of the server until `purgeAfter`. */
export const TrashedDatabase = Database.pick({ id: true, name: true, version: true, serverName: true }).extend({
  deletedAt: instant,
  purgeAfter: instant,
})
export type TrashedDatabase = z.output<typeof TrashedDatabase>

/** Contents as the server answers now. Row counts are estimates of MariaDB. */
export const DatabaseContents = z.object({
  there: z.boolean(),
  bytes: z.number(),
  views: z.int(),
  tables: z.array(z.object({ name: z.string(), engine: z.string().nullable(), rows: z.number(), bytes: z.number() })),
  /** Views, triggers and routines whose definer does not exist on the server, so that they fail. */
  missing: z.array(z.object({ what: z.string(), name: z.string(), definer: z.string() })),
  at: instant,
})
export type DatabaseContents = z.output<typeof DatabaseContents>

const started = z.object({ data: Database, workflowId: z.int() })

export const databases = {
  ofWebsite: get('/database/websites/:id', 'database:database:read', {
    summary: 'Databases of a website with their accounts, and deleted ones',
    returns: z.object({ items: z.array(Database), total: z.int(), trash: z.array(TrashedDatabase) }),
  }),
  create: post('/database/databases', 'database:database:create', {
    summary: 'Create a MariaDB database with its own account for a website',
    body: {
      websiteId: id,
      /** Default: derived from the domain. */
      name: databaseName.optional(),
      username: databaseUsername.optional(),
      charset: charset.optional(),
      collation: collation.optional(),
    },
    returns: started,
  }),
  one: get('/database/databases/:id', 'database:database:read', { summary: 'One database', returns: Database }),
  contents: get('/database/databases/:id/contents', 'database:database:read', {
    summary: 'Tables with rows and bytes, read from the server now',
    live: true,
    returns: DatabaseContents,
  }),
  remove: del('/database/databases/:id', 'database:database:delete', {
    summary: 'Delete a database and its account; the trash of the server keeps a dump',
    /** Confirmation: the name of the database as the person typed it. */
    body: { version, name: databaseName },
    status: 202,
    returns: started,
  }),
  restore: post('/database/databases/:id/restore', 'database:trash:restore', {
    summary: 'Restore a deleted database with its account from the trash',
    body: { version },
    status: 202,
    returns: started,
  }),
  reveal: post('/database/users/:id/reveal', 'database:user:update', {
    summary: 'Show the password of a database account; the action log records it',
    status: 200,
    returns: z.object({ username: z.string(), password: z.string() }),
  }),
  rotate: post('/database/users/:id/password', 'database:user:update', {
    summary: 'Set a new password for a database account',
    body: { version },
    status: 202,
    returns: started,
  }),
}
