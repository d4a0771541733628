import type { DumpLook } from '@innkeeper/contract/hosting/databases/dumps'
import type { Replacement } from '@innkeeper/contract/hosting/databases/replacements'
import type { DatabasePrivilege } from '@innkeeper/contract/kit/values'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { deletable, identity, instant, stored } from '../../kit/db/columns.ts'
import { workflows } from '../../kit/work/tables.ts'
import { servers } from '../../machines/servers/tables.ts'
import { websites } from '../websites/tables.ts'

/** Values that the row takes when the running workflow is done. */
export interface NextDatabase {
  name?: string
  charset?: string
  collation?: string
}
export interface Grant {
  databaseId: number
  privileges: 'all' | 'read' | 'custom'
  chosen: DatabasePrivilege[]
}
export interface NextUser {
  host?: string
  locked?: boolean
  grants?: Grant[]
}

/** Databases of websites. */
export const databases = pgTable(
  'databases',
  {
    id: identity('database_id'),
    name: text().notNull(),
    engine: text({ enum: ['mariadb', 'postgresql'] })
      .notNull()
      .default('mariadb'),
    websiteId: integer()
      .notNull()
      .references(() => websites.id),
    serverId: integer()
      .notNull()
      .references(() => servers.id),
    charset: text().notNull().default('utf8mb4'),
    collation: text().notNull().default('utf8mb4_unicode_ci'),
    status: text({ enum: ['creating', 'active', 'failed', 'deleting', 'deleted'] }).notNull(),
    /** Database of the live website, if this is the copy of a staging website. */
    copyOfId: integer().references((): AnyPgColumn => databases.id),
    /** Last reported size in bytes. */
    size: bigint({ mode: 'number' }),
    sizeSeenAt: instant(),
    /** Deleted with its website, and restored with it. */
    deletedWithWebsite: boolean().notNull().default(false),
    /** Until when the server keeps the dump of a database that was deleted without its website. */
    purgeAfter: instant(),
    next: jsonb().$type<NextDatabase>(),
    /** The running or latest workflow. */
    workflowId: integer().references(() => workflows.id, { onDelete: 'set null' }),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    uniqueIndex('databases_name').on(t.serverId, t.engine, t.name).where(sql`${t.deletedAt} is null`),
    index('databases_website').on(t.websiteId),
    index('databases_created').on(t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('databases_by_name').on(t.name, t.id).where(sql`${t.deletedAt} is null`),
    index('databases_size').on(sql`coalesce(${t.size}, -1)`, t.id).where(sql`${t.deletedAt} is null`),
    index('databases_search').using('gin', sql`lower(${t.name}) gin_trgm_ops`).where(sql`${t.deletedAt} is null`),
  ],
)

/** Accounts of a database server. `secret` is the name of the secret with the password. */
export const databaseUsers = pgTable(
  'database_users',
  {
    id: identity('database_user_id'),
    username: text().notNull(),
    engine: text({ enum: ['mariadb', 'postgresql'] })
      .notNull()
      .default('mariadb'),
    host: text().notNull().default('localhost'),
    websiteId: integer()
      .notNull()
      .references(() => websites.id),
    serverId: integer()
      .notNull()
      .references(() => servers.id),
    status: text({ enum: ['creating', 'active', 'failed', 'deleting'] })
      .notNull()
      .default('active'),
    /** Locked by staff. A suspended website locks the account too. */
    locked: boolean().notNull().default(false),
    secret: text().notNull(),
    /** Name of the secret that replaces `secret` once the running workflow is done. */
    nextSecret: text(),
    next: jsonb().$type<NextUser>(),
    deletedWithWebsite: boolean().notNull().default(false),
    /** When a timed login ends. This, `loginReason` and `loginBy` are null for other accounts. */
    loginEndsAt: instant(),
    loginReason: text(),
    loginBy: text(),
    /** When Innkeeper tries again to delete the login, after a failed attempt. */
    retryAt: instant(),
    /** Until when the server keeps an account that was deleted without its website or database. */
    purgeAfter: instant(),
    workflowId: integer().references(() => workflows.id, { onDelete: 'set null' }),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    uniqueIndex('database_users_name').on(t.serverId, t.engine, t.username, t.host).where(sql`${t.deletedAt} is null`),
    index('database_users_website').on(t.websiteId),
    index('database_users_login').on(t.loginEndsAt).where(sql`${t.deletedAt} is null and ${t.loginEndsAt} is not null`),
    index('database_users_created').on(t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('database_users_by_name').on(t.username, t.id).where(sql`${t.deletedAt} is null`),
    index('database_users_search')
      .using('gin', sql`lower(${t.username}) gin_trgm_ops`)
      .where(sql`${t.deletedAt} is null`),
  ],
)

export const databaseGrants = pgTable(
  'database_grants',
  {
    databaseUserId: integer()
      .notNull()
      .references(() => databaseUsers.id),
    databaseId: integer()
      .notNull()
      .references(() => databases.id),
    privileges: text({ enum: ['all', 'read', 'custom'] })
      .notNull()
      .default('all'),
    /** The privileges, if `privileges` is `custom`. */
    chosen: text().array().$type<DatabasePrivilege[]>().notNull().default(sql`'{}'`),
  },
  (t) => [
    primaryKey({ columns: [t.databaseUserId, t.databaseId] }),
    index('database_grants_database').on(t.databaseId),
  ],
)

/** Dumps that were copied to the server of a database, and the state of their import. */
export const databaseImports = pgTable(
  'database_imports',
  {
    id: identity('database_import_id'),
    databaseId: integer()
      .notNull()
      .references(() => databases.id),
    /** `before`: the contents that the import `revertsId` replaced. */
    source: text({ enum: ['upload', 'folder', 'before'] }).notNull(),
    revertsId: integer().references((): AnyPgColumn => databaseImports.id),
    fileName: text().notNull(),
    size: bigint({ mode: 'number' }),
    status: text({ enum: ['looking', 'ready', 'importing', 'done', 'failed', 'discarded'] }).notNull(),
    look: jsonb().$type<DumpLook>(),
    reason: text(),
    staffName: text().notNull(),
    /** Until when the server keeps the contents that this import replaced. */
    beforeUntil: instant(),
    workflowId: integer().references(() => workflows.id, { onDelete: 'set null' }),
    ...stored(),
  },
  (t) => [
    index('database_imports_database').on(t.databaseId, t.id),
    index('database_imports_workflow').on(t.workflowId),
    index('database_imports_ready').on(t.updatedAt).where(sql`${t.status} = 'ready'`),
  ],
)

/** Dumps of databases for download. `key` names the file in Innkeeper's storage. */
export const databaseExports = pgTable(
  'database_exports',
  {
    id: identity('database_export_id'),
    databaseId: integer()
      .notNull()
      .references(() => databases.id),
    key: text().notNull(),
    fileName: text().notNull(),
    status: text({ enum: ['running', 'ready', 'failed', 'gone'] }).notNull(),
    size: bigint({ mode: 'number' }),
    sha256: text(),
    reason: text(),
    staffName: text().notNull(),
    until: instant(),
    workflowId: integer().references(() => workflows.id, { onDelete: 'set null' }),
    ...stored(),
  },
  (t) => [
    index('database_exports_database').on(t.databaseId, t.id),
    index('database_exports_workflow').on(t.workflowId),
    index('database_exports_until').on(t.until).where(sql`${t.status} = 'ready'`),
  ],
)

/** Texts that were replaced in databases of a website. The agent keeps the former values in a file of the server. */
export const databaseReplacements = pgTable(
  'database_replacements',
  {
    id: identity('database_replacement_id'),
    websiteId: integer()
      .notNull()
      .references(() => websites.id),
    serverId: integer()
      .notNull()
      .references(() => servers.id),
    from: text().notNull(),
    to: text().notNull(),
    how: text({ enum: ['text', 'domain', 'network'] }).notNull(),
    status: text({ enum: ['replacing', 'replaced', 'failed', 'undone', 'reverting', 'reverted'] }).notNull(),
    databases: jsonb().$type<Replacement['databases']>().notNull(),
    staffName: text().notNull(),
    keptUntil: instant().notNull(),
    workflowId: integer().references(() => workflows.id, { onDelete: 'set null' }),
    ...stored(),
  },
  (t) => [
    index('database_replacements_website').on(t.websiteId, t.id),
    index('database_replacements_workflow').on(t.workflowId),
  ],
)
