import type { TemplateRecord } from '@innkeeper/contract/net/dns/calls'
import type { ZoneKey } from '@innkeeper/contract/net/dns/dnskey'
import type { ZoneOptions } from '@innkeeper/contract/net/dns/options'
import type { RecordType } from '@innkeeper/contract/net/dns/recordTypes'
import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { departments } from '../../access/departments/tables.ts'
import { deletable, identity, instant, stored } from '../../kit/db/columns.ts'
import { servers } from '../../machines/servers/tables.ts'

export const zones = pgTable(
  'zones',
  {
    id: identity('zone_id'),
    domain: text().notNull(),
    active: boolean().notNull().default(true),
    adminOnly: boolean().notNull().default(false),
    /**
     * Only members of these departments see the zone, while the department is promoted; empty: everybody who may see
     * zones.
     */
    departmentIds: integer().array().notNull().default(sql`'{}'`),
    serial: bigint({ mode: 'number' }).notNull(),
    dnssec: boolean().notNull().default(false),
    ds: text().array().notNull().default(sql`'{}'`),
    /** When a resolver last had a DS record of the zone from the parent zone, and its TTL in seconds. */
    dsSeenAt: instant(),
    dsTtl: integer(),
    /** Since when a resolver has none any more. Others may keep it for its TTL. Null: it is there, or never was. */
    dsGoneAt: instant(),
    /** Public halves of its keys; they stay while the zone is not signed. Empty: only the name server has keys. */
    keys: jsonb().$type<ZoneKey[]>().notNull().default([]),
    /** Options that differ from `USUAL_OPTIONS`. */
    options: jsonb().$type<Partial<ZoneOptions>>().notNull().default({}),
    /**
     * XOR of the hashes of the zone's records, compared with the digest of a name server without reading the records.
     */
    digest: text().notNull(),
    records: integer().notNull().default(0),
    changedBy: text(),
    /** The serial that every name server last answered. */
    liveSerial: bigint({ mode: 'number' }),
    /** The newest change that every name server has; null: the next publication sends the whole zone. */
    liveChange: integer(),
    workflowId: integer(),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    uniqueIndex('zones_unique').on(t.domain).where(sql`${t.deletedAt} is null`),
    index('zones_domain').on(t.domain, t.id).where(sql`${t.deletedAt} is null`),
    index('zones_updated').on(t.updatedAt, t.id).where(sql`${t.deletedAt} is null`),
    index('zones_created').on(t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('zones_inactive').on(t.domain, t.id).where(sql`${t.deletedAt} is null and not ${t.active}`),
    index('zones_admin').on(t.domain, t.id).where(sql`${t.deletedAt} is null and ${t.adminOnly}`),
    index('zones_departments').using('gin', t.departmentIds),
    index('zones_search').using('gin', sql`${t.domain} gin_trgm_ops`),
    index('zones_written')
      .using('gin', sql`as_written(${t.domain}) gin_trgm_ops`)
      .where(sql`${t.domain} like '%xn--%'`),
  ],
)

export const records = pgTable(
  'records',
  {
    id: identity('record_id'),
    zoneId: integer()
      .notNull()
      .references(() => zones.id),
    /** Relative to the zone; `@` is the apex. */
    name: text().notNull(),
    type: text().$type<RecordType>().notNull(),
    /** In seconds; all records of one name and type share it. */
    ttl: integer().notNull(),
    priority: integer(),
    content: text().notNull(),
  },
  (t) => [
    uniqueIndex('records_unique').on(
      t.zoneId,
      t.name,
      t.type,
      sql`coalesce(${t.priority}, -1)`,
      sql`md5(${t.content})`,
    ),
    index('records_name').on(t.zoneId, t.name, t.id),
    index('records_type').on(t.zoneId, t.type, t.id),
    index('records_ttl').on(t.zoneId, t.ttl, t.id),
    index('records_search').using('gin', t.zoneId, sql`(${t.name} || ' ' || lower(${t.content})) gin_trgm_ops`),
  ],
)

/** One row per save. */
export const zoneChanges = pgTable(
  'zone_changes',
  {
    id: identity('zone_change_id'),
    zoneId: integer()
      .notNull()
      .references(() => zones.id),
    at: instant().notNull().default(sql`now()`),
    by: text().notNull(),
    kind: text({ enum: ['create', 'edit', 'import', 'revert', 'website'] }).notNull(),
    serial: bigint({ mode: 'number' }).notNull(),
    revertedBy: text(),
  },
  (t) => [index('zone_changes_at').on(t.zoneId, t.at, t.id)],
)

/** The records that a save added and removed. */
export const zoneChangeLines = pgTable(
  'zone_change_lines',
  {
    id: identity('zone_change_line_id'),
    changeId: integer()
      .notNull()
      .references(() => zoneChanges.id),
    zoneId: integer()
      .notNull()
      .references(() => zones.id),
    sign: text({ enum: ['+', '-'] }).notNull(),
    name: text().notNull(),
    type: text().$type<RecordType>().notNull(),
    ttl: integer().notNull(),
    priority: integer(),
    content: text().notNull(),
    /** Until then resolvers may still answer the removed record from their caches. */
    until: instant(),
  },
  (t) => [
    index('zone_change_lines_change').on(t.changeId, t.id),
    index('zone_change_lines_set').on(t.zoneId, t.name, t.type, t.changeId),
    index('zone_change_lines_until').on(t.zoneId, t.until).where(sql`${t.until} is not null`),
  ],
)

/** The state of each zone on each name server at the last comparison or publication. */
export const zoneStates = pgTable(
  'zone_states',
  {
    zoneId: integer()
      .notNull()
      .references(() => zones.id),
    serverId: integer()
      .notNull()
      .references(() => servers.id),
    seen: text({ enum: ['unknown', 'same', 'missing', 'behind', 'different', 'bogus', 'silent'] }).notNull(),
    /** How its role, keys or signatures differ. */
    why: text(),
    serial: bigint({ mode: 'number' }),
    at: instant().notNull().default(sql`now()`),
  },
  (t) => [primaryKey({ columns: [t.zoneId, t.serverId] }), index('zone_states_server').on(t.serverId)],
)

/** Departments that zones can be assigned to. */
export const dnsDepartments = pgTable('dns_departments', {
  departmentId: integer()
    .primaryKey()
    .references(() => departments.id),
  at: instant().notNull().default(sql`now()`),
  by: text().notNull(),
})

export const dnsTemplates = pgTable(
  'dns_templates',
  {
    id: identity('dns_template_id'),
    name: text().notNull(),
    records: jsonb().$type<TemplateRecord[]>().notNull(),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    uniqueIndex('dns_templates_name').on(sql`lower(${t.name})`).where(sql`${t.deletedAt} is null`),
    index('dns_templates_by_name').on(t.name, t.id).where(sql`${t.deletedAt} is null`),
    index('dns_templates_search').using('gin', sql`lower(${t.name}) gin_trgm_ops`),
  ],
)

/** One row at most: the primary server, the names for NS records, and the hostmaster for SOA records. */
export const dnsSettings = pgTable('dns_settings', {
  id: integer().primaryKey().default(1),
  primaryServerId: integer().references(() => servers.id),
  nameServers: text().array().notNull(),
  hostmaster: text().notNull(),
  version: integer().notNull().default(1),
})
