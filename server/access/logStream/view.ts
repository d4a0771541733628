import type { LogStream } from '@innkeeper/contract/desk/operation'
import { sql } from 'drizzle-orm'
import type { Settings } from '../../kit/app/settings.ts'
import { isoOf } from '../../kit/db/columns.ts'
import { type Db, rows } from '../../kit/db/db.ts'

/** Rows behind, and since when the oldest of them waits. A position beyond the chain belongs to a longer one. */
export const lag = sql`select greatest(0, e.position - s.position)::float8 as rows,
    (select extract(epoch from now() - l.at) from action_log_seals n join action_logs l on l.action_log_id = n.action_log_id
      where n.position > s.position order by n.position limit 1)::float8 as seconds
  from log_streams s, (select coalesce(max(position), 0) as position from action_log_seals) e`

/** Where the action log goes and how far it is; null if it goes nowhere. */
export async function readLogStream(db: Db, { logStream }: Pick<Settings, 'logStream'>): Promise<LogStream | null> {
  if (!logStream) return null
  const { host, protocol } = new URL(logStream.url)
  const [at] = await rows<{ since: string; sentAt: string | null; failingSince: string | null; error: string | null }>(
    db,
    sql`select since, sent_at as "sentAt", failing_since as "failingSince", error from log_streams`,
  )
  const [behind] = await rows<{ rows: number; seconds: number | null }>(db, lag)
  return {
    to: `${protocol}//${host}`,
    since: at ? isoOf(at.since) : null,
    sentAt: at?.sentAt ? isoOf(at.sentAt) : null,
    failingSince: at?.failingSince ? isoOf(at.failingSince) : null,
    error: at?.error ?? null,
    rows: behind?.rows ?? 0,
    seconds: Math.round(behind?.seconds ?? 0),
  }
}
