import { type SQL, sql } from 'drizzle-orm'
import { sinceText } from '../../../kit/app/sinceText.ts'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { conflict } from '../../../kit/http/errors.ts'

/** Workflows that exchange files and databases of a website one after another, with the words for a backup of that time. */
const words: Record<string, string> = {
  'website.restore-backup': 'restored from a backup',
  'website.merge': 'merged with its staging copy',
  'website.revert': 'reverted to before a merge',
}
/** Workflows that move the files of a website, so that a backup that had begun before no longer finds them. */
const away: Record<string, string> = {
  'website.rename': 'renamed',
  'website.migrate': 'moved',
  'website.delete': 'deleted',
}
const kinds = sql.param(Object.keys(words))
const exchanges = sql`('restore-files.swap', 'merge.swap', 'database.load')`

/** Whether such a workflow runs on a website now. One that has stopped, or waits for people, may take days. */
export const isExchanged = (
  websiteId: SQL,
) => sql`exists (select from resource_locks l join workflows x on x.workflow_id = l.workflow_id
  where l.resource = 'website:' || ${websiteId} and x.kind = any(${kinds}::text[]) and x.status = 'running' and x.ended_at is null)`

/** Throws 409 while files and databases of a website are exchanged: a backup would have some of before and some of after. */
export async function checkNotExchanged(db: Db, { id, domain }: { id: number; domain: string }): Promise<void> {
  const [found] = await rows<{ kind: string; by: string; since: string }>(
    db,
    sql`select x.kind, l.holder as by, x.started_at as since from resource_locks l join workflows x on x.workflow_id = l.workflow_id
      where l.resource = ${`website:${id}`} and x.kind = any(${kinds}::text[]) and x.status = 'running' and x.ended_at is null`,
  )
  if (!found) return
  const since = sinceText(isoOf(found.since))
  throw conflict(`${domain} is being ${words[found.kind]} by ${found.by} since ${since}: back it up afterwards`)
}

/** Why the parts of a backup that has just ended are not of one time; null if they are. */
export async function exchangedDuring(tx: Db, backupWorkflowId: number, websiteId: number): Promise<string | null> {
  const [found] = await rows<{ kind: string; domain: string }>(
    tx,
    sql`select x.kind, x.subject_name as domain from workflows x join actions a on a.workflow_id = x.workflow_id
      where x.subject_type = 'website' and x.subject_id = ${websiteId} and x.kind = any(${kinds}::text[])
        and a.name in ${exchanges} and a.attempt > 0
        and coalesce(a.ended_at, now()) > (select min(b.started_at) from actions b where b.workflow_id = ${backupWorkflowId}
          and b.name in ('backup-files.run', 'backup-database.run')) limit 1`,
  )
  return found
    ? `${found.domain} was ${words[found.kind]} meanwhile: parts of this backup may be of before and of after`
    : null
}

/**
 * The problem of a backup that read the settings of its website after a move had taken the cron jobs from that server;
 * null for any other backup.
 */
export async function movedDuring(tx: Db, backupWorkflowId: number, websiteId: number): Promise<string | null> {
  const [found] = await rows<{ domain: string }>(
    tx,
    sql`select a.resource_name as domain from actions a, workflows b, actions kept
      where b.workflow_id = ${backupWorkflowId} and kept.workflow_id = b.workflow_id and kept.name = 'backup-settings.run'
        and a.name = 'crontab.rest' and a.resource_type = 'crontab' and a.resource_id = ${websiteId}
        and a.started_at between b.started_at and kept.ended_at limit 1`,
  )
  return found ? `${found.domain} was moved meanwhile: its cron jobs may be missing. Back it up again` : null
}

/** For the reason of a failed backup: what happened to its website meanwhile. Empty if nothing did. */
export async function awayDuring(tx: Db, backupWorkflowId: number, websiteId: number): Promise<string> {
  const [found] = await rows<{ kind: string; domain: string }>(
    tx,
    sql`select x.kind, x.subject_name as domain from workflows x, workflows b
      where b.workflow_id = ${backupWorkflowId} and x.subject_type = 'website' and x.subject_id = ${websiteId}
        and x.kind = any(${sql.param(Object.keys(away))}::text[]) and coalesce(x.ended_at, now()) > b.started_at
      order by x.workflow_id desc limit 1`,
  )
  return found
    ? `; ${found.domain} was ${away[found.kind]} meanwhile: ${found.kind === 'website.delete' ? 'that ends its backups' : 'back it up again'}`
    : ''
}
