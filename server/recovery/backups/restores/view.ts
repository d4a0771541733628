import type { Restore, RestoreItem } from '@innkeeper/contract/recovery/backups/shapes'
import { and, eq, inArray, type SQL } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { backupRestoreItems, backupRestores, backups } from '../tables.ts'

async function readRestores(db: Db, which: SQL): Promise<Restore[]> {
  const found = await db
    .select({
      restore: backupRestores,
      backupAt: backups.startedAt,
      fromWebsiteId: backups.websiteId,
      fromDomain: backups.domain,
    })
    .from(backupRestores)
    .innerJoin(backups, eq(backups.id, backupRestores.backupId))
    .where(which)
    .orderBy(backupRestores.id)
  return found.map(({ restore, ...from }) => ({ ...restore, ...from }))
}

export async function readRestore(db: Db, id: number): Promise<Restore> {
  const [found] = await readRestores(db, eq(backupRestores.id, id))
  if (!found) throw notFound('restore', id)
  return found
}

export async function readRestoresInOrder(db: Db, ids: number[]): Promise<Restore[]> {
  return ids.length ? inOrder(ids, await readRestores(db, inArray(backupRestores.id, ids))) : []
}

/** A page of the websites, databases or servers of a restore, and their total. */
export async function readItems(
  db: Db,
  restoreId: number,
  resource: RestoreItem['resource'],
): Promise<[RestoreItem[], number]> {
  await readRestore(db, restoreId)
  const items = await db
    .select()
    .from(backupRestoreItems)
    .where(and(eq(backupRestoreItems.restoreId, restoreId), eq(backupRestoreItems.resource, resource)))
    .orderBy(backupRestoreItems.id)
  return [items, items.length]
}
