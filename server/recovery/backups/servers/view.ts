import type { BackupServer } from '@innkeeper/contract/recovery/backups/shapes'
import { type SQL, sql } from 'drizzle-orm'
import { offlineBefore } from '../../../kit/agents/online.ts'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { notFound } from '../../../kit/http/errors.ts'

type Row = Omit<BackupServer, 'createdAt' | 'updatedAt' | 'forgetNextAt' | 'pruneNextAt' | 'disk'> & {
  createdAt: string
  updatedAt: string
  forgetNextAt: string | null
  pruneNextAt: string | null
  disk: { total: number; used: number } | null
  growth: number | null
}
const iso = (at: string | null) => (at === null ? null : isoOf(at))
const DAY = 86_400_000

/** Backup servers in the form of the contract. */
export async function readServers(db: Db, which: SQL): Promise<BackupServer[]> {
  const found = await rows<Row>(
    db,
    sql`select b.backup_server_id as id, b.version, b.created_at as "createdAt", b.updated_at as "updatedAt",
        b.server_id as "serverId", coalesce(b.name, s.name) as name, b.s3, s.address, b.port, b.note, b.status, b.fingerprint, b.programs, b.keep,
        case when t.last_seen_at > ${offlineBefore} then 'online' when t.last_seen_at is null then 'unknown'
          else 'offline' end as observed, case when t.server_id is null or b.s3 is not null then null else
          json_build_object('total', t.disk_total, 'used', t.disk_used) end as disk,
        b.forget, b.forget_next_at as "forgetNextAt", b.prune, b.prune_next_at as "pruneNextAt", b.workflow_id as "workflowId",
        b.drill_server_id as "drillServerId", d.name as "drillServerName",
        (select count(*)::int from backup_repositories r where r.backup_server_id = b.backup_server_id
          and r.deleted_at is null) as repositories,
        (select count(*)::int from backups k join backup_repositories r on r.backup_repository_id = k.backup_repository_id
          where r.backup_server_id = b.backup_server_id and k.deleted_at is null) as backups,
        (select sum((last - first) / days) from (select (array_agg(z.size order by z.at))[1] as first,
            (array_agg(z.size order by z.at desc))[1] as last,
            extract(epoch from max(z.at) - min(z.at)) / 86400 as days from backup_sizes z
          join backup_repositories r on r.backup_repository_id = z.backup_repository_id
          where r.backup_server_id = b.backup_server_id and z.at > now() - interval '30 days'
          group by z.backup_repository_id having max(z.at) - min(z.at) > interval '3 days') g)::float8 as growth
      from backup_servers b join servers s on s.server_id = b.server_id
      left join server_states t on t.server_id = s.server_id left join servers d on d.server_id = b.drill_server_id
      where b.deleted_at is null and ${which} order by 6, b.backup_server_id`,
  )
  return found.map(({ growth, disk, createdAt, updatedAt, forgetNextAt, pruneNextAt, ...one }) => ({
    ...one,
    ...{ createdAt: isoOf(createdAt), updatedAt: isoOf(updatedAt) },
    ...{ forgetNextAt: iso(forgetNextAt), pruneNextAt: iso(pruneNextAt) },
    disk: disk && { total: disk.total, used: disk.used },
    fullAt: disk && growth && growth > 0 ? fullAt(disk, growth) : null,
  }))
}

/** When the disk will be full at this growth each day; null if that is more than ten years away. */
function fullAt({ total, used }: { total: number; used: number }, growth: number): string | null {
  const days = (total - used) / growth
  return days < 3650 ? new Date(Date.now() + days * DAY).toISOString() : null
}

export async function readServer(db: Db, id: number): Promise<BackupServer> {
  const [found] = await readServers(db, sql`b.backup_server_id = ${id}`)
  if (!found) throw notFound('backup server', id)
  return found
}

export async function readServersInOrder(db: Db, ids: number[]): Promise<BackupServer[]> {
  if (!ids.length) return []
  return inOrder(ids, await readServers(db, sql`b.backup_server_id in ${ids}`))
}
