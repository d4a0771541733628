import type { Finding, ReportLine } from '@innkeeper/contract/hosting/moves/shapes'
import { sql } from 'drizzle-orm'
import { type AnyPgColumn, boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { identity, instant, stored } from '../../kit/db/columns.ts'
import { workflows } from '../../kit/work/tables.ts'
import { servers } from '../../machines/servers/tables.ts'
import { systemUsers } from '../systemUsers/tables.ts'
import { groups, websites } from '../websites/tables.ts'

/** Account and folder of a website on a server. */
export interface Home {
  systemUserId: number
  documentRoot: string
}
/** A website that moves: the requested one or one of its members. */
export interface Moving {
  id: number
  domain: string
  /** Status before and after the move. */
  state: 'active' | 'suspended'
  from: Home
  to: Home
  /** In a move back: how the target server knows the website, if it was renamed since. */
  formerly?: { domain: string; documentRoot: string }
}

/** Moves of websites and groups between servers. A group's move has one further row per member. */
export const migrations = pgTable(
  'website_migrations',
  {
    id: identity('website_migration_id'),
    type: text({ enum: ['website', 'group'] }).notNull(),
    status: text({ enum: ['waiting', 'running', 'paused', 'failed', 'soaking', 'done', 'rolled-back'] }).notNull(),
    parentId: integer().references((): AnyPgColumn => migrations.id),
    position: integer(),
    reverseOf: integer().references((): AnyPgColumn => migrations.id),
    domain: text().notNull(),
    sourceWebsiteId: integer()
      .notNull()
      .references(() => websites.id),
    sourceGroupId: integer().references(() => groups.id),
    sourceServerId: integer()
      .notNull()
      .references(() => servers.id),
    targetServerId: integer()
      .notNull()
      .references(() => servers.id),
    targetGroupId: integer().references(() => groups.id),
    targetWebsiteId: integer().references(() => websites.id),
    /** Account on the target server; created for the move if the owner had none. */
    targetUserId: integer().references(() => systemUsers.id),
    /** Whether staging copies on the server of the website move with it. */
    withCopies: boolean().notNull().default(true),
    sites: jsonb().$type<Moving[]>().notNull().default([]),
    findings: jsonb().$type<Finding[]>().notNull().default([]),
    report: jsonb().$type<ReportLine[]>().notNull().default([]),
    /** Waiting moves of a website: when it begins by itself. */
    beginsAt: instant(),
    freezeMs: integer(),
    soakHours: integer().notNull(),
    soakUntil: instant(),
    reason: text(),
    /** The running or latest workflow: the move, then the retirement of the old server. */
    workflowId: integer().references(() => workflows.id),
    startedBy: text().notNull(),
    startedById: integer(),
    endedAt: instant(),
    ...stored(),
  },
  (t) => {
    const top = sql`${t.parentId} is null`
    return [
      index('website_migrations_created').on(t.createdAt, t.id).where(top),
      index('website_migrations_updated').on(t.updatedAt, t.id).where(top),
      index('website_migrations_status').on(t.status, t.createdAt, t.id).where(top),
      index('website_migrations_type').on(t.type, t.createdAt, t.id).where(top),
      index('website_migrations_source').on(t.sourceServerId, t.createdAt, t.id).where(top),
      index('website_migrations_target').on(t.targetServerId, t.createdAt, t.id).where(top),
      index('website_migrations_website').on(t.sourceWebsiteId, t.createdAt, t.id),
      index('website_migrations_target_website').on(t.targetWebsiteId, t.createdAt, t.id),
      index('website_migrations_source_group').on(t.sourceGroupId, t.createdAt, t.id),
      index('website_migrations_target_group').on(t.targetGroupId, t.createdAt, t.id),
      index('website_migrations_members').on(t.parentId, t.position),
      index('website_migrations_soak').on(t.soakUntil).where(sql`${t.status} = 'soaking'`),
      index('website_migrations_begins')
        .on(t.beginsAt)
        .where(sql`${t.status} = 'waiting' and ${t.beginsAt} is not null`),
      index('website_migrations_workflow').on(t.workflowId),
      index('website_migrations_search').using('gin', sql`${t.domain} gin_trgm_ops`).where(top),
      index('website_migrations_written')
        .using('gin', sql`as_written(${t.domain}) gin_trgm_ops`)
        .where(sql`${t.parentId} is null and ${t.domain} like '%xn--%'`),
      // refuses a second move that starts at the same time
      uniqueIndex('website_migrations_one_at_a_time')
        .on(t.sourceWebsiteId)
        .where(sql`${t.type} = 'website' and ${t.status} in ('waiting', 'running', 'paused', 'failed')`),
    ]
  },
)
