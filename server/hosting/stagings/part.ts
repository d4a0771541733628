import { and, eq } from 'drizzle-orm'
import type { Part } from '../websites/parts/parts.ts'
import { readWebsite } from '../websites/view.ts'
import { whyNotReverted } from './readMerges.ts'
import { merges } from './tables.ts'

/**
 * A merge has nothing to move, because the data for its revert stays on the old server. The preflight warns people of
 * this.
 */
export const mergePart: Part = {
  kind: 'merge',
  title: 'Merges',
  order: 82,
  along: {
    backup: 'The state from before a merge is in no backup',
    newWebsite: 'Merges stay with the former website',
    copy: 'Merges are not copied',
    move: 'The state from before a merge stays on the old server',
  },
  list: async () => [],
  async moveCheck(db, site) {
    const merged = await db
      .select()
      .from(merges)
      .where(and(eq(merges.websiteId, site.id), eq(merges.status, 'merged')))
    const why = await whyNotReverted(db, await readWebsite(db, site.id), merged)
    const lost = merged.filter((_, i) => why[i] === undefined)
    return lost.map(({ id }) => ({
      key: 'merge',
      title: 'Merge',
      level: 'warning',
      text: `Merge ${id} can be reverted on ${site.server.name} only: revert it before the move, or not at all`,
    }))
  },
}
