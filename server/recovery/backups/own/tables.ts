import type { KeepPolicy } from '@innkeeper/contract/recovery/backups/keep'
import type { When } from '@innkeeper/contract/recovery/backups/when'
import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgTable, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { deletable, identity, instant, stored } from '../../../kit/db/columns.ts'
import { workflows } from '../../../kit/work/tables.ts'
import { backupRepositories, backupServers } from '../tables.ts'

const bytes = () => bigint({ mode: 'number' })

/** When Innkeeper itself is backed up, and where to. One row at most. */
export const ownBackupPlans = pgTable(
  'own_backup_plans',
  {
    id: identity('own_backup_plan_id'),
    backupServerId: integer()
      .notNull()
      .references(() => backupServers.id),
    when: jsonb().$type<When>().notNull(),
    keep: jsonb().$type<KeepPolicy>().notNull(),
    enabled: boolean().notNull().default(true),
    nextAt: instant(),
    ...stored(),
    ...deletable(),
  },
  (t) => [uniqueIndex('own_backup_plans_one').on(sql`(true)`).where(sql`${t.deletedAt} is null`)],
)

/** Backups of Innkeeper itself. */
export const ownBackups = pgTable(
  'own_backups',
  {
    id: identity('own_backup_id'),
    repositoryId: integer('backup_repository_id')
      .notNull()
      .references(() => backupRepositories.id),
    status: smallint().notNull().default(0),
    snapshot: text(),
    bytes: bytes(),
    added: bytes(),
    rows: bytes(),
    startedAt: instant().notNull().default(sql`now()`),
    endedAt: instant(),
    /** When a restore into a scratch database had the same contents. */
    provenAt: instant(),
    error: text(),
    /** A running forget removes its snapshot. */
    leaving: boolean().notNull().default(false),
    workflowId: integer().references(() => workflows.id),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    index('own_backups_started').on(t.startedAt, t.id).where(sql`${t.deletedAt} is null`),
    index('own_backups_repository').on(t.repositoryId),
    uniqueIndex('own_backups_open').on(sql`(true)`).where(sql`${t.status} in (0, 1) and ${t.deletedAt} is null`),
  ],
)
