import { sql } from 'drizzle-orm'
import { offlineBefore } from '../../../kit/agents/online.ts'
import type { App } from '../../../kit/app/app.ts'
import { sinceText } from '../../../kit/app/sinceText.ts'
import { isoOf } from '../../../kit/db/columns.ts'
import { rows } from '../../../kit/db/db.ts'
import { abandon } from '../../../kit/work/abandon.ts'

/** Maximum time that a backup waits for an absent machine: longer than a reboot, and shorter than most schedules. */
const PATIENCE = sql`now() - interval '1 hour'`

/** After Innkeeper was down, or its clock jumped, every machine seems lost until its next heartbeat: look twice. */
const BETWEEN_MS = 30_000
const STALE_MS = 600_000
/** Lost machines by id, with the times of the first and the last look that found them lost, in ms of this process. */
const found = new Map<number, { first: number; last: number }>()

/**
 * Ends the wait of backups for machines that are away. Mail is left out, and the backup is partial; without the machine
 * of the website or the backup server, the backup fails. Its undo changes nothing there, and waits for nobody.
 */
export async function giveUpLost(app: App, betweenMs = BETWEEN_MS): Promise<void> {
  // each action that ends may be followed by another one for the same machine
  for (let n = 0; n < MOST_STEPS && (await giveUpOnce(app, betweenMs)); n++);
}
const MOST_STEPS = 50

async function giveUpOnce({ db }: App, betweenMs: number): Promise<number> {
  const lost = await rows<Lost>(
    db,
    sql`select a.action_id::float8 as id, a.task = 'undo' as undo, s.server_id as "serverId", s.name as server, t.last_seen_at as seen,
        -- steps for mail come last, with those that prepare its server
        a.position > (select max(position) from actions o where o.workflow_id = w.workflow_id
          and o.name in ('backup-files.run', 'backup-database.run', 'backup-settings.run')) as mail
      from workflows w join actions a on a.workflow_id = w.workflow_id join servers s on s.server_id = a.server_id
        left join server_states t on t.server_id = s.server_id
      where w.kind = 'backup.run' and w.ended_at is null and a.status in ('ready', 'running', 'unknown') and (
        (a.task = 'undo' and coalesce(t.last_seen_at, '-infinity') < ${offlineBefore})
        or (w.started_at < ${PATIENCE} and coalesce(t.last_seen_at, '-infinity') < ${PATIENCE}))`,
  )
  const again = stillLost(lost, betweenMs)
  return abandon(
    db,
    lost
      .filter(({ undo, serverId }) => undo || again.has(serverId))
      .map(({ id, mail, undo, server, seen }) => ({
        id,
        status: mail || undo ? ('skipped' as const) : ('failed' as const),
        reason: `${server} has not been heard from ${seen ? `since ${sinceText(isoOf(seen))}` : 'yet'}`,
      })),
  )
}

interface Lost {
  id: number
  mail: boolean
  undo: boolean
  serverId: number
  server: string
  seen: string | null
}

/** Notes the lost machines. Answers those that an earlier look had found lost, too. */
function stillLost(lost: readonly Lost[], betweenMs: number): Set<number> {
  const now = performance.now()
  const ids = new Set(lost.flatMap(({ undo, serverId }) => (undo ? [] : serverId)))
  const again = new Set<number>()
  for (const id of [...found.keys()]) if (!ids.has(id)) found.delete(id)
  for (const id of ids) {
    const known = found.get(id)
    // another node may have looked meanwhile
    const { first } = known && now - known.last < STALE_MS ? known : { first: now }
    found.set(id, { first, last: now })
    if (first !== now && now - first >= betweenMs) again.add(id)
  }
  return again
}
