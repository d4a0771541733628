import { backups as contract } from '@innkeeper/contract/recovery/backups/calls'
import { runStatus } from '@innkeeper/contract/recovery/backups/values'
import { sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { newPassword } from '../../hosting/databases/create.ts'
import { countSome } from '../../kit/app/quote.ts'
import { calls } from '../../kit/http/api.ts'
import { alertsDue } from './alerts.ts'
import * as alertTables from './alertTables.ts'
import { copyWorkflows } from './copies/lifecycle.ts'
import * as copyTables from './copies/tables.ts'
import { backupsDue, copiesDue, maintenanceDue } from './due.ts'
import { backupsHandlers } from './handlers.ts'
import { backupWorkflows } from './lifecycle.ts'
import { backupMetrics } from './metrics.ts'
import { ownBackupDue } from './own/handlers.ts'
import { ownBackupWorkflows } from './own/lifecycle.ts'
import * as ownTables from './own/tables.ts'
import { ownBackupTroubles } from './own/troubles.ts'
import { backupPart } from './part.ts'
import * as pauseTables from './pauses/tables.ts'
import { turnsAtRepositories } from './repositories/inUse.ts'
import { dropTried } from './repositories/password.ts'
import { checksDue, drillDue, looksDue } from './repositoriesDue.ts'
import { restoreWorkflows } from './restores/lifecycle.ts'
import { backupRetention } from './retention.ts'
import { giveUpLost } from './runs/lost.ts'
import { seedBackups } from './seed.ts'
import { storedBackups } from './stored.ts'
import * as tables from './tables.ts'

const see = { see: 'backup:backup:read', act: 'backup:backup:create' }

/**
 * How other changes affect backups: a website that moves keeps its backups in the repository of its old machine, and a
 * restore reads them from there. A renamed website keeps its snapshots, which carry its id. A renamed database is
 * restored under its present name, with its present account; a deleted database is left out, and the restore is
 * partial. A website in the trash is not backed up; its schedules pause. A second prune at the same time is refused.
 * A backup or restore waits for a prune of its repository, and a scheduled backup for a move, restore or merge of its
 * website (decision 91).
 */
export const backups: Domain = {
  calls: [calls('backups', contract, backupsHandlers)],
  workflows: [backupWorkflows, restoreWorkflows, ownBackupWorkflows, copyWorkflows, turnsAtRepositories],
  tables: { ...tables, ...alertTables, ...copyTables, ...ownTables, ...pauseTables },
  quotes: [
    {
      place: 'Backups of Innkeeper itself',
      why: 'Each has what was stored when it was made; the plan removes it in time. Erase again after a restore',
      count: (db) =>
        countSome(db, sql`select from own_backups where deleted_at is null and status = ${runStatus.completed}`),
    },
  ],
  websiteParts: [backupPart],
  metrics: backupMetrics,
  troubles: ownBackupTroubles,
  readScopes: {
    backups: [
      'backup:backup:read',
      'backup:server:read',
      'backup:repo:read',
      'backup:schedule:read',
      'backup:task:read',
      'backup:restore:read',
    ],
  },
  storedOn: storedBackups,
  seed: { at: 65, run: (db, say) => seedBackups(db, say) },
  subjects: {
    backup: see,
    'own-backup': { see: 'backup:backup:read', act: 'backup:own:update' },
    'backup-server': { see: 'backup:server:read', act: 'backup:server:update' },
    'backup-repository': { see: 'backup:repo:read', act: 'backup:repo:prune' },
  },
  schedules: [
    { name: 'backups', everyMs: 10_000, work: backupsDue },
    { name: 'backups of lost machines', everyMs: 60_000, work: giveUpLost },
    { name: 'forget and prune', everyMs: 60_000, work: maintenanceDue },
    { name: 'sizes and locks of repositories', everyMs: 60_000, work: looksDue },
    { name: 'backup of Innkeeper itself', everyMs: 60_000, work: ownBackupDue },
    { name: 'copies of repositories', everyMs: 60_000, work: copiesDue },
    { name: 'alerts of backups', everyMs: 60_000, work: alertsDue },
    { name: 'tried passwords of repositories', everyMs: 600_000, work: dropTried },
    { name: 'checks of repositories', everyMs: 600_000, work: checksDue },
    { name: 'restore drills', everyMs: 600_000, work: drillDue },
  ],
  retention: backupRetention,
  secrets: [
    {
      prefix: 'backup-bucket:',
      enter: { scope: 'backup:server:update', at: '/backups/servers' },
      what: 'Secret access key of a bucket',
      again: 'Backups → Servers: edit the bucket and enter it again.',
      of: (name) => sql`select name from backup_servers where secret = ${name}`,
    },
    {
      prefix: 'backup-repository:',
      enter: { scope: 'backup:server:update', at: '/backups/repositories' },
      what: 'Password of a repository',
      again: 'Backups → Repositories: enter it with “Other password”. Without it, its backups are lost.',
      of: (name) => sql`select account from backup_repositories where secret = ${name}`,
    },
    {
      prefix: 'backup-account:',
      what: 'Password of an account on a backup server',
      again: 'New ones were made. The next backup of each machine sets them.',
      of: (name) => sql`select account from backup_repositories where key_secret = ${name}`,
      renewed: {
        make: newPassword,
        used: sql`update backup_repositories set status = 'preparing' where status = 'ready'`,
      },
    },
    {
      prefix: 'backup-settings:',
      what: 'Settings that a running backup keeps',
      again: 'The next backup has them.',
    },
    {
      prefix: 'restore-settings:',
      what: 'Settings that a restore brought back',
      again: 'Restore them again.',
    },
    {
      prefix: 'backup-password-tried:',
      what: 'Password of a repository that was being tried',
      again: 'Try it again.',
    },
  ],
}
