import { and, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { joinGroup, leaveGroup } from '../websites/groupMembers.ts'
import { allParts } from '../websites/parts/parts.ts'
import { websites } from '../websites/tables.ts'
import { migrations } from './tables.ts'

/** Sets server, account and folder of a website and its members to one end of the move. Idempotent. */
export async function cutOver(db: Db, migrationId: number, end: 'from' | 'to'): Promise<{ serverId: number }> {
  return db.transaction(async (tx) => {
    const [move] = await tx.select().from(migrations).where(eq(migrations.id, migrationId)).for('update')
    if (!move) throw new Error(`the migration ${migrationId} no longer exists`)
    const serverId = end === 'to' ? move.targetServerId : move.sourceServerId
    for (const site of move.sites) {
      await tx
        .update(websites)
        .set({ serverId, ...site[end], ...nextVersion })
        .where(and(eq(websites.id, site.id), isNull(websites.deletedAt)))
      for (const part of allParts()) await part.moved?.(tx, site.id, serverId)
      await changed(tx, 'websites', site.id)
    }
    const group = end === 'to' ? move.targetGroupId : move.sourceGroupId
    if (move.targetGroupId !== null && move.targetGroupId !== move.sourceGroupId) {
      await leaveGroup(tx, move.sourceWebsiteId)
      if (group !== null) await joinGroup(tx, group, move.sourceWebsiteId)
    }
    return { serverId }
  })
}
