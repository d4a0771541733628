import type { PhpParameters } from '@innkeeper/contract/hosting/phpParameters'
import type { Application } from '@innkeeper/contract/net/originVhosts/applications'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { deletable, identity, instant, stored } from '../../kit/db/columns.ts'
import { workflows } from '../../kit/work/tables.ts'
import { servers } from '../../machines/servers/tables.ts'
import { owners } from '../owners/tables.ts'
import { plans } from '../plans/tables.ts'
import { systemUsers } from '../systemUsers/tables.ts'

/** Minutes in which each website has its turn once to be looked at, see net/vhosts/origins/lookRound.ts. */
export const LOOK_PARTS = 15

export const websites = pgTable(
  'websites',
  {
    id: identity('website_id'),
    domain: text().notNull(),
    kind: text({ enum: ['main', 'sub', 'staging', 'alias'] })
      .notNull()
      .default('main'),
    environment: text({ enum: ['production', 'staging', 'development'] })
      .notNull()
      .default('production'),
    status: text({ enum: ['creating', 'active', 'suspended', 'failed', 'migrating', 'deleting', 'deleted'] }).notNull(),
    ownerId: integer()
      .notNull()
      .references(() => owners.id),
    serverId: integer()
      .notNull()
      .references(() => servers.id),
    planId: integer()
      .notNull()
      .references(() => plans.id),
    systemUserId: integer()
      .notNull()
      .references(() => systemUsers.id),
    groupId: integer().references((): AnyPgColumn => groups.id),
    groupPosition: integer(),
    /** Parent website of a sub-website, an alias or a staging copy. */
    parentId: integer(),
    /** Alias only: serves the website, or redirects to its own name (301). */
    mode: text({ enum: ['serve', 'redirect'] }),
    /** Alias only: when the redirect from a former name ends. */
    until: instant(),
    documentRoot: text().notNull(),
    phpVersion: text().notNull(),
    redisCache: boolean().notNull().default(false),
    maintenance: boolean().notNull().default(false),
    ssl: boolean().notNull().default(false),
    cdn: boolean().notNull().default(false),
    backups: boolean().notNull().default(false),
    /** The application that was found in the folder; its rules are served unless people choose others. */
    foundApplication: text().$type<Application>(),
    /** Before that time nobody looks at the folder: its last rules were undone. */
    lookAt: instant().notNull().default(sql`now()`),
    /** True: suspended together with its account, and activated with it. */
    suspendedWithAccount: boolean().notNull().default(false),
    /** True: suspended together with its parent website, and activated with it. */
    suspendedWithParent: boolean().notNull().default(false),
    deletedWithParent: boolean().notNull().default(false),
    /** The running or stopped workflow. */
    workflowId: integer().references(() => workflows.id),
    /** Status before the deletion; restored with the website. */
    statusBefore: text({ enum: ['active', 'suspended'] }),
    /** When the trash of the server may be purged, and when it was purged. */
    purgeAfter: instant(),
    purgedAt: instant(),
    ...stored(),
    ...deletable(),
  },
  (t) => {
    const live = sql`${t.deletedAt} is null`
    const trashed = sql`${t.deletedAt} is not null and ${t.purgedAt} is null`
    return [
      // the index also includes the id, which Drizzle cannot express: see decision 63
      uniqueIndex('websites_domain').on(t.domain).where(live),
      index('websites_created').on(t.createdAt, t.id).where(live),
      index('websites_updated').on(t.updatedAt, t.id).where(live),
      index('websites_server').on(t.serverId, t.createdAt, t.id).where(live),
      index('websites_owner').on(t.ownerId, t.createdAt, t.id).where(live),
      index('websites_status').on(t.status, t.createdAt, t.id).where(live),
      index('websites_plan').on(t.planId, t.createdAt, t.id).where(live),
      index('websites_php').on(t.phpVersion, t.createdAt, t.id).where(live),
      index('websites_trash').on(t.createdAt, t.id).where(trashed),
      index('websites_trash_due').on(t.purgeAfter).where(trashed),
      index('websites_group').on(t.groupId, t.groupPosition).where(sql`${t.groupId} is not null`),
      index('websites_kind').on(t.kind, t.createdAt, t.id).where(live),
      index('websites_parent').on(t.parentId, t.id).where(sql`${t.parentId} is not null`),
      index('websites_look_part')
        .on(sql`(${t.id} % ${sql.raw(`${LOOK_PARTS}`)})`)
        .where(sql`${t.status} = 'active' and ${t.kind} <> 'alias' and ${t.deletedAt} is null`),
      index('websites_until').on(t.until).where(sql`${t.until} is not null and ${t.deletedAt} is null`),
      // finds all names below a domain, for wildcards
      index('websites_ending').using('btree', sql`reverse(${t.domain}) text_pattern_ops`).where(live),
      index('websites_system_user').on(t.systemUserId).where(live),
      index('websites_search').using('gin', sql`${t.domain} gin_trgm_ops`).where(live),
      index('websites_written')
        .using('gin', sql`as_written(${t.domain}) gin_trgm_ops`)
        .where(sql`${t.deletedAt} is null and ${t.domain} like '%xn--%'`),
    ]
  },
)

