import type { files as contract } from '@innkeeper/contract/desk/files'
import type { Input, Output } from '@innkeeper/contract/kit/endpoint'
import { eq, sql } from 'drizzle-orm'
import { users } from '../../access/users/tables.ts'
import type { Staff } from '../../kit/access/sessions.ts'
import { byIds } from '../../kit/db/byIds.ts'
import type { Db } from '../../kit/db/db.ts'
import { inOrder, pageKeys } from '../../kit/db/page.ts'
import { fileDownloads } from './tables.ts'
import { findFile } from './view.ts'

const select = byIds((db, isWanted) =>
  db
    .select({
      id: fileDownloads.id,
      at: fileDownloads.at,
      staffId: fileDownloads.staffId,
      staffName: sql<string>`coalesce(${users.firstName} || ' ' || ${users.lastName}, 'Visitor')`,
      ip: fileDownloads.ip,
    })
    .from(fileDownloads)
    .leftJoin(users, eq(users.id, fileDownloads.staffId))
    .where(isWanted(fileDownloads.id)),
)

/** Downloads of a file, for people who may change it. */
export async function downloadsOf(
  db: Db,
  staff: Staff,
  { id, ...input }: Input<typeof contract.downloads, 'out'>,
): Promise<Output<typeof contract.downloads>> {
  await findFile(db, staff, id, { change: true })
  const { ids, ...page } = await pageKeys(db, input, {
    from: sql`${fileDownloads}`,
    where: [eq(fileDownloads.fileId, id)],
    key: fileDownloads.id,
    order: { column: fileDownloads.at, type: 'instant', direction: 'DESC' },
  })
  return { items: inOrder(ids, await select(db, ids)), ...page }
}
