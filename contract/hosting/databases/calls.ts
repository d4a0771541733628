import * as z from 'zod'
import {
  csv,
  del,
  filter,
  get,
  id,
  instant,
  line,
  listQuery,
  pageOf,
  patch,
  post,
  stored,
  version,
  whole,
} from '../../kit/endpoint.ts'
import {
  charset,
  collation,
  databaseEngine,
  databaseHost,
  databaseName,
  databasePrivilege,
  databaseUsername,
} from '../../kit/values.ts'
import { WorkflowWithActions } from '../../machines/workflows.ts'
import { dumpCalls } from './dumps.ts'
import { liveCalls } from './live.ts'
import { replacementCalls } from './replacements.ts'

export { databaseEngine } from '../../kit/values.ts'
export {
  ChangedRows,
  DatabaseConnection,
  QueryResult,
  RemoteAccess,
  SlowStatement,
  TablePage,
} from './liveShapes.ts'
export const databaseStatus = z.enum(['creating', 'active', 'failed', 'deleting', 'deleted'])
export const databaseUserStatus = z.enum(['creating', 'active', 'failed', 'deleting'])
/** `read`: SELECT and SHOW VIEW. `custom`: the privileges of `chosen`. */
export const privileges = z.enum(['all', 'read', 'custom'])

/** An account with access to a database. Only `reveal` answers its password. */
export const DatabaseUser = z.object({
  ...stored,
  username: z.string(),
  /** Host that the account connects from. `localhost` means the socket and 127.0.0.1. */
  host: z.string(),
  privileges,
  chosen: z.array(databasePrivilege),
  locked: z.boolean(),
})
export type DatabaseUser = z.output<typeof DatabaseUser>

/** An account with all its databases. */
export const DatabaseAccount = DatabaseUser.omit({ privileges: true, chosen: true }).extend({
  engine: databaseEngine,
  status: databaseUserStatus,
  /** True: the website is suspended, which locks the account. */
  suspended: z.boolean(),
  websiteId: z.int(),
  domain: z.string(),
  serverId: z.int(),
  serverName: z.string(),
  ownerId: z.int(),
  ownerName: z.string(),
  databases: z.array(z.object({ id: z.int(), name: z.string(), privileges, chosen: z.array(databasePrivilege) })),
  /** A login that a staff member opened, and that Innkeeper deletes when it ends. */
  login: z.object({ by: z.string(), reason: z.string(), endsAt: instant }).nullable(),
  /** The running workflow, or the last one. */
  workflowId: z.int().nullable(),
})
export type DatabaseAccount = z.output<typeof DatabaseAccount>

