import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Database } from '@innkeeper/contract/hosting/databases/calls'
import type { DatabaseEngine } from '@innkeeper/contract/kit/values'
import { and, asc, eq, inArray, isNull, type SQL } from 'drizzle-orm'
import { byIds } from '../../kit/db/byIds.ts'
import type { Db } from '../../kit/db/db.ts'
import { inOrder } from '../../kit/db/page.ts'
import { notFound } from '../../kit/http/errors.ts'
import { servers } from '../../machines/servers/tables.ts'
import { owners } from '../owners/tables.ts'
import { websites } from '../websites/tables.ts'
import { databaseGrants, databases, databaseUsers } from './tables.ts'

/** Addresses of Debian's engines for applications on the same server. */
const connections: Record<DatabaseEngine, Database['connection']> = {
  mariadb: { host: 'localhost', port: 3306, socket: '/run/mysqld/mysqld.sock' },
  postgresql: { host: 'localhost', port: 5432, socket: '/run/postgresql' },
}

const select = (db: Db, which: SQL) =>
  db
    .select({
      database: databases,
      domain: websites.domain,
      ownerId: websites.ownerId,
      ownerName: owners.name,
      serverName: servers.name,
    })
    .from(databases)
    .innerJoin(websites, eq(websites.id, databases.websiteId))
    .innerJoin(owners, eq(owners.id, websites.ownerId))
    .innerJoin(servers, eq(servers.id, databases.serverId))
    .where(and(which, isNull(databases.deletedAt)))
    .orderBy(asc(databases.name), asc(databases.id))
const selectByIds = byIds((db, isWanted) => select(db, isWanted(databases.id)))

/** Databases in the form of the contract, ordered by name, without deleted ones. */
export const readDatabases = async (db: Db, which: SQL): Promise<Database[]> => shaped(db, await select(db, which))

/** Like `readDatabases`, but in the order of `ids`. Missing databases are left out. */
export const readDatabasesInOrder = async (db: Db, ids: number[]): Promise<Database[]> =>
  inOrder(ids, await shaped(db, await selectByIds(db, ids)))

async function shaped(db: Db, found: Awaited<ReturnType<typeof select>>): Promise<Database[]> {
  const ids = found.map(({ database }) => database.id)
  const users = Map.groupBy(await selectUsers(db, ids), ({ databaseId }) => databaseId)
  return found.map(({ database: { size, ...database }, ...names }) => ({
    ...database,
    ...names,
    sizeMb: size === null ? null : Math.round((size / 1_048_576) * 10) / 10,
    connection: connections[database.engine],
    users: (users.get(database.id) ?? []).map(({ databaseId: _, ...user }) => user),
  }))
}

/** One database. Throws 404 if it is missing. */
export async function readDatabase(db: Db, id: number): Promise<Database> {
  const [found] = await readDatabasesInOrder(db, [id])
  if (!found) throw notFound('database', id)
  return found
}

const selectUsers = byIds((db, isWanted) =>
  db
    .select({
      databaseId: databaseGrants.databaseId,
      privileges: databaseGrants.privileges,
      chosen: databaseGrants.chosen,
      id: databaseUsers.id,
      username: databaseUsers.username,
      host: databaseUsers.host,
      locked: databaseUsers.locked,
      version: databaseUsers.version,
      createdAt: databaseUsers.createdAt,
      updatedAt: databaseUsers.updatedAt,
    })
    .from(databaseGrants)
    .innerJoin(databaseUsers, eq(databaseUsers.id, databaseGrants.databaseUserId))
    .where(and(isWanted(databaseGrants.databaseId), isNull(databaseUsers.deletedAt)))
    .orderBy(asc(databaseUsers.username)),
)

/** The fields of a database account that its actions need. */
export interface Account {
  id: number
  engine: DatabaseEngine
  username: string
  host: string
  server: { id: number }
  secret: string
  locked: boolean
  grants: OperationInput<'database-user.ensure'>['grants']
}

/**
 * Accounts with their privileges on databases that are not deleted. Deleted accounts are included. The privileges on a
 * deleted database stay in their rows, because a restored database needs them.
 */
export async function readAccounts(db: Db, which: SQL): Promise<Account[]> {
  const found = await db.select().from(databaseUsers).where(which).orderBy(asc(databaseUsers.id))
  if (!found.length) return []
  const ids = found.map(({ id }) => id)
  const grants = await db
    .select({
      userId: databaseGrants.databaseUserId,
      database: databases.name,
      privileges: databaseGrants.privileges,
      chosen: databaseGrants.chosen,
    })
    .from(databaseGrants)
    .innerJoin(databases, eq(databases.id, databaseGrants.databaseId))
    .where(and(inArray(databaseGrants.databaseUserId, ids), isNull(databases.deletedAt)))
    .orderBy(asc(databases.name))
  return found.map(({ id, engine, username, host, serverId, secret, locked }) => ({
    ...{ id, engine, username, host, secret, locked },
    server: { id: serverId },
    grants: grants.flatMap(({ userId, ...grant }) => (userId === id ? asGrant(grant) : [])),
  }))
}

/** Privileges in the form of the operation, which has `chosen` only for `custom`. */
export const asGrant = ({ chosen, ...grant }: Account['grants'][number]): Account['grants'][number] =>
  grant.privileges === 'custom' && chosen ? { ...grant, chosen } : grant
