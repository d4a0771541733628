import type { systemUsers as contract } from '@innkeeper/contract/hosting/systemUsers'
import type { Input, Output } from '@innkeeper/contract/kit/endpoint'
import { inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { contains, pageKeys } from '../../kit/db/page.ts'
import { systemUsers } from './tables.ts'
import { readSystemUsers } from './view.ts'

const sorts = {
  username: { column: systemUsers.username, type: 'text', direction: 'ASC' },
  createdAt: { column: systemUsers.createdAt, type: 'instant', direction: 'DESC' },
  diskUsedMb: { column: sql`coalesce(${systemUsers.diskUsedMb}, -1)`, type: 'int', direction: 'DESC' },
} as const

/**
 * Lists accounts by filters, or by ids in a repeated `search[]`. Without ids the result is empty, without a query
 * (RQ5-006).
 */
export async function listSystemUsers(
  db: Db,
  input: Input<typeof contract.list, 'out'>,
): Promise<Output<typeof contract.list>> {
  if (Array.isArray(input.search)) {
    const items = await readSystemUsers(db, [...new Set(input.search)])
    return { items, total: items.length }
  }
  const where: SQL[] = [sql`${systemUsers.deletedAt} is null`]
  if (input.server) where.push(inArray(systemUsers.serverId, input.server))
  if (input.owner) where.push(inArray(systemUsers.ownerId, input.owner))
  if (input.plan) where.push(inArray(systemUsers.planId, input.plan))
  if (input.status) where.push(inArray(systemUsers.status, input.status))
  if (input.over !== undefined)
    where.push(sql`${systemUsers.diskOverSince} is ${input.over ? sql`not null` : sql`null`}`)
  if (input.search) where.push(contains(systemUsers.username, input.search))
  const { ids, ...page } = await pageKeys(db, input, {
    from: sql`${systemUsers}`,
    where,
    key: systemUsers.id,
    order: sorts[input.sort ?? 'username'],
  })
  return { items: await readSystemUsers(db, ids), ...page }
}
