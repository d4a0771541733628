import type { Backup } from '@innkeeper/contract/recovery/backups/shapes'
import { jobOf } from '@innkeeper/contract/recovery/backups/values'
import { and, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { byIds } from '../../../kit/db/byIds.ts'
import type { Db } from '../../../kit/db/db.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { notFound, refused } from '../../../kit/http/errors.ts'
import { servers } from '../../../machines/servers/tables.ts'
import { backupRepositories, backupServers, backups } from '../tables.ts'

const hosts = alias(servers, 'hosts')
const { configuration, leaving, deletedAt, ...columns } = getTableColumns(backups)

const select = (db: Db, which: SQL) =>
  db
    .select({
      backup: columns,
      serverName: servers.name,
      backupServerName: sql<string>`coalesce(${backupServers.name}, ${hosts.name})`,
      copiedTo: sql<
        string | null
      >`case when ${backups.copiedAt} is not null then (select coalesce(b.name, s.name) from backup_repositories t
        join backup_servers b on b.backup_server_id = t.backup_server_id join servers s on s.server_id = b.server_id
        where t.copy_of_id = ${backups.repositoryId} and t.deleted_at is null) end`,
    })
    .from(backups)
    .innerJoin(servers, eq(servers.id, backups.serverId))
    .innerJoin(backupRepositories, eq(backupRepositories.id, backups.repositoryId))
    .innerJoin(backupServers, eq(backupServers.id, backupRepositories.backupServerId))
    .innerJoin(hosts, eq(hosts.id, backupServers.serverId))
    .where(and(which, isNull(backups.deletedAt)))
    .orderBy(backups.id)
const selectByIds = byIds((db, isWanted) => select(db, isWanted(backups.id)))

const shown = ({ backup, ...names }: Awaited<ReturnType<typeof select>>[number]): Backup => ({
  ...backup,
  ...names,
  // the call for the databases of one backup returns the tables, the preview of a restore the mailboxes
  parts: backup.parts.map(({ tables, mailboxes, ...part }) => part),
  jobStatus: jobOf(backup.status),
})

export async function readBackup(db: Db, id: number): Promise<Backup> {
  const [found] = await readBackupsInOrder(db, [id])
  if (!found) throw notFound('backup', id)
  return found
}

export async function readBackupsInOrder(db: Db, ids: number[]): Promise<Backup[]> {
  return inOrder(ids, (await selectByIds(db, ids)).map(shown))
}

/**
 * The stored row, including fields that answers leave out. With `copy`, its repository and snapshots are those of the
 * copy on the other backup server, so that callers can read the copy like the backup.
 */
export async function storedBackup(db: Db, id: number, copy = false) {
  const [found] = await db
    .select()
    .from(backups)
    .where(and(eq(backups.id, id), isNull(backups.deletedAt)))
  if (!found) throw notFound('backup', id)
  if (!copy) return found
  const [target] = await db
    .select({ id: backupRepositories.id })
    .from(backupRepositories)
    .where(and(eq(backupRepositories.copyOfId, found.repositoryId), isNull(backupRepositories.deletedAt)))
  if (!target || !found.copiedAt) throw refused('This backup is not copied', { copy: 'Is not copied' })
  const parts = found.parts.map((part) => ({ ...part, snapshot: part.copy ?? null }))
  return { ...found, repositoryId: target.id, parts }
}
