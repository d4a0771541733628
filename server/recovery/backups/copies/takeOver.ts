import { eq, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { backupRepositories } from '../tables.ts'
import { backupCopies } from './tables.ts'
import { readCopy } from './view.ts'

/**
 * Makes the copy the repository of all copied backups. Backups that were not copied become failed: nothing is left of
 * them.
 */
export async function takeOver(
  db: Db,
  repositoryId: number,
  targetId: number,
): Promise<{ kept: number; lost: number }> {
  const why = 'Its repository was lost before this backup was copied'
  const moved = await rows(
    db,
    sql`update backups k set backup_repository_id = ${targetId}, copied_at = null, version = version + 1,
        parts = (select jsonb_agg((p || jsonb_build_object('snapshot', p -> 'copy')) - 'copy' order by n)
          from jsonb_array_elements(k.parts) with ordinality e(p, n))
      where k.backup_repository_id = ${repositoryId} and k.deleted_at is null and k.copied_at is not null
      returning k.backup_id`,
  )
  const lost = await rows(
    db,
    sql`update backups k set status = 3, error = ${why}, proven_at = null, proof = null, version = version + 1,
        parts = coalesce((select jsonb_agg(p || jsonb_build_object('snapshot', null, 'problem', ${why}::text) order by n)
          from jsonb_array_elements(k.parts) with ordinality e(p, n)), '[]')
      where k.backup_repository_id = ${repositoryId} and k.deleted_at is null and k.status in (2, 4) returning k.backup_id`,
  )
  await db
    .update(backupRepositories)
    .set({ copyOfId: null, ...nextVersion })
    .where(eq(backupRepositories.id, targetId))
  // the next backup to the first server creates the repository again, or opens it if it is back
  await db
    .update(backupRepositories)
    .set({ status: 'preparing', ...nextVersion })
    .where(eq(backupRepositories.id, repositoryId))
  await changed(db, 'backups')
  return { kept: moved.length, lost: lost.length }
}
export async function end(db: Db, id: number): Promise<void> {
  await db
    .update(backupCopies)
    .set({ deletedAt: sql`now()`, enabled: false, nextAt: null, ...nextVersion })
    .where(eq(backupCopies.id, id))
  await changed(db, 'backups')
}
export async function held({ db, audit }: Context, id: number, version: number | undefined) {
  await db.execute(sql`select 1 from backup_copies where backup_copy_id = ${id} for update`)
  const copy = await readCopy(db, id)
  checkVersion(copy, version, copy.account)
  audit.of('backup-copy', id)
  audit.before(copy)
  return copy
}