export const Database = z.object({
  ...stored,
  name: z.string(),
  engine: databaseEngine,
  websiteId: z.int(),
  domain: z.string(),
  ownerId: z.int(),
  ownerName: z.string(),
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

/** Contents as the server answers now. Row counts are estimates of the engine. */
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

/** A deleted account. Its password and privileges stay in the trash of the server until `purgeAfter`. */
export const TrashedDatabaseUser = DatabaseUser.pick({ id: true, username: true, host: true, version: true }).extend({
  serverName: z.string(),
  deletedAt: instant,
  purgeAfter: instant,
})
export type TrashedDatabaseUser = z.output<typeof TrashedDatabaseUser>

const started = z.object({ data: Database, workflowId: z.int() })
/** `workflowId` is null if nothing changed. */
const mayStart = started.extend({ workflowId: z.int().nullable() })
const userStarted = z.object({ data: DatabaseAccount, workflowId: z.int() })
const userMayStart = userStarted.extend({ workflowId: z.int().nullable() })

/** Several websites. An empty list is answered with an empty result. */
const websiteIds = z.preprocess((value) => value, csv(id).optional())

/** Databases of an account, all on its website, with its privileges there. */
const grants = z
  .array(
    z
      .object({ id, privileges: privileges.default('all'), chosen: z.array(databasePrivilege).max(30).default([]) })
      .refine((one) => one.privileges !== 'custom' || one.chosen.length > 0, 'Choose at least one privilege'),
  )
  .max(100)
  .refine((all) => new Set(all.map((one) => one.id)).size === all.length, 'Each database once')

export const databases = {
  list: get('/database/databases', 'database:database:read', {
    summary: 'Databases of all websites by search and filters',
    query: {
      ...listQuery(['name', 'createdAt', 'sizeMb']),
      search: filter(z.string().trim().max(120)),
      websiteIds,
      server: filter(csv(id)),
      owner: filter(csv(id)),
      engine: filter(csv(databaseEngine)),
      status: filter(csv(databaseStatus)),
    },
    returns: pageOf(Database),
    aliases: ['/database', '/database/database'],
  }),
  ofWebsite: get('/database/websites/:id', 'database:database:read', {
    summary: 'Databases of a website with their accounts, and deleted ones',
    returns: z.object({
      items: z.array(Database),
      total: z.int(),
      trash: z.array(TrashedDatabase),
      trashedUsers: z.array(TrashedDatabaseUser),
    }),
  }),
  create: post('/database/databases', 'database:database:create', {
    summary: 'Create a database with its own account for a website',
    body: {
      websiteId: id,
      engine: databaseEngine.default('mariadb'),
      /** Default: derived from the domain. */
      name: databaseName.optional(),
      username: databaseUsername.optional(),
      /** Of MariaDB; a PostgreSQL database has UTF8 and C.UTF-8. */
      charset: charset.optional(),
      collation: collation.optional(),
    },
    returns: started,
    aliases: ['/database', '/database/database'],
  }),
  one: get('/database/databases/:id', 'database:database:read', {
    summary: 'One database',
    returns: Database,
    aliases: ['/database/database/:id'],
  }),
  update: patch('/database/databases/:id', 'database:database:update', {
    summary: 'Rename a database or change its character set; accounts and the configuration of the website are updated',
    body: {
      name: databaseName.optional(),
      charset: charset.optional(),
      collation: collation.optional(),
      /** Converts existing tables too. Without it, the character set applies to new tables only. */
      tables: z.boolean().optional(),
      version,
    },
    status: [200, 202],
    returns: mayStart,
    aliases: ['/database/database/:id'],
  }),
  contents: get('/database/databases/:id/contents', 'database:database:read', {
    summary: 'Tables with rows and bytes, read from the server now',
    live: true,
    returns: DatabaseContents,
  }),
  orphans: get('/database/orphans/:server', 'database:database:read', {
    summary: 'Databases that only the server has or only Innkeeper has, read from the server now',
    live: true,
    returns: z.object({
      unknown: z.array(z.object({ name: z.string(), engine: databaseEngine, sizeMb: z.number() })),
      missing: z.array(z.object({ id: z.int(), name: z.string(), engine: databaseEngine, websiteId: z.int() })),
      at: instant,
    }),
  }),
  adopt: post('/database/orphans/:server', 'database:orphan:adopt', {
    summary: 'Make an unknown database of a server a database of a website; its data stays unchanged',
    body: { name: databaseName, engine: databaseEngine.default('mariadb'), websiteId: id },
    live: true,
    effect: 'stream',
    returns: Database,
  }),
  remove: del('/database/databases/:id', 'database:database:delete', {
    summary: 'Delete a database and its account; the trash of the server keeps a dump',
    /** Confirmation: the name of the database as the person typed it. */
    body: { version, name: databaseName },
    status: 202,
    returns: started,
    aliases: ['/database/database/:id'],
  }),
  restore: post('/database/databases/:id/restore', 'database:trash:restore', {
    summary: 'Restore a deleted database with its account from the trash',
    body: { version },
    status: 202,
    returns: started,
  }),
  openLogin: post('/database/databases/:id/logins', 'database:login:create', {
    summary: 'Open a login to a database for 15 to 120 minutes; writing needs database:login:write as well',
    body: {
      minutes: whole(15, 120).default(30),
      privileges: z.enum(['read', 'all']).default('read'),
      reason: line(200),
    },
    returns: userStarted.extend({ password: z.string() }),
  }),
  users: get('/database/users', 'database:user:read', {
    summary: 'Database accounts of all websites by search and filters',
    query: {
      ...listQuery(['username', 'createdAt']),
      search: filter(z.string().trim().max(120)),
      websiteIds,
      server: filter(csv(id)),
      owner: filter(csv(id)),
      engine: filter(csv(databaseEngine)),
      locked: filter(z.stringbool()),
    },
    returns: pageOf(DatabaseAccount),
    aliases: ['/database/database-users'],
  }),
  user: get('/database/users/:id', 'database:user:read', {
    summary: 'One database account',
    returns: DatabaseAccount,
    aliases: ['/database/database-users/:id'],
  }),
  createUser: post('/database/users', 'database:user:create', {
    summary: 'Create a database account for a website; Innkeeper chooses its password',
    body: {
      websiteId: id,
      engine: databaseEngine.default('mariadb'),
      username: databaseUsername,
      host: databaseHost.default('localhost'),
      databases: grants.default([]),
    },
    returns: userStarted,
    aliases: ['/database/database-users'],
  }),
  updateUser: patch('/database/users/:id', 'database:user:update', {
    summary: 'Change the host, the databases, the privileges or the lock of a database account',
    body: {
      host: databaseHost.optional(),
      databases: grants.optional(),
      locked: z.boolean().optional(),
      version,
    },
    status: [200, 202],
    returns: userMayStart,
    aliases: ['/database/database-users/:id'],
  }),
  removeUser: del('/database/users/:id', 'database:user:delete', {
    summary: 'Delete a database account; the trash of the server keeps its password and privileges',
    body: { version },
    status: 202,
    returns: userStarted,
    aliases: ['/database/database-users/:id'],
  }),
  restoreUser: post('/database/users/:id/restore', 'database:trash:restore', {
    summary: 'Restore a deleted database account with its password and privileges',
    body: { version },
    status: 202,
    returns: userStarted,
  }),
  reveal: post('/database/users/:id/reveal', 'database:user:update', {
    summary: 'Show the password of a database account; the action log records it',
    status: 200,
    returns: z.object({ username: z.string(), password: z.string() }),
  }),
  rotate: post('/database/users/:id/password', 'database:user:update', {
    summary: 'Set a new password for a database account and write it into the configuration of known applications',
    body: { version },
    status: 202,
    returns: userStarted,
  }),
  ...dumpCalls,
  ...liveCalls,
  ...replacementCalls,
  runs: get('/database/logs', 'database:database:read', {
    summary: 'Workflows of databases and accounts that are not dismissed, newest first',
    query: { websiteIds },
    returns: z.object({ items: z.array(WorkflowWithActions), total: z.int() }),
  }),
  dismissAll: del('/database/logs', 'database:logs:delete', {
    summary: 'Dismiss all ended and stopped workflows of databases, or these; the action log keeps them',
    query: { ids: filter(csv(id)), websiteIds },
    status: 204,
  }),
  dismiss: del('/database/logs/:id', 'database:logs:delete', {
    summary: 'Dismiss an ended or stopped workflow of a database; the action log keeps it',
    status: 204,
  }),
}
