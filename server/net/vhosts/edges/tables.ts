import type { EdgeRules } from '@innkeeper/contract/net/edgeRules/rules'
import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { websites } from '../../../hosting/websites/tables.ts'
import { deletable, identity, instant, stored } from '../../../kit/db/columns.ts'
import { servers } from '../../../machines/servers/tables.ts'

/** A website behind edge servers. Domain, names and origin come from the website row. */
export const vhosts = pgTable(
  'vhosts',
  {
    id: identity('vhost_id'),
    websiteId: integer()
      .notNull()
      .references(() => websites.id),
    status: text({ enum: ['creating', 'active', 'deleting'] }).notNull(),
    cdn: boolean().notNull().default(true),
    minutes: integer().notNull().default(10),
    stale: boolean().notNull().default(true),
    /** Rules that differ from `NO_RULES`. */
    rules: jsonb().$type<StoredRules>().notNull().default({}),
    /** Settings that become current when the workflow of the change ends. */
    pending: jsonb().$type<EdgeRequest>(),
    workflowId: integer(),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    uniqueIndex('vhosts_website').on(t.websiteId).where(sql`${t.deletedAt} is null`),
    index('vhosts_created').on(t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('vhosts_updated').on(t.updatedAt, t.id).where(sql`${t.deletedAt} is null`),
  ],
)
/** Rules with the name of the secret that holds the password file, and the sha256 of the file. */
export type StoredRules = Partial<EdgeRules> & { passwords?: string | undefined; passwordsSum?: string | undefined }

export interface EdgeRequest {
  cdn: boolean
  minutes: number
  stale: boolean
  rules: StoredRules
}

/** A vhost on an edge server: at most one per network. */
export const vhostEdges = pgTable(
  'vhost_edges',
  {
    vhostId: integer()
      .notNull()
      .references(() => vhosts.id),
    network: text({ enum: ['cdn', 'xdn'] }).notNull(),
    serverId: integer()
      .notNull()
      .references(() => servers.id),
    state: text({ enum: ['coming', 'live', 'going'] }).notNull(),
    seen: text({ enum: ['same', 'differs'] }),
    seenAt: instant(),
  },
  (t) => [primaryKey({ columns: [t.vhostId, t.network] }), index('vhost_edges_server').on(t.serverId, t.vhostId)],
)

/** Traffic per quarter of an hour, kept for 7 days. */
export const vhostTraffic = pgTable(
  'vhost_traffic',
  {
    vhostId: integer()
      .notNull()
      .references(() => vhosts.id),
    network: text({ enum: ['cdn', 'xdn'] }).notNull(),
    at: instant().notNull(),
    hits: integer().notNull(),
    misses: integer().notNull(),
    passed: integer().notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.vhostId, t.at, t.network] }), index('vhost_traffic_at').on(t.at)],
)
