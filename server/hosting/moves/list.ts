import type { moves as contract } from '@innkeeper/contract/hosting/moves/calls'
import type { Input, Output } from '@innkeeper/contract/kit/endpoint'
import { inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { nameLike, pageKeys } from '../../kit/db/page.ts'
import { migrations } from './tables.ts'
import { readMoves } from './view.ts'

const sorts = {
  createdAt: { column: migrations.createdAt, type: 'instant', direction: 'DESC' },
  updatedAt: { column: migrations.updatedAt, type: 'instant', direction: 'DESC' },
} as const

/**
 * Lists moves. Members of a group are only listed in a filter by website; otherwise the group's row represents them.
 */
export async function listMoves(
  db: Db,
  input: Input<typeof contract.list, 'out'>,
): Promise<Output<typeof contract.list>> {
  const where: SQL[] = []
  if (input.sourceWebsiteId) where.push(inArray(migrations.sourceWebsiteId, input.sourceWebsiteId))
  if (input.targetWebsiteId) where.push(inArray(migrations.targetWebsiteId, input.targetWebsiteId))
  if (!where.length) where.push(sql`${migrations.parentId} is null`)
  if (input.type) where.push(inArray(migrations.type, input.type))
  if (input.status) where.push(inArray(migrations.status, input.status))
  if (input.server)
    where.push(
      sql`(${migrations.sourceServerId} in ${input.server} or ${migrations.targetServerId} in ${input.server})`,
    )
  if (input.domain) where.push(nameLike(migrations.domain, input.domain))
  const { ids, ...page } = await pageKeys(db, input, {
    from: sql`${migrations}`,
    where,
    key: migrations.id,
    order: sorts[input.sort ?? 'createdAt'],
  })
  return { migrations: await readMoves(db, ids), ...page }
}
