import type { DatabaseAccount } from '@innkeeper/contract/hosting/databases/calls'
import { and, asc, eq, isNull, type SQL } from 'drizzle-orm'
import { byIds } from '../../../kit/db/byIds.ts'
import type { Db } from '../../../kit/db/db.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { servers } from '../../../machines/servers/tables.ts'
import { owners } from '../../owners/tables.ts'
import { websites } from '../../websites/tables.ts'
import { databaseGrants, databases, databaseUsers } from '../tables.ts'

const select = (db: Db, which: SQL) =>
  db
    .select({
      user: databaseUsers,
      domain: websites.domain,
      websiteStatus: websites.status,
      ownerId: websites.ownerId,
      ownerName: owners.name,
      serverName: servers.name,
    })
    .from(databaseUsers)
    .innerJoin(websites, eq(websites.id, databaseUsers.websiteId))
    .innerJoin(owners, eq(owners.id, websites.ownerId))
    .innerJoin(servers, eq(servers.id, databaseUsers.serverId))
    .where(and(which, isNull(databaseUsers.deletedAt)))
const selectByIds = byIds((db, isWanted) => select(db, isWanted(databaseUsers.id)))
const selectGrants = byIds((db, isWanted) =>
  db
    .select({
      userId: databaseGrants.databaseUserId,
      id: databases.id,
      name: databases.name,
      privileges: databaseGrants.privileges,
      chosen: databaseGrants.chosen,
    })
    .from(databaseGrants)
    .innerJoin(databases, eq(databases.id, databaseGrants.databaseId))
    .where(and(isWanted(databaseGrants.databaseUserId), isNull(databases.deletedAt)))
    .orderBy(asc(databases.name)),
)

/** Accounts in the form of the contract, without deleted ones. */
export const readUsers = async (db: Db, which: SQL): Promise<DatabaseAccount[]> => shaped(db, await select(db, which))

/** Like `readUsers`, but in the order of `ids`. Missing accounts are left out. */
export const readUsersInOrder = async (db: Db, ids: number[]): Promise<DatabaseAccount[]> =>
  inOrder(ids, await shaped(db, await selectByIds(db, ids)))

async function shaped(db: Db, found: Awaited<ReturnType<typeof select>>): Promise<DatabaseAccount[]> {
  const ids = found.map(({ user }) => user.id)
  const grants = Map.groupBy(await selectGrants(db, ids), ({ userId }) => userId)
  return found.map(
    ({
      user: { secret: _, nextSecret: __, next: ___, loginEndsAt, loginBy, loginReason, ...user },
      websiteStatus,
      ...names
    }) => ({
      ...user,
      ...names,
      suspended: websiteStatus === 'suspended',
      login: loginEndsAt ? { endsAt: loginEndsAt, by: loginBy ?? '', reason: loginReason ?? '' } : null,
      databases: (grants.get(user.id) ?? []).map(({ userId: _, ...grant }) => grant),
    }),
  )
}

/** One account. Throws 404 if it is missing. */
export async function readUser(db: Db, id: number): Promise<DatabaseAccount> {
  const [found] = await readUsers(db, eq(databaseUsers.id, id))
  if (!found) throw notFound('database account', id)
  return found
}
