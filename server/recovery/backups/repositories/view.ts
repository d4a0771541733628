import type { Repository } from '@innkeeper/contract/recovery/backups/shapes'
import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '../../../kit/db/db.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { servers } from '../../../machines/servers/tables.ts'
import { backupLocks, backupRepositories, backupServers } from '../tables.ts'

const machines = alias(servers, 'machines')

async function readRepositories(db: Db, which: SQL): Promise<Repository[]> {
  const found = await db
    .select({
      repository: backupRepositories,
      backupServerName: sql<string>`coalesce(${backupServers.name}, ${servers.name})`,
      address: servers.address,
      s3: backupServers.s3,
      port: backupServers.port,
      serverName: machines.name,
      lock: backupLocks,
      backups: sql<number>`(select count(*)::int from backups k where k.backup_repository_id = ${backupRepositories.id}
        and k.deleted_at is null) + (select count(*)::int from own_backups o
        where o.backup_repository_id = ${backupRepositories.id} and o.deleted_at is null)`,
    })
    .from(backupRepositories)
    .innerJoin(backupServers, eq(backupServers.id, backupRepositories.backupServerId))
    .innerJoin(servers, eq(servers.id, backupServers.serverId))
    .innerJoin(machines, eq(machines.id, backupRepositories.serverId))
    .leftJoin(
      backupLocks,
      and(
        eq(backupLocks.repositoryId, backupRepositories.id),
        eq(backupLocks.state, 'locked'),
        eq(backupLocks.source, 'innkeeper'),
      ),
    )
    .where(and(which, isNull(backupRepositories.deletedAt)))
    .orderBy(backupRepositories.account, backupRepositories.id)
  return found.map(
    ({ repository: { secret, keySecret, deletedAt, ...repository }, lock, port, address, s3, ...names }) => ({
      ...repository,
      ...names,
      address: s3
        ? `s3:${s3.endpoint}/${s3.bucket}/${s3.prefix}${repository.account}`
        : address && `rest:https://${hostOf(address)}:${port}/${repository.account}/`,
      lockType: lock?.type ?? null,
      lockReason: lock?.reason ?? null,
      lockedBy: lock?.holder ?? null,
    }),
  )
}

const hostOf = (address: string) => (address.includes(':') ? `[${address}]` : address)

export async function readRepository(db: Db, id: number): Promise<Repository> {
  const [found] = await readRepositories(db, eq(backupRepositories.id, id))
  if (!found) throw notFound('backup repository', id)
  return found
}

export async function readRepositoriesInOrder(db: Db, ids: number[]): Promise<Repository[]> {
  return ids.length ? inOrder(ids, await readRepositories(db, inArray(backupRepositories.id, ids))) : []
}
