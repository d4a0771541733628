import type { Service } from '@innkeeper/contract/agent/door'
import { webServers } from '@innkeeper/contract/servers'
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
import { deletable, identity, instant, stored } from '../kit/db/columns.ts'

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
    /** Wanted, by people. What is seen stands in `server_states`. */
    status: text({ enum: ['up', 'down'] })
      .notNull()
      .default('up'),
    statusSetBy: text(),
    statusSetAt: instant(),
    /** What serves its websites, where it has any. */
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
    index('servers_enrol').on(t.enrolTokenHash).where(sql`${t.enrolTokenHash} is not null`),
  ],
)

/** The last heartbeat of each server: written every few seconds, apart from what people edit. */
export const serverStates = pgTable('server_states', {
  serverId: integer()
    .primaryKey()
    .references(() => servers.id),
  lastSeenAt: instant().notNull(),
  agentVersion: text().notNull(),
  /** sha256 of its file; older agents do not say. */
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
  /** People were told that it is offline; null once it is back. */
  offlineToldAt: instant(),
})

/** One point a minute, kept 7 days. */
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
