import type { RepositorySizes } from '@innkeeper/contract/recovery/backups/shapes'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { readServer } from '../servers/view.ts'
import { readRepository } from './view.ts'

/** Sizes of the last year, one for each day: the last measured. */
export async function readSizes(db: Db, id: number): Promise<RepositorySizes> {
  const { backupServerId } = await readRepository(db, id)
  const { disk, fullAt } = await readServer(db, backupServerId)
  const days = await rows<{ day: string; size: number }>(
    db,
    sql`select distinct on (day) to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day, size::float8 as size
      from backup_sizes where backup_repository_id = ${id} and at > now() - interval '1 year' order by day, at desc`,
  )
  return { days, growth: growthOf(days), free: disk && disk.total - disk.used, fullAt }
}

const DAY = 86_400_000
/** Growth each day over the last 30 days; null if they span fewer than three days. */
function growthOf(days: RepositorySizes['days']): number | null {
  const last = days.at(-1)
  if (!last) return null
  const since = Date.parse(last.day) - 30 * DAY
  const first = days.find(({ day }) => Date.parse(day) >= since) ?? last
  const span = (Date.parse(last.day) - Date.parse(first.day)) / DAY
  return span >= 3 ? (last.size - first.size) / span : null
}
