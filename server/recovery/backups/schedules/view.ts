import type { Schedule } from '@innkeeper/contract/recovery/backups/shapes'
import { type SQL, sql } from 'drizzle-orm'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { notFound } from '../../../kit/http/errors.ts'

const iso = (at: string | null) => (at === null ? null : isoOf(at))

async function readSchedules(db: Db, which: SQL): Promise<Schedule[]> {
  const found = await rows<Schedule & { status: string | null }>(
    db,
    sql`select c.backup_schedule_id as id, c.version, c.created_at as "createdAt", c.updated_at as "updatedAt", c.name,
        c.website_id as "websiteId", w.domain, c.server_id as "serverId", s.name as "serverName",
        c.backup_server_id as "backupServerId", coalesce(b.name, h.name) as "backupServerName", c.kind, c."when", c.spread, c.keep, c.excludes, c.hours,
        c.limit_kb as "limit",        c.enabled, c.next_at as "nextAt", c.last_at as "lastAt", w.status,
        (select k.status from backups k where k.backup_schedule_id = c.backup_schedule_id order by k.backup_id desc limit 1)
          as "lastStatus",
        case when c.website_id is not null then 1 else (select count(*)::int from websites o where o.server_id = c.server_id
          and o.kind <> 'alias' and o.status = 'active' and o.deleted_at is null) end as websites
      from backup_schedules c left join websites w on w.website_id = c.website_id
      left join servers s on s.server_id = c.server_id
      join backup_servers b on b.backup_server_id = c.backup_server_id join servers h on h.server_id = b.server_id
      where c.deleted_at is null and ${which}`,
  )
  return found.map(({ status, ...one }) => ({
    ...one,
    ...{ createdAt: isoOf(one.createdAt), updatedAt: isoOf(one.updatedAt) },
    ...{ nextAt: iso(one.nextAt), lastAt: iso(one.lastAt) },
    rests: status && !['active', 'suspended', 'migrating'].includes(status) ? `${one.domain} is ${status}` : null,
  }))
}

export async function readSchedule(db: Db, id: number): Promise<Schedule> {
  const [found] = await readSchedules(db, sql`c.backup_schedule_id = ${id}`)
  if (!found) throw notFound('backup schedule', id)
  return found
}

export async function readSchedulesInOrder(db: Db, ids: number[]): Promise<Schedule[]> {
  return ids.length ? inOrder(ids, await readSchedules(db, sql`c.backup_schedule_id in ${ids}`)) : []
}
