import type { OwnBackup, OwnPlan } from '@innkeeper/contract/recovery/backups/own'
import { desc, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import type { Missing } from '../../../kit/storage/missing.ts'
import { servers } from '../../../machines/servers/tables.ts'
import { backupRepositories, backupServers } from '../tables.ts'
import { ownBackupPlans, ownBackups } from './tables.ts'

const LATEST = 20

export const missingFiles = ({ count, examples }: Missing): string =>
  `The file store lacks ${count === 1 ? 'an uploaded file' : `${count} uploaded files`}, whole or in part: ` +
  `${examples.join(', ')}${count > examples.length ? ', …' : ''}`

export async function readOwnPlan(db: Db): Promise<OwnPlan | null> {
  const [found] = await db
    .select({ plan: ownBackupPlans, backupServerName: sql<string>`coalesce(${backupServers.name}, ${servers.name})` })
    .from(ownBackupPlans)
    .innerJoin(backupServers, eq(backupServers.id, ownBackupPlans.backupServerId))
    .innerJoin(servers, eq(servers.id, backupServers.serverId))
    .where(isNull(ownBackupPlans.deletedAt))
  if (!found) return null
  const { deletedAt, ...plan } = found.plan
  return { ...plan, backupServerName: found.backupServerName }
}

export async function readOwnBackups(db: Db): Promise<OwnBackup[]> {
  const found = await db
    .select({ own: ownBackups, backupServerName: sql<string>`coalesce(${backupServers.name}, ${servers.name})` })
    .from(ownBackups)
    .innerJoin(backupRepositories, eq(backupRepositories.id, ownBackups.repositoryId))
    .innerJoin(backupServers, eq(backupServers.id, backupRepositories.backupServerId))
    .innerJoin(servers, eq(servers.id, backupServers.serverId))
    .where(isNull(ownBackups.deletedAt))
    .orderBy(desc(ownBackups.startedAt), desc(ownBackups.id))
    .limit(LATEST)
  return found.map(({ own: { deletedAt, leaving, ...own }, backupServerName }) => ({ ...own, backupServerName }))
}
