import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { deletable, identity, instant, stored } from '../../kit/db/columns.ts'
import { workflows } from '../../kit/work/tables.ts'
import { servers } from '../../machines/servers/tables.ts'
import { websites } from '../websites/tables.ts'

/** Settings of an FTP user that people choose. */
export interface FtpSettings {
  username: string
  folder: string
  quotaMb: number | null
  uploadKbps: number | null
  downloadKbps: number | null
  sessions: number | null
  expiresAt: string | null
  status: 'active' | 'suspended' | 'disabled'
  reason: string | null
  /** Name of the secret with the hash of the password. */
  secret: string
  passwordSetAt: string
}

export const ftpUsers = pgTable(
  'ftp_users',
  {
    id: identity('ftp_user_id'),
    username: text().notNull(),
    websiteId: integer()
      .notNull()
      .references(() => websites.id),
    serverId: integer()
      .notNull()
      .references(() => servers.id),
    folder: text().notNull(),
    quotaMb: integer(),
    uploadKbps: integer(),
    downloadKbps: integer(),
    sessions: integer(),
    expiresAt: instant(),
    status: text({ enum: ['active', 'suspended', 'disabled'] })
      .notNull()
      .default('active'),
    reason: text(),
    secret: text().notNull(),
    passwordSetAt: instant().notNull().default(sql`now()`),
    state: text({ enum: ['creating', 'ready', 'failed', 'deleting', 'deleted'] }).notNull(),
    /** Values that the running workflow changes. The row gets these values when the workflow is done. */
    next: jsonb().$type<Partial<FtpSettings>>(),
    /** When the sessions of an expired user were ended. */
    closedAt: instant(),
    /** When Innkeeper tries again to end the sessions, after a failed attempt. */
    retryAt: instant(),
    lastLoginAt: instant(),
    lastLoginFrom: text(),
    /** True: deleted together with its website, and restored with it. */
    deletedWithWebsite: boolean().notNull().default(false),
    /** The running or latest workflow. */
    workflowId: integer().references(() => workflows.id),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    uniqueIndex('ftp_users_name').on(t.serverId, t.username).where(sql`${t.deletedAt} is null`),
    index('ftp_users_website').on(t.websiteId),
    index('ftp_users_by_name').on(t.username, t.id).where(sql`${t.deletedAt} is null`),
    index('ftp_users_created').on(t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('ftp_users_login').on(sql`coalesce(${t.lastLoginAt}, 'epoch')`, t.id).where(sql`${t.deletedAt} is null`),
    index('ftp_users_expiry').on(t.expiresAt).where(sql`${t.deletedAt} is null and ${t.closedAt} is null`),
    index('ftp_users_search').using('gin', sql`lower(${t.username}) gin_trgm_ops`).where(sql`${t.deletedAt} is null`),
  ],
)

/** The FTP service of servers that have or had an FTP user. */
export const ftpServers = pgTable('ftp_servers', {
  serverId: integer()
    .primaryKey()
    .references(() => servers.id),
  plain: boolean().notNull().default(false),
  nextPlain: boolean(),
  /** When the service was set up. */
  readyAt: instant(),
  /** End of the period for which logins and failed attempts were read. */
  readUntil: instant(),
  ...stored(),
})
