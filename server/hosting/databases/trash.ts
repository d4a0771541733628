import type {
  databases as contract,
  TrashedDatabase,
  TrashedDatabaseUser,
} from '@innkeeper/contract/hosting/databases/calls'
import { and, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../kit/http/errors.ts'
import { servers } from '../../machines/servers/tables.ts'
import { checkRoom } from '../plans/room.ts'
import { readSite } from '../websites/site.ts'
import { readWebsite } from '../websites/view.ts'
import { checkName, checkUsername } from './freeNames.ts'
import { takenBy } from './part.ts'
import { readAccounts } from './read.ts'
import { begin } from './startWorkflow.ts'
import { accountStep, engineSteps, GRANTS, restoreSteps } from './steps.ts'
import { databaseGrants, databases, databaseUsers } from './tables.ts'

/** Databases that were deleted without their website; others are restored together with the website. */
const alone = and(isNotNull(databases.deletedAt), eq(databases.deletedWithWebsite, false))
const keptStill = sql`${databases.purgeAfter} > now()`

/** Deleted databases of a website, latest deletion first. */
export async function readTrash(db: Db, websiteId: number): Promise<TrashedDatabase[]> {
  const found = await db
    .select({ database: databases, serverName: servers.name })
    .from(databases)
    .innerJoin(servers, eq(servers.id, databases.serverId))
    .where(and(eq(databases.websiteId, websiteId), alone, keptStill))
    .orderBy(sql`${databases.deletedAt} desc`)
    .limit(50)
  return found.flatMap(({ database: { id, name, version, deletedAt, purgeAfter }, serverName }) =>
    deletedAt && purgeAfter ? [{ id, name, version, serverName, deletedAt, purgeAfter }] : [],
  )
}

/** Accounts of a website that were deleted without their database, latest deletion first. */
export async function readTrashedUsers(db: Db, websiteId: number): Promise<TrashedDatabaseUser[]> {
  const found = await db
    .select({ user: databaseUsers, serverName: servers.name })
    .from(databaseUsers)
    .innerJoin(servers, eq(servers.id, databaseUsers.serverId))
    .where(
      and(
        eq(databaseUsers.websiteId, websiteId),
        isNotNull(databaseUsers.deletedAt),
        eq(databaseUsers.deletedWithWebsite, false),
        sql`${databaseUsers.purgeAfter} > now()`,
      ),
    )
    .orderBy(sql`${databaseUsers.deletedAt} desc`)
    .limit(50)
  return found.flatMap(({ user: { id, username, host, version, deletedAt, purgeAfter }, serverName }) =>
    deletedAt && purgeAfter ? [{ id, username, host, version, serverName, deletedAt, purgeAfter }] : [],
  )
}

export const trashHandlers: Pick<Handlers<typeof contract>, 'restore'> = {
  async restore({ id, version }, context) {
    const { db, audit } = context
    const [gone] = await db
      .select()
      .from(databases)
      .where(and(eq(databases.id, id), alone))
      .for('update')
    if (!gone) throw notFound('deleted database', id)
    audit.before({ status: gone.status, purgeAfter: gone.purgeAfter })
    if (version !== undefined && version !== gone.version)
      throw conflict(`${gone.name} was changed by somebody else meanwhile`)
    if (!gone.purgeAfter || Date.parse(gone.purgeAfter) < context.now.getTime())
      throw refused(`${gone.name} is no longer in the trash`)
    const website = await readWebsite(db, gone.websiteId)
    if (website.status !== 'active' && website.status !== 'suspended')
      throw refused(
        `${website.domain} is ${website.status}: its databases can be restored only while it is active or suspended`,
      )
    if (website.serverId !== gone.serverId)
      throw refused(`${website.domain} has moved to ${website.serverName}; ${gone.name} is on the former server`)
    const site = await readSite(db, website.id)
    await checkRoom(db, site.systemUser.id, { databases: 1 }, 'websiteId')
    const accounts = await accountsOf(db, id)
    await checkName(db, gone.serverId, gone.name, gone.engine)
    for (const account of accounts) await checkUsername(db, gone.serverId, gone.websiteId, account)
    await db.update(databases).set({ deletedAt: null, status: 'creating' }).where(eq(databases.id, id))
    const ids = accounts.map((account) => account.id)
    if (ids.length) await db.update(databaseUsers).set({ deletedAt: null }).where(inArray(databaseUsers.id, ids))
    const taken = await takenBy(db, website.id)
    const steps = restoreSteps(
      [{ ...gone, taken: taken('database', id) }],
      accounts.map((account) => ({ ...account, taken: taken('database-user', account.id) })),
    )
    const locked = website.status === 'suspended'
    const staying = (await accountsOn(db, id)).filter((one) => !ids.includes(one.id))
    const grants = staying.map((one) => accountStep(one, { locked }, GRANTS))
    return begin(context, id, 'database.restore', [
      ...(await engineSteps(db, gone.serverId, gone.engine)),
      ...steps,
      ...grants,
    ])
  },
}

/** Accounts that were deleted with the database; accounts that were deleted without it have a `purgeAfter`. */
async function accountsOf(db: Db, databaseId: number) {
  const theirs = await idsOn(db, databaseId, and(isNotNull(databaseUsers.deletedAt), isNull(databaseUsers.purgeAfter))!)
  return theirs.length ? readAccounts(db, inArray(databaseUsers.id, theirs)) : []
}

/** Existing accounts with privileges on a database. */
export async function accountsOn(db: Db, databaseId: number) {
  const theirs = await idsOn(db, databaseId, isNull(databaseUsers.deletedAt))
  return theirs.length ? readAccounts(db, inArray(databaseUsers.id, theirs)) : []
}

async function idsOn(db: Db, databaseId: number, which: SQL): Promise<number[]> {
  const found = await db
    .select({ id: databaseUsers.id })
    .from(databaseUsers)
    .innerJoin(databaseGrants, eq(databaseGrants.databaseUserId, databaseUsers.id))
    .where(and(eq(databaseGrants.databaseId, databaseId), which))
  return found.map(({ id }) => id)
}
