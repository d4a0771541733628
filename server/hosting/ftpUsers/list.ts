import type { ftpUsers as contract } from '@innkeeper/contract/hosting/ftpUsers'
import type { Input, Output } from '@innkeeper/contract/kit/endpoint'
import { inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { contains, pageKeys } from '../../kit/db/page.ts'
import { websites } from '../websites/tables.ts'
import { ftpUsers } from './tables.ts'
import { readInOrder } from './view.ts'

const sorts = {
  username: { column: ftpUsers.username, type: 'text', direction: 'ASC' },
  createdAt: { column: ftpUsers.createdAt, type: 'instant', direction: 'DESC' },
  lastLoginAt: { column: sql`coalesce(${ftpUsers.lastLoginAt}, 'epoch')`, type: 'instant', direction: 'DESC' },
} as const

/** `shownAs` of view.ts as SQL. */
const shownState = sql`case when ${ftpUsers.state} = 'deleted' then 'deleting' when ${ftpUsers.state} <> 'ready' then ${ftpUsers.state}
  when ${ftpUsers.status} <> 'active' then ${ftpUsers.status} when ${ftpUsers.expiresAt} <= now() then 'expired'
  when ${ftpUsers.websiteId} in
    (select ${websites.id} from ${websites} where ${websites.status} = 'suspended' and ${websites.deletedAt} is null)
  then 'suspended' else 'active' end`

export async function listFtpUsers(
  db: Db,
  input: Input<typeof contract.list, 'out'>,
): Promise<Output<typeof contract.list>> {
  const where: SQL[] = [sql`${ftpUsers.deletedAt} is null`]
  if (input.websiteIds) where.push(inArray(ftpUsers.websiteId, input.websiteIds))
  if (input.server) where.push(inArray(ftpUsers.serverId, input.server))
  if (input.owner)
    where.push(
      sql`${ftpUsers.websiteId} in (select ${websites.id} from ${websites} where ${inArray(websites.ownerId, input.owner)})`,
    )
  if (input.status) where.push(sql`${shownState} in ${input.status}`)
  if (input.search) where.push(contains(ftpUsers.username, input.search))
  const { ids, ...page } = await pageKeys(db, input, {
    from: sql`${ftpUsers}`,
    where,
    key: ftpUsers.id,
    order: sorts[input.sort ?? 'username'],
  })
  return { items: await readInOrder(db, ids), ...page }
}
