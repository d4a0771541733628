import type { RepositoryCopy } from '@innkeeper/contract/recovery/backups/copies'
import type { When } from '@innkeeper/contract/recovery/backups/when'
import { type SQL, sql } from 'drizzle-orm'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { notFound } from '../../../kit/http/errors.ts'

/** Hours by frequency after which a waiting backup makes the copy late: twice the time between two runs. */
const hours: Record<When['every'], number> = { hour: 2, day: 48, week: 2 * 168, month: 2 * 744 }
/** People are notified after this many failed runs in a row, because a single failure is often temporary. */
const MANY_FAILURES = 3

type Row = Omit<RepositoryCopy, 'state'> & { status: string | null }

async function readCopies(db: Db, which: SQL): Promise<RepositoryCopy[]> {
  const found = await rows<Row>(
    db,
    sql`select c.backup_copy_id as id, c.version, c.created_at as "createdAt", c.updated_at as "updatedAt",
        c.backup_repository_id as "repositoryId", r.account, m.name as "serverName", coalesce(b.name, h.name) as "backupServerName",
        c.target_repository_id as "targetId", t.backup_server_id as "targetServerId", coalesce(o.name, g.name) as "targetServerName",
        c."when", c.limit_kb as "limit", c.enabled, c.next_at as "nextAt", c.last_at as "lastAt", c.failures, c.error,
        t.size::float8 as size, c.workflow_id as "workflowId", w.status, k.copied, k.waiting, k.since as "waitingSince"
      from backup_copies c
      join backup_repositories r on r.backup_repository_id = c.backup_repository_id
      join servers m on m.server_id = r.server_id
      join backup_servers b on b.backup_server_id = r.backup_server_id join servers h on h.server_id = b.server_id
      join backup_repositories t on t.backup_repository_id = c.target_repository_id
      join backup_servers o on o.backup_server_id = t.backup_server_id join servers g on g.server_id = o.server_id
      left join workflows w on w.workflow_id = c.workflow_id
      cross join lateral (select count(*) filter (where k.copied_at is not null)::int as copied,
          count(*) filter (where k.copied_at is null)::int as waiting,
          min(k.created_at) filter (where k.copied_at is null) as since
        from backups k where k.backup_repository_id = c.backup_repository_id and k.deleted_at is null and not k.leaving
          and k.status in (2, 4)) k
      where c.deleted_at is null and ${which}`,
  )
  const iso = (at: string | null) => (at === null ? null : isoOf(at))
  return found.map(({ status, ...one }) => {
    const copy = {
      ...one,
      ...{ createdAt: isoOf(one.createdAt), updatedAt: isoOf(one.updatedAt) },
      ...{ nextAt: iso(one.nextAt), lastAt: iso(one.lastAt), waitingSince: iso(one.waitingSince) },
    }
    return { ...copy, state: stateOf(copy, status) }
  })
}

function stateOf(copy: Omit<RepositoryCopy, 'state'>, status: string | null): RepositoryCopy['state'] {
  if (status === 'running' || status === 'waiting') return 'running'
  if (!copy.enabled) return 'off'
  if (copy.failures) return 'failed'
  if (isLate(copy)) return 'late'
  if (copy.waiting) return copy.lastAt ? 'waiting' : 'never'
  return copy.lastAt ? 'current' : 'never'
}

function isLate({ when, waitingSince }: Pick<RepositoryCopy, 'when' | 'waitingSince'>): boolean {
  if (!when || !waitingSince) return false
  return Date.parse(waitingSince) < Date.now() - hours[when.every] * 3_600_000
}

/** Copies that people are notified about: late, or failed `MANY_FAILURES` times. */
export const worrying = async (db: Db): Promise<RepositoryCopy[]> =>
  (await readCopies(db, sql`c.enabled`)).filter((one) => isLate(one) || one.failures >= MANY_FAILURES)

export async function readCopy(db: Db, id: number): Promise<RepositoryCopy> {
  const [found] = await readCopies(db, sql`c.backup_copy_id = ${id}`)
  if (!found) throw notFound('copy of a repository', id)
  return found
}

export async function readCopiesInOrder(db: Db, ids: number[]): Promise<RepositoryCopy[]> {
  return ids.length ? inOrder(ids, await readCopies(db, sql`c.backup_copy_id in ${ids}`)) : []
}
