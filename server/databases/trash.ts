import type { databases as contract, TrashedDatabase } from '@innkeeper/contract/databases'
import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../kit/db/db.ts'
import type { Handlers } from '../kit/http/api.ts'
import { conflict, notFound, refused } from '../kit/http/errors.ts'
import { servers } from '../servers/tables.ts'
import { readSite } from '../websites/site.ts'
import { readWebsite } from '../websites/view.ts'
import { checkFree, checkRoom } from './create.ts'
import { takenBy } from './part.ts'
import { readAccounts } from './read.ts'
import { begin } from './startWorkflow.ts'
import { engineSteps, restoreSteps } from './steps.ts'
import { databaseGrants, databases, databaseUsers } from './tables.ts'

/** Databases that were deleted without their website; the others are restored with it. */
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
      throw refused(`${website.domain} is ${website.status}: restore its databases while it is active or suspended`)
    if (website.serverId !== gone.serverId)
      throw refused(`${website.domain} has moved to ${website.serverName}; ${gone.name} is on the former server`)
    const site = await readSite(db, website.id)
    await checkRoom(db, site)
    const accounts = await accountsOf(db, id)
    await checkFree(db, gone.serverId, gone.name, ...accounts.map(({ username }) => username))
    await db.update(databases).set({ deletedAt: null, status: 'creating' }).where(eq(databases.id, id))
    const ids = accounts.map((account) => account.id)
    if (ids.length) await db.update(databaseUsers).set({ deletedAt: null }).where(inArray(databaseUsers.id, ids))
    const taken = await takenBy(db, website.id)
    const steps = restoreSteps(
      [{ ...gone, taken: taken('database', id) }],
      accounts.map((account) => ({ ...account, taken: taken('database-user', account.id) })),
    )
    return begin(context, id, 'database.restore', [...(await engineSteps(db, gone.serverId)), ...steps])
  },
}

/** Deleted accounts of a database. */
async function accountsOf(db: Db, databaseId: number) {
  const theirs = await db
    .select({ id: databaseUsers.id })
    .from(databaseUsers)
    .innerJoin(databaseGrants, eq(databaseGrants.databaseUserId, databaseUsers.id))
    .where(and(eq(databaseGrants.databaseId, databaseId), isNotNull(databaseUsers.deletedAt)))
  const ids = theirs.map(({ id }) => id)
  return ids.length ? readAccounts(db, inArray(databaseUsers.id, ids)) : []
}
