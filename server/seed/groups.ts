import { eq } from 'drizzle-orm'
import type { Db } from '../kit/db/db.ts'
import * as tables from '../tables.ts'
import type { Dice } from './dice.ts'

const GROUPS = 60

/** Groups most websites of owners with several websites. */
export async function seedGroups(db: Db, d: Dice, websites: (typeof tables.websites.$inferSelect)[]): Promise<number> {
  const several = [...Map.groupBy(websites, ({ ownerId }) => ownerId)].filter(([, theirs]) => theirs.length >= 3)
  for (const [ownerId, theirs] of several.slice(0, GROUPS)) {
    const members = theirs.filter((_, i) => i < 2 || d.chance(0.8))
    const [group] = await db.insert(tables.groups).values({ ownerId, mainWebsite: members[0]!.id }).returning()
    for (const [i, { id }] of members.entries())
      await db
        .update(tables.websites)
        .set({ groupId: group!.id, groupPosition: i + 1 })
        .where(eq(tables.websites.id, id))
  }
  return Math.min(GROUPS, several.length)
}
