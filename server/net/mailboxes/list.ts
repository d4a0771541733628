import type { Input, Output } from '@innkeeper/contract/kit/endpoint'
import type { mailboxes as contract } from '@innkeeper/contract/net/mailboxes/calls'
import { inArray, type SQL, sql } from 'drizzle-orm'
import { websites } from '../../hosting/websites/tables.ts'
import type { Db } from '../../kit/db/db.ts'
import { contains, nameLike, pageKeys } from '../../kit/db/page.ts'
import { readMailboxesInOrder } from './read.ts'
import { readUsersInOrder } from './readUsers.ts'
import { mailboxes, mailboxUsers } from './tables.ts'

const sorts = {
  domain: { column: mailboxes.domain, type: 'text', direction: 'ASC' },
  createdAt: { column: mailboxes.createdAt, type: 'instant', direction: 'DESC' },
} as const
const userSorts = {
  address: { column: mailboxUsers.address, type: 'text', direction: 'ASC' },
  createdAt: { column: mailboxUsers.createdAt, type: 'instant', direction: 'DESC' },
  usedMb: { column: sql`coalesce(${mailboxUsers.used}, -1)`, type: 'int', direction: 'DESC' },
  quotaMb: { column: mailboxUsers.quotaMb, type: 'int', direction: 'DESC' },
} as const

const ofOwners = (ids: number[]) =>
  sql`(select ${websites.id} from ${websites} where ${inArray(websites.ownerId, ids)})`

/** Lists mail domains by filters. An empty `websiteIds` returns an empty result without a query. */
export async function listMailboxes(
  db: Db,
  input: Input<typeof contract.list, 'out'>,
): Promise<Output<typeof contract.list>> {
  if (input.websiteIds && !input.websiteIds.length) return { items: [], total: 0 }
  const where: SQL[] = [sql`${mailboxes.deletedAt} is null`]
  if (input.websiteIds) where.push(inArray(mailboxes.websiteId, input.websiteIds))
  if (input.server) where.push(inArray(mailboxes.serverId, input.server))
  if (input.owner) where.push(sql`${mailboxes.websiteId} in ${ofOwners(input.owner)}`)
  if (input.status) where.push(inArray(mailboxes.status, input.status))
  if (input.search) where.push(nameLike(mailboxes.domain, input.search))
  const { ids, ...page } = await pageKeys(db, input, {
    from: sql`${mailboxes}`,
    where,
    key: mailboxes.id,
    order: sorts[input.sort ?? 'domain'],
  })
  return { items: await readMailboxesInOrder(db, ids), ...page }
}

/** Lists mailboxes of all mail domains by filters. */
export async function listUsers(
  db: Db,
  input: Input<typeof contract.users, 'out'>,
): Promise<Output<typeof contract.users>> {
  const where: SQL[] = [sql`${mailboxUsers.deletedAt} is null`]
  const domains: SQL[] = []
  if (input.mailbox) where.push(inArray(mailboxUsers.mailboxId, input.mailbox))
  if (input.status) where.push(inArray(mailboxUsers.status, input.status))
  if (input.server) domains.push(inArray(mailboxes.serverId, input.server))
  if (input.owner) domains.push(sql`${mailboxes.websiteId} in ${ofOwners(input.owner)}`)
  if (domains.length) where.push(await ofDomains(db, sql.join(domains, sql` and `)))
  if (input.search) where.push(contains(sql`${mailboxUsers.address} || ' ' || ${mailboxUsers.name}`, input.search))
  const { ids, ...page } = await pageKeys(db, input, {
    from: sql`${mailboxUsers}`,
    where,
    key: mailboxUsers.id,
    order: userSorts[input.sort ?? 'address'],
  })
  return { items: await readUsersInOrder(db, ids), ...page }
}

/** From this number of domains on, a look at all mailboxes in the order of the list is faster than one at each domain. */
const MANY_DOMAINS = 2000

/**
 * Condition for mailboxes of the domains that match `which`. PostgreSQL looks up the domain of each mailbox in the order
 * of the list; `is true` makes it read many domains once, into a hash table.
 */
async function ofDomains(db: Db, which: SQL): Promise<SQL> {
  const found = sql`select ${mailboxes.id} from ${mailboxes} where ${which}`
  const isOf = sql`${mailboxUsers.mailboxId} in (${found})`
  return (await db.$count(sql`(${found} limit ${MANY_DOMAINS}) as found`)) < MANY_DOMAINS
    ? isOf
    : sql`(${isOf}) is true`
}
