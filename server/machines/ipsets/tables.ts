import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { deletable, identity, instant, stored } from '../../kit/db/columns.ts'
import { servers } from '../servers/tables.ts'

export const ipSets = pgTable(
  'ip_sets',
  {
    id: identity('ip_set_id'),
    name: text().notNull(),
    description: text(),
    everywhere: boolean().notNull(),
    /** The servers that have the set; ignored when `everywhere` is true. */
    serverIds: integer().array().notNull().default(sql`'{}'`),
    maxElements: integer().notNull().default(100_000),
    /** TCP ports whose packets are dropped; null: all packets. */
    ports: integer().array(),
    /** Rises with each change of the bans; `ip_set_servers.applied` refers to this number. */
    change: integer().notNull().default(0),
    bans: integer().notNull().default(0),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    uniqueIndex('ip_sets_unique').on(t.name).where(sql`${t.deletedAt} is null`),
    index('ip_sets_name').on(t.name, t.id).where(sql`${t.deletedAt} is null`),
    index('ip_sets_bans').on(t.bans, t.id).where(sql`${t.deletedAt} is null`),
    index('ip_sets_created').on(t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('ip_sets_servers').using('gin', t.serverIds),
    index('ip_sets_search').using('gin', sql`lower(${t.name} || ' ' || coalesce(${t.description}, '')) gin_trgm_ops`),
  ],
)

/** A ban is live while `endedAt` is null. Ended bans are kept for some time, so that people can look up the reason. */
export const bans = pgTable(
  'bans',
  {
    id: identity('ban_id'),
    setId: integer()
      .notNull()
      .references(() => ipSets.id),
    /**
     * `ip` is canonical (contract/machines/ipsets/networks.ts); `first` is its first address as text that sorts in address
     * order.
     */
    ip: text().notNull(),
    first: text().notNull(),
    reason: text(),
    origin: text({ enum: ['person', 'import', 'innkeeper'] }).notNull(),
    bannedBy: text().notNull(),
    at: instant().notNull().default(sql`now()`),
    expiresAt: instant(),
    /**
     * `ip_sets.change` at which the ban was added or last edited. `endedChange`: the change at which it was lifted,
     * null if it expired.
     */
    change: integer().notNull(),
    endedAt: instant(),
    endedBy: text(),
    endedChange: integer(),
    version: integer().notNull().default(1),
  },
  (t) => [
    uniqueIndex('bans_unique').on(t.setId, t.ip).where(sql`${t.endedAt} is null`),
    index('bans_at').on(t.setId, t.at, t.id).where(sql`${t.endedAt} is null`),
    index('bans_first').on(t.setId, t.first, t.id).where(sql`${t.endedAt} is null`),
    index('bans_expires').on(t.setId, sql`coalesce(${t.expiresAt}, 'infinity')`, t.id).where(sql`${t.endedAt} is null`),
    index('bans_due').on(t.expiresAt).where(sql`${t.endedAt} is null and ${t.expiresAt} is not null`),
    index('bans_ended').on(t.setId, t.at, t.id).where(sql`${t.endedAt} is not null`),
    index('bans_ended_first').on(t.setId, t.first, t.id).where(sql`${t.endedAt} is not null`),
    index('bans_ended_expires')
      .on(t.setId, sql`coalesce(${t.expiresAt}, 'infinity')`, t.id)
      .where(sql`${t.endedAt} is not null`),
    index('bans_kept').on(t.endedAt).where(sql`${t.endedAt} is not null`),
    index('bans_change').on(t.setId, t.change),
    index('bans_lifted').on(t.setId, t.endedChange).where(sql`${t.endedChange} is not null`),
    index('bans_search').using('gin', t.setId, sql`lower(${t.ip} || ' ' || coalesce(${t.reason}, '')) gin_trgm_ops`),
  ],
)

/** A set on a server: the published change, and the result of the last comparison. */
export const ipSetServers = pgTable(
  'ip_set_servers',
  {
    setId: integer()
      .notNull()
      .references(() => ipSets.id),
    serverId: integer()
      .notNull()
      .references(() => servers.id),
    /** True: something was published to the server, so that deleting the set must remove it there. */
    told: boolean().notNull().default(false),
    /** The change that the server has; null: the whole set must be sent. */
    applied: integer(),
    /** The open or failed workflow for this server. */
    workflowId: integer(),
    seen: text({ enum: ['same', 'different', 'missing'] }),
    elements: integer(),
    packets: bigint({ mode: 'number' }),
    at: instant(),
  },
  (t) => [primaryKey({ columns: [t.setId, t.serverId] }), index('ip_set_servers_server').on(t.serverId)],
)

/** Failed sign-ins within a day by address, on servers whose users sign in with passwords. */
export const guessers = pgTable(
  'guessers',
  {
    service: text({ enum: ['ftp', 'mail'] }).notNull(),
    serverId: integer()
      .notNull()
      .references(() => servers.id),
    /** An address, or the /64 network of an IPv6 address. */
    address: text().notNull(),
    tries: integer().notNull(),
    /** Fingerprints of the pairs of user and password, if the service tells them: each counts once. */
    pairs: text().array().notNull().default(sql`'{}'`),
    firstAt: instant().notNull().default(sql`now()`),
    lastAt: instant().notNull().default(sql`now()`),
  },
  (t) => [primaryKey({ columns: [t.service, t.serverId, t.address] })],
)
