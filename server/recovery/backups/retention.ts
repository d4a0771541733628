import { HISTORY_DAYS, LOG_DAYS } from '@innkeeper/contract/recovery/backups/values'
import { sql } from 'drizzle-orm'
import type { Retention } from '../../kit/app/retention.ts'

const before = (days: number) => sql`now() - make_interval(days => ${sql.raw(String(days))})`

/**
 * A backup each night is most of what an installation writes. Its workflow is kept as long as a task or a backup refers to it, so
 * both leave before. A backup that exists in a repository stays, and so does one from which something was restored.
 */
export const backupRetention: readonly Retention[] = [
  { table: 'backup_logs', old: sql`at < ${before(LOG_DAYS)}` },
  { table: 'backup_alerts', old: sql`ended_at < ${before(LOG_DAYS)}` },
  {
    table: 'backup_tasks',
    old: sql`created_at < ${before(HISTORY_DAYS)} and ended_at is not null
      and not exists (select from backup_logs l where l.backup_task_id = backup_tasks.backup_task_id)`,
  },
  {
    table: 'backups',
    old: sql`created_at < ${before(HISTORY_DAYS)} and deleted_at is not null
      and not exists (select from backup_tasks t where t.backup_id = backups.backup_id)
      and not exists (select from backup_restores r where r.backup_id = backups.backup_id)`,
  },
]
