import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { deletable, identity, instant, stored } from '../kit/db/columns.ts'
import { workflows } from '../kit/work/tables.ts'
import { servers } from '../servers/tables.ts'
import { websites } from '../websites/tables.ts'

/** A database of a website, on a server. */
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
    /** The database of the live website that it is a copy of. */
    copyOfId: integer().references((): AnyPgColumn => databases.id),
    /** Bytes, when its server was last asked. */
    size: bigint({ mode: 'number' }),
    sizeSeenAt: instant(),
    /** It went with its website, and comes back with it. */
    deletedWithWebsite: boolean().notNull().default(false),
    /** Of one that was deleted by itself: until then its server keeps the dump. */
    purgeAfter: instant(),
    /** The workflow at work on it, or the last one. */
    workflowId: integer().references(() => workflows.id),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    uniqueIndex('databases_name').on(t.serverId, t.engine, t.name).where(sql`${t.deletedAt} is null`),
    index('databases_website').on(t.websiteId),
    index('databases_created').on(t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('databases_by_name').on(t.name, t.id).where(sql`${t.deletedAt} is null`),
    index('databases_search').using('gin', sql`${t.name} gin_trgm_ops`).where(sql`${t.deletedAt} is null`),
  ],
)

/** An account of a database server. Its password is the secret of that name. */
export const databaseUsers = pgTable(
  'database_users',
  {
    id: identity('database_user_id'),
    username: text().notNull(),
    host: text().notNull().default('localhost'),
    websiteId: integer()
      .notNull()
      .references(() => websites.id),
    serverId: integer()
      .notNull()
      .references(() => servers.id),
    /** By people; a suspended website locks it besides. */
    locked: boolean().notNull().default(false),
    secret: text().notNull(),
    /** What it gets when the workflow at work is done. */
    nextSecret: text(),
    deletedWithWebsite: boolean().notNull().default(false),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    uniqueIndex('database_users_name').on(t.serverId, t.username, t.host).where(sql`${t.deletedAt} is null`),
    index('database_users_website').on(t.websiteId),
    index('database_users_created').on(t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('database_users_by_name').on(t.username, t.id).where(sql`${t.deletedAt} is null`),
    index('database_users_search').using('gin', sql`${t.username} gin_trgm_ops`).where(sql`${t.deletedAt} is null`),
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
    privileges: text({ enum: ['all', 'read'] })
      .notNull()
      .default('all'),
  },
  (t) => [
    primaryKey({ columns: [t.databaseUserId, t.databaseId] }),
    index('database_grants_database').on(t.databaseId),
  ],
)
