import { and, eq, isNull } from 'drizzle-orm'
import { folderOf } from '../../../hosting/websites/folders.ts'
import type { Site } from '../../../hosting/websites/siteSteps.ts'
import type { Db } from '../../../kit/db/db.ts'
import { refused } from '../../../kit/http/errors.ts'
import { backupServers } from '../tables.ts'

/** The folder that is backed up: that of the website, or only the document root if the website shares its folder. */
export const placeOf = (site: Site) => ({
  username: site.systemUser.username,
  path: folderOf(site),
})

/** The backup server with this id, or the only backup server if nobody chose one. Throws 422 if there are several. */
export async function chosenServer(db: Db, id: number | undefined): Promise<number> {
  const all = await db
    .select({ id: backupServers.id })
    .from(backupServers)
    .where(isNull(backupServers.deletedAt))
    .orderBy(backupServers.id)
    .limit(2)
  const why = all.length ? 'There are several backup servers' : 'There is no backup server yet'
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
  const [only, other] = all
  if (!only || other) throw refused(why, { backupServerId: 'Choose a backup server' })
  return only.id
}
