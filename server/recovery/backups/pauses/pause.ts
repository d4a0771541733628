import { eq, type SQL, sql } from 'drizzle-orm'
import { sinceText } from '../../../kit/app/sinceText.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { conflict } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { resume, stop } from '../../../kit/work/workflow.ts'
import { backupPauses } from './tables.ts'
import { readPauses } from './view.ts'

/**
 * Stops running backups until `until`, or until somebody resumes them if it is null. restic ends on the machine within
 * seconds. A resumed backup starts restic again, which skips data that the repository's index already lists.
 */
export async function pauseBackups(db: Db, which: SQL, until: string | null): Promise<number[]> {
  const found = await rows<{ id: number; workflowId: number }>(
    db,
    sql`select backup_id as id, workflow_id as "workflowId" from backups where ${which} and status in (0, 1)
      and deleted_at is null and workflow_id is not null order by workflow_id for update`,
  )
  const paused: number[] = []
  for (const { id, workflowId } of found) if (await stop(db, workflowId)) paused.push(id)
  if (!paused.length) return []
  await db.execute(sql`update backups set paused_at = now(), paused_until = ${until}, version = version + 1
    where backup_id in ${paused}`)
  await changed(db, 'backups')
  return paused
}

/** Resumes paused backups. */
export async function resumeBackups(db: Db, which: SQL): Promise<void> {
  const found = await rows<{ workflowId: number }>(
    db,
    sql`update backups set paused_at = null, paused_until = null, version = version + 1
      where ${which} and paused_at is not null and deleted_at is null returning workflow_id as "workflowId"`,
  )
  for (const { workflowId } of found.toSorted((a, b) => a.workflowId - b.workflowId)) await resume(db, workflowId)
  if (found.length) await changed(db, 'backups')
}

/** Ends pauses of servers whose time is over, and resumes backups whose pause is over. */
export async function pausesDue(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    const ended = await rows(
      tx,
      sql`update backup_pauses set deleted_at = now(), version = version + 1
        where deleted_at is null and until <= now() returning backup_pause_id`,
    )
    await resumeBackups(tx, sql`paused_until <= now()`)
    if (ended.length) await changed(tx, 'backups')
  })
}

/** Throws 409 while backups of a server are paused. */
export async function checkNotPaused(db: Db, serverId: number): Promise<void> {
  const [pause] = await readPauses(db, eq(backupPauses.serverId, serverId))
  if (pause)
    throw conflict(
      `Backups of ${pause.serverName} are paused since ${sinceText(pause.createdAt)}, until ${pause.until}: ${pause.reason}`,
    )
}
