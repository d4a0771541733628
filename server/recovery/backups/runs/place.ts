import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { folderOf } from '../../../hosting/websites/folders.ts'
import type { Site } from '../../../hosting/websites/siteSteps.ts'
import type { Db } from '../../../kit/db/db.ts'
import { refused } from '../../../kit/http/errors.ts'
import { backupRepositories, backupServers, backups } from '../tables.ts'

/** The folder that is backed up: that of the website, or only the document root if the website shares its folder. */
export const placeOf = (site: Site) => ({
  username: site.systemUser.username,
  path: folderOf(site),
})

/** Where the newest backup of a website is kept, if that backup server is ready; absent for a website without one. */
export async function usualServer(db: Db, websiteId: number): Promise<number | undefined> {
  const [newest] = await db
    .select({ id: backupServers.id, status: backupServers.status, deletedAt: backupServers.deletedAt })
    .from(backups)
    .innerJoin(backupRepositories, eq(backupRepositories.id, backups.repositoryId))
    .innerJoin(backupServers, eq(backupServers.id, backupRepositories.backupServerId))
    .where(and(eq(backups.websiteId, websiteId), isNull(backups.deletedAt)))
    .orderBy(desc(backups.createdAt))
    .limit(1)
  return newest && newest.status === 'ready' && !newest.deletedAt ? newest.id : undefined
}

/**
 * The backup server with this id. If nobody chose one: the only one that is ready, or the only one. Throws 422 if there are
 * several.
 */
export async function chosenServer(db: Db, id: number | undefined): Promise<number> {
  if (id !== undefined) {
    const [known] = await db
      .select({ status: backupServers.status })
      .from(backupServers)
      .where(and(eq(backupServers.id, id), isNull(backupServers.deletedAt)))
      .for('share') // its removal waits, and then finds what uses it
    if (known?.status === 'removing')
      throw refused('This backup server is being removed', { backupServerId: 'Is being removed' })
    if (known) return id
    throw refused(`There is no backup server ${id}`, { backupServerId: 'Is no backup server' })
  }
  const all = await db
    .select({ id: backupServers.id, status: backupServers.status })
    .from(backupServers)
    .where(isNull(backupServers.deletedAt))
    .orderBy(sql`${backupServers.status} = 'ready' desc`, backupServers.id)
    .limit(2)
  const [first, second] = all
  if (!first) throw refused('There is no backup server yet', { backupServerId: 'Choose a backup server' })
  const isOnly = !second || (first.status === 'ready' && second.status !== 'ready')
  if (isOnly) return first.id
  throw refused('There are several backup servers', { backupServerId: 'Choose a backup server' })
}
