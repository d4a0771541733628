import type { Pause } from '@innkeeper/contract/recovery/backups/pauses'
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { servers } from '../../../machines/servers/tables.ts'
import { backupPauses } from './tables.ts'

/** Open pauses, ordered by their end, earliest first. */
export async function readPauses(db: Db, which: SQL): Promise<Pause[]> {
  const found = await db
    .select({
      pause: backupPauses,
      serverName: servers.name,
      stopped: sql<number>`(select count(*)::int from backups k where k.server_id = ${backupPauses.serverId}
        and k.paused_at is not null and k.deleted_at is null)`,
    })
    .from(backupPauses)
    .innerJoin(servers, eq(servers.id, backupPauses.serverId))
    .where(and(which, isNull(backupPauses.deletedAt)))
    .orderBy(backupPauses.until, backupPauses.id)
    .limit(200)
  return found.map(({ pause: { deletedAt, ...pause }, ...more }) => ({ ...pause, ...more }))
}

export async function readPause(db: Db, id: number): Promise<Pause> {
  const [found] = await readPauses(db, eq(backupPauses.id, id))
  if (!found) throw notFound('pause', id)
  return found
}
