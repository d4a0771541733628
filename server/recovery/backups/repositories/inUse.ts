import { sql } from 'drizzle-orm'
import { sinceText } from '../../../kit/app/sinceText.ts'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { holdBack, startLast } from '../../../kit/work/claim.ts'

/** Operations for which restic needs a repository for itself. They wait for running backups and restores. */
const alone = sql`('backup-repository.prune', 'backup-repository.check', 'backup-repository.forget')`
/** Operations that wait for these. */
const others = sql`('backup-files.run', 'backup-database.run', 'backup-settings.run', 'backup-mail.run', 'restore-files.prepare',
  'restore-dump.fetch', 'restore-mail.prepare', 'backup-drill.run', 'backup-drill.serve')`

const doing: Record<string, string> = {
  'backup-repository.prune': 'pruned',
  'backup-repository.check': 'checked',
  'backup-repository.forget': 'freed of old backups',
}
/** For what a restore from this repository would wait now, as a sentence. */
export async function inUseText(db: Db, repositoryId: number): Promise<string | null> {
  const [found] = await rows<{ name: string; account: string; since: string }>(
    db,
    sql`select name, resource_name as account, started_at as since from actions where resource_type = 'backup-repository'
      and resource_id = ${repositoryId} and name in ${alone} and status = 'running' and task = 'run' limit 1`,
  )
  return found
    ? `${found.account} is being ${doing[found.name]} since ${sinceText(isoOf(found.since))}: the restore begins when that has ended`
    : null
}

/** Declares the workflows of this file, for domain.ts. */
export function turnsAtRepositories(): void {
  /**
   * A prune of a large repository takes hours. Two backups that wait for its lock would take both slots of their machine for
   * long work, and a new backup after every other one would keep the prune from ever getting its lock. The password names the
   * repository.
   */
  holdBack(sql`actions.name in ${others} and actions.task = 'run' and actions.status = 'ready' and exists (select from actions o
  where o.status = 'running' and o.task = 'run' and o.name in ${alone} and o.input -> 'password' = actions.input -> 'password')`)
  /** A night's backups of a machine wait together, for hours if their backup server is away. People do not wait for them. */
  startLast(sql`actions.name like 'backup-%' and actions.name <> 'backup-program.ensure'`)
}
