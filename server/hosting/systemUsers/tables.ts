import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { deletable, identity, instant, stored } from '../../kit/db/columns.ts'
import { workflows } from '../../kit/work/tables.ts'
import { servers } from '../../machines/servers/tables.ts'
import { owners } from '../owners/tables.ts'
import { plans } from '../plans/tables.ts'

/** A Linux account of an owner on one server, with one plan. */
export const systemUsers = pgTable(
  'system_users',
  {
    id: identity('system_user_id'),
    username: text().notNull(),
    serverId: integer()
      .notNull()
      .references(() => servers.id),
    ownerId: integer()
      .notNull()
      .references(() => owners.id),
    planId: integer()
      .notNull()
      .references(() => plans.id),
    homeDir: text().notNull(),
    shell: text().notNull(),
    status: text({ enum: ['creating', 'active', 'suspended', 'disabled', 'deleting'] })
      .notNull()
      .default('active'),
    /** Uid on the server. */
    uid: integer(),
    /** Reason of the suspension. */
    reason: text(),
    /** New plan once the running workflow is done. */
    nextPlanId: integer().references(() => plans.id),
    /** Last reported disk use in MiB. */
    diskUsedMb: integer(),
    diskSeenAt: instant(),
    /** Last scheduled request for the disk use, answered or not. */
    diskAskedAt: instant(),
    /** Since when the disk use has exceeded the plan, and people were notified. */
    diskOverSince: instant(),
    /** The running or stopped workflow. */
    workflowId: integer().references(() => workflows.id),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    uniqueIndex('system_users_name').on(t.serverId, t.username).where(sql`${t.deletedAt} is null`),
    index('system_users_owner').on(t.ownerId, t.serverId),
    index('system_users_by_name').on(t.username, t.id).where(sql`${t.deletedAt} is null`),
    index('system_users_created').on(t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    // both the column and its expression: only then does a jump to a far page read nothing but the index
    index('system_users_disk')
      .on(sql`coalesce(${t.diskUsedMb}, -1)`, t.id, t.diskUsedMb)
      .where(sql`${t.deletedAt} is null`),
    index('system_users_over')
      .on(t.username, t.id)
      .where(sql`${t.diskOverSince} is not null and ${t.deletedAt} is null`),
    index('system_users_asked').on(t.serverId, t.diskAskedAt.asc().nullsFirst()).where(sql`${t.deletedAt} is null`),
    index('system_users_server').on(t.serverId, t.username, t.id).where(sql`${t.deletedAt} is null`),
    index('system_users_plan').on(t.planId, t.username, t.id).where(sql`${t.deletedAt} is null`),
    index('system_users_search')
      .using('gin', sql`lower(${t.username}) gin_trgm_ops`)
      .where(sql`${t.deletedAt} is null`),
  ],
)