/** Website groups. Members are the websites with the group's id, in the order of `groupPosition`. */
export const groups = pgTable(
  'website_groups',
  {
    id: identity('website_group_id'),
    ownerId: integer()
      .notNull()
      .references(() => owners.id),
    mainWebsite: integer()
      .notNull()
      .references((): AnyPgColumn => websites.id),
    ...stored(),
    ...deletable(),
  },
  (t) => {
    const live = sql`${t.deletedAt} is null`
    return [
      index('website_groups_created').on(t.createdAt, t.id).where(live),
      index('website_groups_updated').on(t.updatedAt, t.id).where(live),
      index('website_groups_owner').on(t.ownerId, t.createdAt, t.id).where(live),
    ]
  },
)

/** Settings that become current when the workflow of the change ends. */
export interface PhpRequest {
  phpVersion: string
  phpParameters: PhpParameters
  /** The chosen application, null for the found one, and the number of the own rules; absent: unchanged. */
  application?: Application | null
  rulesNumber?: number | null
  /** The application that was found in the folder; absent: nobody looked. */
  found?: Application | null
}

/**
 * PHP settings of a website, and the result of the last comparison. A website without a row has default settings and
 * was never compared.
 */
export const originVhosts = pgTable(
  'origin_vhosts',
  {
    websiteId: integer()
      .primaryKey()
      .references(() => websites.id),
    phpParameters: jsonb().$type<PhpParameters>().notNull().default({}),
    /** The application that people chose; null: the one that is found. */
    application: text().$type<Application>(),
    /** The version of the own rules that is served; null: no own rules. */
    rulesNumber: integer(),
    pending: jsonb().$type<PhpRequest>(),
    /** The workflow that is changing the website, or the last one. */
    workflowId: integer(),
    /** Why the last change was rolled back. */
    problem: text(),
    seen: text({ enum: ['same', 'differs'] }),
    seenAt: instant(),
    ...stored(),
  },
  (t) => [
    index('origin_vhosts_own').on(t.websiteId).where(sql`${t.phpParameters} <> '{}'`),
    index('origin_vhosts_seen').on(t.seen, t.websiteId).where(sql`${t.seen} is not null`),
    index('origin_vhosts_workflow').on(t.workflowId),
  ],
)

/** Versions of the own rules of a website, for both web servers. A version never changes. */
export const ownRules = pgTable(
  'own_rules',
  {
    websiteId: integer()
      .notNull()
      .references(() => websites.id),
    number: integer().notNull(),
    nginx: text().notNull(),
    apache: text().notNull(),
    /** Why the rules are so, in the words of their author. */
    note: text().notNull().default(''),
    staffName: text().notNull(),
    createdBy: integer(),
    createdAt: instant().notNull().default(sql`now()`),
  },
  (t) => [primaryKey({ columns: [t.websiteId, t.number] })],
)

/**
 * Monitoring settings of a website and the latest result. The domain `monitoring` writes the row at each request. The
 * table is here because lists of websites show it.
 */
export const monitors = pgTable(
  'monitors',
  {
    websiteId: integer()
      .primaryKey()
      .references(() => websites.id),
    enabled: boolean().notNull().default(true),
    path: text().notNull().default('/'),
    word: text(),
    state: text({ enum: ['unknown', 'up', 'down'] })
      .notNull()
      .default('unknown'),
    since: instant().notNull().default(sql`now()`),
    /** When the next request is due; null: not monitored, because the website is not served. */
    nextAt: instant(),
    checkedAt: instant(),
    status: integer(),
    ms: integer(),
    reason: text(),
    certificateUntil: instant(),
    /** The server that sent the last request; null: Innkeeper itself. */
    askedBy: integer(),
    /** Number of consecutive failed requests. */
    failures: integer().notNull().default(0),
    /** Kind of notification that people got about the outage; null: none, or the website has recovered since. */
    told: text({ enum: ['website', 'server'] }),
    ...stored(),
  },
  (t) => [
    index('monitors_due').on(t.nextAt).where(sql`${t.nextAt} is not null`),
    index('monitors_down').on(t.websiteId).where(sql`${t.state} = 'down'`),
    index('monitors_told').on(t.websiteId).where(sql`${t.told} is not null`),
  ],
)
