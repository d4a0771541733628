import type { databases as contract } from '@innkeeper/contract/hosting/databases/calls'
import type { Input, Output } from '@innkeeper/contract/kit/endpoint'
import { inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { contains, pageKeys } from '../../kit/db/page.ts'
import { websites } from '../websites/tables.ts'
import { readDatabasesInOrder } from './read.ts'
import { databases, databaseUsers } from './tables.ts'
import { readUsersInOrder } from './users/view.ts'

const sorts = {
  name: { column: databases.name, type: 'text', direction: 'ASC' },
  createdAt: { column: databases.createdAt, type: 'instant', direction: 'DESC' },
  sizeMb: { column: sql`coalesce(${databases.size}, -1)`, type: 'int', direction: 'DESC' },
} as const
const userSorts = {
  username: { column: databaseUsers.username, type: 'text', direction: 'ASC' },
  createdAt: { column: databaseUsers.createdAt, type: 'instant', direction: 'DESC' },
} as const
const none = { items: [], total: 0 }

/** Lists databases by filters. An empty `websiteIds` returns an empty result without a query (RP5-008). */
export async function listDatabases(
  db: Db,
  input: Input<typeof contract.list, 'out'>,
): Promise<Output<typeof contract.list>> {
  if (input.websiteIds && !input.websiteIds.length) return none
  const where: SQL[] = [sql`${databases.deletedAt} is null`]
  if (input.websiteIds) where.push(inArray(databases.websiteId, input.websiteIds))
  if (input.server) where.push(inArray(databases.serverId, input.server))
  if (input.owner) where.push(sql`${databases.websiteId} in ${ofOwners(input.owner)}`)
  if (input.engine) where.push(inArray(databases.engine, input.engine))
  if (input.status) where.push(inArray(databases.status, input.status))
  if (input.search) where.push(contains(databases.name, input.search))
  const { ids, ...page } = await pageKeys(db, input, {
    from: sql`${databases}`,
    where,
    key: databases.id,
    order: sorts[input.sort ?? 'name'],
  })
  return { items: await readDatabasesInOrder(db, ids), ...page }
}

/** Lists accounts by filters. An empty `websiteIds` returns an empty result without a query (RP5-008). */
export async function listUsers(
  db: Db,
  input: Input<typeof contract.users, 'out'>,
): Promise<Output<typeof contract.users>> {
  if (input.websiteIds && !input.websiteIds.length) return none
  const where: SQL[] = [sql`${databaseUsers.deletedAt} is null`]
  if (input.websiteIds) where.push(inArray(databaseUsers.websiteId, input.websiteIds))
  if (input.server) where.push(inArray(databaseUsers.serverId, input.server))
  if (input.owner) where.push(sql`${databaseUsers.websiteId} in ${ofOwners(input.owner)}`)
  if (input.engine) where.push(inArray(databaseUsers.engine, input.engine))
  if (input.locked !== undefined) where.push(sql`${databaseUsers.locked} = ${input.locked}`)
  if (input.search) where.push(contains(databaseUsers.username, input.search))
  const { ids, ...page } = await pageKeys(db, input, {
    from: sql`${databaseUsers}`,
    where,
    key: databaseUsers.id,
    order: userSorts[input.sort ?? 'username'],
  })
  return { items: await readUsersInOrder(db, ids), ...page }
}

const ofOwners = (ids: number[]) =>
  sql`(select ${websites.id} from ${websites} where ${inArray(websites.ownerId, ids)} and ${websites.deletedAt} is null)`
