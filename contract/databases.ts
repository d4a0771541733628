import * as z from 'zod'
import { del, get, id, instant, post, stored, version } from './kit.ts'
import { charset, collation, databaseName, databaseUsername } from './values.ts'

export const databaseEngine = z.enum(['mariadb', 'postgresql'])
export const databaseStatus = z.enum(['creating', 'active', 'failed', 'deleting', 'deleted'])
export const privileges = z.enum(['all', 'read'])

/** Who may come to it. A password is in no answer but that of `reveal`. */
export const DatabaseUser = z.object({
  ...stored,
  username: z.string(),
  /** Where it comes from; `localhost` is the socket and 127.0.0.1. */
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
  /** MiB, when its server was last asked. */
  sizeMb: z.number().nullable(),
  sizeSeenAt: instant.nullable(),
  /** The workflow at work on it, or the last one. */
  workflowId: z.int().nullable(),
  /** What an application has to know, apart from the password. */
  connection: z.object({ host: z.string(), port: z.int(), socket: z.string() }),
  users: z.array(DatabaseUser),
})
export type Database = z.output<typeof Database>

/** One that was deleted by itself; its dump lies in the trash of its server until `purgeAfter`. */
export const TrashedDatabase = Database.pick({ id: true, name: true, version: true, serverName: true }).extend({
  deletedAt: instant,
  purgeAfter: instant,
})
export type TrashedDatabase = z.output<typeof TrashedDatabase>

/** As its server answers now; rows are MariaDB's estimate. */
export const DatabaseContents = z.object({
  there: z.boolean(),
  bytes: z.number(),
  views: z.int(),
  tables: z.array(z.object({ name: z.string(), engine: z.string().nullable(), rows: z.number(), bytes: z.number() })),
  /** What runs as an account that does not exist there, and cannot be used. */
  missing: z.array(z.object({ what: z.string(), name: z.string(), definer: z.string() })),
  at: instant,
})
export type DatabaseContents = z.output<typeof DatabaseContents>

const started = z.object({ data: Database, workflowId: z.int() })

export const databases = {
  ofWebsite: get('/database/websites/:id', 'database:database:read', {
    summary: 'The databases of a website, with who may come to them, and what was deleted of them',
    returns: z.object({ items: z.array(Database), total: z.int(), trash: z.array(TrashedDatabase) }),
  }),
  create: post('/database/databases', 'database:database:create', {
    summary: 'A MariaDB database for a website, on its server, with an account of its own',
    body: {
      websiteId: id,
      /** Default: after the domain. */
      name: databaseName.optional(),
      username: databaseUsername.optional(),
      charset: charset.optional(),
      collation: collation.optional(),
    },
    returns: started,
  }),
  one: get('/database/databases/:id', 'database:database:read', { summary: 'One database', returns: Database }),
  contents: get('/database/databases/:id/contents', 'database:database:read', {
    summary: 'Its tables with their rows and bytes, asked of its server now',
    live: true,
    returns: DatabaseContents,
  }),
  remove: del('/database/databases/:id', 'database:database:delete', {
    summary: 'Delete a database and its account; its dump is kept in the trash of its server',
    /** Its name, as whoever asks has typed it. */
    body: { version, name: databaseName },
    status: 202,
    returns: started,
  }),
  restore: post('/database/databases/:id/restore', 'database:trash:restore', {
    summary: 'Bring a deleted database back out of the trash, with its rows and its account',
    body: { version },
    status: 202,
    returns: started,
  }),
  reveal: post('/database/users/:id/reveal', 'database:user:update', {
    summary: 'Show the password of a database account; who asked stands in the action log',
    status: 200,
    returns: z.object({ username: z.string(), password: z.string() }),
  }),
  rotate: post('/database/users/:id/password', 'database:user:update', {
    summary: 'Give a database account a new password',
    body: { version },
    status: 202,
    returns: started,
  }),
}
