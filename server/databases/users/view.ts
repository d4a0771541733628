import type { DatabaseAccount } from '@innkeeper/contract/databases'
import { and, asc, eq, inArray, isNull, type SQL } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { notFound } from '../../kit/http/errors.ts'
import { owners } from '../../owners/tables.ts'
import { servers } from '../../servers/tables.ts'
import { websites } from '../../websites/tables.ts'
import { databaseGrants, databases, databaseUsers } from '../tables.ts'

/** Accounts in the form of the contract, without deleted ones. */
export async function readUsers(db: Db, which: SQL): Promise<DatabaseAccount[]> {
  const found = await db
    .select({
      user: databaseUsers,
      domain: websites.domain,
      ownerId: websites.ownerId,
      ownerName: owners.name,
      serverName: servers.name,
    })
    .from(databaseUsers)
    .innerJoin(websites, eq(websites.id, databaseUsers.websiteId))
    .innerJoin(owners, eq(owners.id, websites.ownerId))
    .innerJoin(servers, eq(servers.id, databaseUsers.serverId))
    .where(and(which, isNull(databaseUsers.deletedAt)))
  const ids = found.map(({ user }) => user.id)
  const grants = ids.length
    ? await db
        .select({
          userId: databaseGrants.databaseUserId,
          id: databases.id,
          name: databases.name,
          privileges: databaseGrants.privileges,
          chosen: databaseGrants.chosen,
        })
        .from(databaseGrants)
        .innerJoin(databases, eq(databases.id, databaseGrants.databaseId))
        .where(and(inArray(databaseGrants.databaseUserId, ids), isNull(databases.deletedAt)))
        .orderBy(asc(databases.name))
    : []
  return found.map(
    ({ user: { secret: _, nextSecret: __, next: ___, loginEndsAt, loginBy, loginReason, ...user }, ...names }) => ({
      ...user,
      ...names,
      login: loginEndsAt ? { endsAt: loginEndsAt, by: loginBy ?? '', reason: loginReason ?? '' } : null,
      databases: grants.flatMap(({ userId, ...grant }) => (userId === user.id ? grant : [])),
    }),
  )
}

/** The accounts with these ids, in this order. */
export async function readUsersInOrder(db: Db, ids: number[]): Promise<DatabaseAccount[]> {
  if (!ids.length) return []
  const found = new Map((await readUsers(db, inArray(databaseUsers.id, ids))).map((one) => [one.id, one]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** One account. Throws 404 if it is missing. */
export async function readUser(db: Db, id: number): Promise<DatabaseAccount> {
  const [found] = await readUsers(db, eq(databaseUsers.id, id))
  if (!found) throw notFound('database account', id)
  return found
}
