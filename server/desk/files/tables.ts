import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { users } from '../../access/users/tables.ts'
import { deletable, identity, instant, stored } from '../../kit/db/columns.ts'

export const folders = pgTable(
  'folders',
  {
    id: identity('folder_id'),
    name: text().notNull(),
    parentId: integer().references((): AnyPgColumn => folders.id),
    private: boolean().notNull().default(false),
    /** Private, or below a private folder; maintained by `settle` in arrange.ts. */
    hidden: boolean().notNull().default(false),
    ownerId: integer()
      .notNull()
      .references(() => users.id),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    index('folders_parent').on(t.parentId, sql`lower(${t.name})`, t.id).where(sql`${t.deletedAt} is null`),
    index('folders_owner').on(t.ownerId),
  ],
)

/** Name, folder and access of a blob. */
export const files = pgTable(
  'files',
  {
    id: identity('file_id'),
    name: text().notNull(),
    /** Key of the blob. */
    path: text().notNull().unique(),
    size: bigint({ mode: 'number' }).notNull(),
    type: text().notNull(),
    kind: text({ enum: ['picture', 'pdf', 'text', 'archive', 'media', 'other'] }).notNull(),
    sha256: text().notNull(),
    folderId: integer().references(() => folders.id),
    ownerId: integer()
      .notNull()
      .references(() => users.id),
    isPrivate: boolean().notNull(),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    index('files_name').on(sql`lower(${t.name})`, t.id),
    index('files_size').on(t.size, t.id),
    index('files_created').on(t.createdAt, t.id),
    index('files_folder').on(sql`coalesce(${t.folderId}, 0)`, sql`lower(${t.name})`, t.id),
    index('files_folder_size').on(sql`coalesce(${t.folderId}, 0)`, t.size, t.id),
    index('files_folder_created').on(sql`coalesce(${t.folderId}, 0)`, t.createdAt, t.id),
    index('files_owner').on(t.ownerId, t.createdAt, t.id),
    index('files_kind').on(t.kind, t.createdAt, t.id),
    index('files_search').using('gin', sql`lower(${t.name}) gin_trgm_ops`),
    index('files_trash').on(t.deletedAt, t.id).where(sql`${t.deletedAt} is not null`),
  ],
)

/** Access of a user, role or department to a file; `grantAccessTo` is the id. */
export const fileAccess = pgTable(
  'file_access',
  {
    id: identity('file_access_id'),
    fileId: integer()
      .notNull()
      .references(() => files.id, { onDelete: 'cascade' }),
    accessType: text({ enum: ['user', 'role', 'department'] }).notNull(),
    grantAccessTo: integer().notNull(),
    expiresAt: instant(),
    createdAt: instant().notNull().default(sql`now()`),
    createdBy: integer(),
  },
  (t) => [
    uniqueIndex('file_access_once').on(t.fileId, t.accessType, t.grantAccessTo),
    index('file_access_to').on(t.accessType, t.grantAccessTo),
  ],
)

/** Downloads from the first byte on. Without staff: a visitor of a public file. */
export const fileDownloads = pgTable(
  'file_downloads',
  {
    id: identity('file_download_id'),
    fileId: integer()
      .notNull()
      .references(() => files.id, { onDelete: 'cascade' }),
    staffId: integer(),
    at: instant().notNull().default(sql`now()`),
    ip: text(),
  },
  (t) => [index('file_downloads_file').on(t.fileId, t.at, t.id)],
)

/** A resumable upload: `offset` bytes are stored in the blob `key`. */
export const fileUploads = pgTable(
  'file_uploads',
  {
    id: identity('file_upload_id'),
    key: text().notNull().unique(),
    name: text().notNull(),
    size: bigint({ mode: 'number' }).notNull(),
    offset: bigint({ mode: 'number' }).notNull().default(0),
    /** The request that may write. A newer request takes over; the older stops at its next part. */
    writer: text(),
    ownerId: integer()
      .notNull()
      .references(() => users.id),
    folderId: integer(),
    isPrivate: boolean().notNull(),
    access: jsonb()
      .$type<{ accessType: 'user' | 'role' | 'department'; grantAccessTo: number; expiresAt?: string | null }[]>()
      .notNull(),
    createdAt: instant().notNull().default(sql`now()`),
    touchedAt: instant().notNull().default(sql`now()`),
  },
  (t) => [index('file_uploads_owner').on(t.ownerId, t.id), index('file_uploads_touched').on(t.touchedAt)],
)
