import type { ConfigAuthor } from '@innkeeper/contract/agent/configs'
import { configAuthors, configServices, hiddenKinds } from '@innkeeper/contract/agent/configs'
import {
  collectionResults,
  configTriggers,
  resetActions,
  resetStatuses,
} from '@innkeeper/contract/recovery/configs/shapes'
import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { identity, instant } from '../../kit/db/columns.ts'
import { servers } from '../../machines/servers/tables.ts'

/** Servers whose configuration is collected, with the time of the next collection. */
export const configServers = pgTable(
  'config_servers',
  {
    serverId: integer()
      .primaryKey()
      .references(() => servers.id),
    nextAt: instant().notNull(),
    /** Why the next collection runs; `askedBy` is the person who requested it. */
    trigger: text({ enum: configTriggers }).notNull().default('nightly'),
    askedBy: text(),
    /** A node is collecting this server. After this time, another node may collect it. */
    heldUntil: instant(),
    collectedAt: instant(),
    problem: text(),
  },
  (t) => [index('config_servers_next').on(t.nextAt)],
)

/** Contents by sha256, in base64, with secrets masked. */
export const configBlobs = pgTable('config_blobs', {
  hash: text().primaryKey(),
  content: text().notNull(),
  createdAt: instant().notNull().default(sql`now()`),
})

export const configVersions = pgTable(
  'config_versions',
  {
    id: identity('config_version_id'),
    serverId: integer()
      .notNull()
      .references(() => servers.id),
    serverName: text().notNull(),
    service: text({ enum: configServices }).notNull(),
    number: integer().notNull(),
    collectedAt: instant().notNull(),
    trigger: text({ enum: configTriggers }).notNull(),
    by: text().array().$type<ConfigAuthor[]>().notNull(),
    added: integer().notNull(),
    changed: integer().notNull(),
    removed: integer().notNull(),
    files: integer().notNull(),
    paths: text().array().notNull(),
    /** Whether this is the newest version of the service on the server. */
    current: boolean().notNull(),
    /** Server, service and changed paths in lower case, for the search. */
    about: text().notNull(),
  },
  (t) => [
    uniqueIndex('config_versions_number').on(t.serverId, t.service, t.number),
    index('config_versions_collected').on(t.collectedAt, t.id),
    index('config_versions_name').on(t.serverName, t.id),
    index('config_versions_server').on(t.serverId, t.collectedAt, t.id),
    index('config_versions_current').on(t.collectedAt, t.id).where(sql`${t.current}`),
    index('config_versions_by').using('gin', t.by),
    index('config_versions_search').using('gin', sql`lower(${t.about}) gin_trgm_ops`),
  ],
)

/** States of files. A state belongs to the versions of its service from `since` (included) to `until` (excluded). */
export const configFiles = pgTable(
  'config_files',
  {
    id: identity('config_file_id'),
    serverId: integer()
      .notNull()
      .references(() => servers.id),
    service: text({ enum: configServices }).notNull(),
    path: text().notNull(),
    since: integer().notNull(),
    until: integer(),
    kind: text({ enum: ['file', 'link'] }).notNull(),
    hash: text(),
    seal: text(),
    hidden: text({ enum: hiddenKinds }),
    size: bigint({ mode: 'number' }).notNull(),
    mode: integer().notNull(),
    owner: text().notNull(),
    group: text().notNull(),
    target: text(),
    by: text({ enum: configAuthors }).notNull(),
    package: text(),
    changedAt: instant().notNull(),
    drifted: boolean().notNull().default(false),
    /** Who removed the file; only if `until` is set. */
    removedBy: text({ enum: configAuthors }),
  },
  (t) => [
    uniqueIndex('config_files_now').on(t.serverId, t.path).where(sql`${t.until} is null`),
    index('config_files_version').on(t.serverId, t.service, t.since),
    index('config_files_hash').on(t.hash),
    index('config_files_drifted').on(t.serverId).where(sql`${t.drifted} and ${t.until} is null`),
  ],
)

export const configCollections = pgTable(
  'config_collections',
  {
    id: identity('config_collection_id'),
    serverId: integer()
      .notNull()
      .references(() => servers.id),
    serverName: text().notNull(),
    trigger: text({ enum: configTriggers }).notNull(),
    by: text().notNull(),
    startedAt: instant().notNull().default(sql`now()`),
    endedAt: instant(),
    result: text({ enum: collectionResults }).notNull(),
    problem: text(),
    attempts: integer().notNull().default(1),
    files: integer().notNull().default(0),
    changed: integer().notNull().default(0),
    bytes: integer().notNull().default(0),
    versions: integer().notNull().default(0),
  },
  (t) => [
    index('config_collections_started').on(t.startedAt, t.id),
    index('config_collections_name').on(t.serverName, t.id),
    index('config_collections_server').on(t.serverId, t.startedAt, t.id),
    index('config_collections_result').on(t.result, t.startedAt, t.id),
    index('config_collections_search').using(
      'gin',
      sql`lower(${t.serverName} || ' ' || coalesce(${t.problem}, '')) gin_trgm_ops`,
    ),
  ],
)

/** Resets. The id of the version is no foreign key, because the version may be deleted later. */
export const configResets = pgTable(
  'config_resets',
  {
    id: identity('config_reset_id'),
    versionId: integer().notNull(),
    serverId: integer()
      .notNull()
      .references(() => servers.id),
    serverName: text().notNull(),
    service: text({ enum: configServices }).notNull(),
    number: integer().notNull(),
    action: text({ enum: resetActions }),
    status: text({ enum: resetStatuses }).notNull().default('pending'),
    files: integer().notNull(),
    startedBy: text().notNull(),
    startedAt: instant().notNull().default(sql`now()`),
    endedAt: instant(),
    message: text(),
    workflowId: integer(),
    dismissedAt: instant(),
  },
  (t) => [
    index('config_resets_started').on(t.startedAt, t.id).where(sql`${t.dismissedAt} is null`),
    index('config_resets_all').on(t.startedAt, t.id),
    index('config_resets_name').on(t.serverName, t.id),
    index('config_resets_workflow').on(t.workflowId),
    index('config_resets_search').using(
      'gin',
      sql`lower(${t.serverName} || ' ' || ${t.service} || ' ' || ${t.startedBy} || ' ' || coalesce(${t.message}, '')) gin_trgm_ops`,
    ),
  ],
)
