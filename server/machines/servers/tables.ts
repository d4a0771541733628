import type { Service } from '@innkeeper/contract/agent/door'
import { webServers } from '@innkeeper/contract/machines/servers/shapes'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { deletable, identity, instant, stored } from '../../kit/db/columns.ts'
import { nameOrder } from '../../kit/db/nameOrder.ts'

export const serverTypes = pgTable('server_types', {
  name: text().primaryKey(),
  services: text().array().notNull(),
  version: integer().notNull().default(1),
})

export const servers = pgTable(
  'servers',
  {
    id: identity('server_id'),
    name: text().notNull(),
    address: text(),
    type: text()
      .notNull()
      .references(() => serverTypes.name),
    /** Set by people; the observed state is in `server_states`. */
    status: text({ enum: ['up', 'down'] })
      .notNull()
      .default('up'),
    statusSetBy: text(),
    statusSetAt: instant(),
    /** Web server for the websites of this server, if it serves any. */
    webServer: text({ enum: webServers }).notNull().default('nginx'),
    acceptsNew: boolean().notNull().default(true),
    note: text(),
    provisionedAt: instant(),
    enrolTokenHash: text(),
    enrolExpiresAt: instant(),
    enrolledAt: instant(),
    enrolledBy: text(),
    credentialHash: text().unique(),
    credentialRevokedAt: instant(),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    uniqueIndex('servers_name').on(t.name).where(sql`${t.deletedAt} is null`),
    index('servers_type').on(t.type, t.name),
    index('servers_by_name').on(nameOrder(t.name), t.id, t.name).where(sql`${t.deletedAt} is null`),
    index('servers_enrol').on(t.enrolTokenHash).where(sql`${t.enrolTokenHash} is not null`),
  ],
)

/** The last heartbeat of each server; a separate table, because it is written every few seconds. */
export const serverStates = pgTable('server_states', {
  serverId: integer()
    .primaryKey()
    .references(() => servers.id),
  lastSeenAt: instant().notNull(),
  agentVersion: text().notNull(),
  /** sha256 of the agent's file; null for older agents. */
  agentBuild: text(),
  os: text().notNull(),
  arch: text().notNull(),
  uptime: doublePrecision().notNull(),
  cores: integer().notNull(),
  load: doublePrecision().notNull(),
  memoryTotal: bigint({ mode: 'number' }).notNull(),
  memoryUsed: bigint({ mode: 'number' }).notNull(),
  diskTotal: bigint({ mode: 'number' }).notNull(),
  diskUsed: bigint({ mode: 'number' }).notNull(),
  services: jsonb().$type<Service[]>().notNull(),
  operations: text().array().notNull(),
  addresses: text().array().notNull(),
  notEnforced: text().array().notNull(),
  /** When people were notified that the server is offline; null after it is online again. */
  offlineToldAt: instant(),
})

/** One row per minute, kept for 7 days. */
export const heartbeats = pgTable(
  'heartbeats',
  {
    serverId: integer()
      .notNull()
      .references(() => servers.id),
    at: instant().notNull(),
    cores: integer().notNull(),
    load: doublePrecision().notNull(),
    memoryTotal: bigint({ mode: 'number' }).notNull(),
    memoryUsed: bigint({ mode: 'number' }).notNull(),
    diskTotal: bigint({ mode: 'number' }).notNull(),
    diskUsed: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.serverId, t.at] }), index('heartbeats_at').on(t.at)],
)
