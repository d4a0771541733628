import { sql } from 'drizzle-orm'
import type { Metric } from '../../kit/watch/metric.ts'

/** A backup completed. */
const COMPLETED = 2

export const backupMetrics: readonly Metric[] = [
  {
    name: 'innkeeper_backup_alerts',
    help: 'Open alerts about backups, by kind: no backup, no proof and others',
    labels: ['kind'],
    rows: sql`select kind, count(*)::float8 as value from backup_alerts where ended_at is null group by 1`,
  },
  {
    name: 'innkeeper_own_backup_age_seconds',
    help: 'Age of the newest good backup of Innkeeper itself; absent if there is none',
    labels: [],
    rows: sql`select extract(epoch from now() - max(ended_at))::float8 as value from own_backups
      where status = ${COMPLETED} and deleted_at is null having max(ended_at) is not null`,
  },
  {
    name: 'innkeeper_own_backup_proof_age_seconds',
    help: 'Age of the newest proof of a backup of Innkeeper itself; absent if there is none',
    labels: [],
    rows: sql`select extract(epoch from now() - max(proven_at))::float8 as value from own_backups
      where deleted_at is null having max(proven_at) is not null`,
  },
]
