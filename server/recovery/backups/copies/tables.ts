import type { When } from '@innkeeper/contract/recovery/backups/when'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { deletable, identity, instant, stored } from '../../../kit/db/columns.ts'
import { workflows } from '../../../kit/work/tables.ts'
import { backupRepositories } from '../tables.ts'

/** Copies of repositories on another backup server. */
export const backupCopies = pgTable(
  'backup_copies',
  {
    id: identity('backup_copy_id'),
    repositoryId: integer('backup_repository_id')
      .notNull()
      .references(() => backupRepositories.id),
    /** The repository that receives the copy. */
    targetId: integer('target_repository_id')
      .notNull()
      .references(() => backupRepositories.id),
    /** Null: the copy runs only when somebody starts it. */
    when: jsonb().$type<When>(),
    limit: integer('limit_kb'),
    enabled: boolean().notNull().default(true),
    nextAt: instant(),
    /** The last time that everything was copied. */
    lastAt: instant(),
    /** Runs that failed since `lastAt`. */
    failures: integer().notNull().default(0),
    error: text(),
    workflowId: integer().references(() => workflows.id),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    uniqueIndex('backup_copies_repository').on(t.repositoryId).where(sql`${t.deletedAt} is null`),
    index('backup_copies_due').on(t.nextAt).where(sql`${t.deletedAt} is null and ${t.enabled}`),
    index('backup_copies_created').on(t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
  ],
)
