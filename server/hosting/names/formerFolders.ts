import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { linking, unlinking } from '../websites/folders.ts'
import { comesAlong, type Part } from '../websites/parts/parts.ts'
import { websites } from '../websites/tables.ts'

const formerNames = (db: Db, websiteId: number) =>
  db
    .select({ domain: websites.domain })
    .from(websites)
    .where(and(eq(websites.parentId, websiteId), isNotNull(websites.until), isNull(websites.deletedAt)))
    .orderBy(websites.id)

/** Applications store paths of the folder's former name. The symlink follows the website to another server. */
export const formerFolders: Part = {
  kind: 'former-folder',
  title: 'Former folder names',
  order: 21,
  along: comesAlong, // a restore stays in the folder of today, and new websites have no former name
  list: async () => [],
  async move(db, { from, to }) {
    const prepare = (await formerNames(db, from.id)).flatMap(({ domain }) => linking(to, domain))
    return { files: [], prepare, frozen: [] }
  },
  leave: async (db, site) => (await formerNames(db, site.id)).flatMap(({ domain }) => unlinking(site, domain)),
}
