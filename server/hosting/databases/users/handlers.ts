import type { databases as contract } from '@innkeeper/contract/hosting/databases/calls'
import { type DatabaseEngine, postgresqlPrivileges } from '@innkeeper/contract/kit/values'
import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../../kit/http/errors.ts'
import { checkVersion } from '../../../kit/http/version.ts'
import type { PlanStep } from '../../../kit/work/action.ts'
import { readSite } from '../../websites/site.ts'
import { asking, renewingPhp } from '../../websites/siteSteps.ts'
import { readWebsite } from '../../websites/view.ts'
import { configSteps } from '../configuration.ts'
import { keepPassword } from '../create.ts'
import { checkUsername } from '../freeNames.ts'
import { listUsers } from '../list.ts'
import { takenBy } from '../part.ts'
import { type Account, asGrant, readAccounts } from '../read.ts'
import { beginUser } from '../startWorkflow.ts'
import { accountRemoval, accountStep, engineSteps, GRANTS, restoreSteps } from '../steps.ts'
import { databaseGrants, databases, databaseUsers, type Grant, type NextUser } from '../tables.ts'
import { firewallSteps, isRemote, namedHost } from './remote.ts'
import { readUser } from './view.ts'

type Names = 'users' | 'user' | 'createUser' | 'updateUser' | 'removeUser' | 'restoreUser' | 'reveal' | 'rotate'

export const usersHandlers: Pick<Handlers<typeof contract>, Names> = {
  users: (input, { db }) => listUsers(db, input),
  user: ({ id }, { db }) => readUser(db, id),

  async createUser({ websiteId, engine = 'mariadb', username, databases: wanted, ...from }, context) {
    const host = namedHost(from.host ?? 'localhost')
    const { db, app, staff } = context
    const website = await readWebsite(db, websiteId)
    if (website.status !== 'active' || website.kind === 'alias') {
      const why = `${website.domain} is ${website.kind === 'alias' ? 'an alias' : website.status}`
      throw refused(`${why}: it cannot get a database account`, { websiteId: why })
    }
    await checkUsername(db, website.serverId, websiteId, { username, engine, host })
    const grants = await grantsOn(db, { websiteId, engine }, wanted)
    const [made] = await db
      .insert(databaseUsers)
      .values({
        username,
        engine,
        host,
        websiteId,
        serverId: website.serverId,
        status: 'creating',
        secret: '',
        createdBy: staff.id,
      })
      .returning({ id: databaseUsers.id })
    if (!made) throw new Error('an insert answered no row')
    const secret = await keepPassword(app, db, made.id)
    await db.update(databaseUsers).set({ secret }).where(eq(databaseUsers.id, made.id))
    if (grants.length)
      await db.insert(databaseGrants).values(grants.map((one) => ({ ...one, databaseUserId: made.id })))
    const steps = [
      ...(await engineSteps(db, website.serverId, engine)),
      ...firewallSteps({ id: website.serverId, name: website.serverName }, [{ host }]),
      accountStep(await accountOf(db, made.id), { password: true, fresh: true }),
    ]
    context.status(201)
    return beginUser(context, made.id, 'database-user.create', steps)
  },

  async updateUser({ id, version, databases: wanted, locked, ...from }, context) {
    const { db } = context
    const user = await held(context, id, version)
    const host = from.host === undefined ? undefined : namedHost(from.host)
    const locksOut = await isSuspended(db, user.websiteId)
    const before = await accountOf(db, id)
    const next: NextUser = {
      ...(host !== undefined && host !== user.host && { host }),
      ...(locked !== undefined && locked !== user.locked && { locked }),
      ...(wanted && { grants: await grantsOn(db, user, wanted) }),
    }
    if (next.host) await checkUsername(db, user.serverId, user.websiteId, { ...user, host: next.host })
    const grants = next.grants ? await namedGrants(db, next.grants) : before.grants
    // saving an unchanged remote host opens the firewall again
    const again = host !== undefined && isRemote({ host })
    if (!again && !next.host && next.locked === undefined && JSON.stringify(grants) === JSON.stringify(before.grants)) {
      context.status(200)
      return { data: user, workflowId: null }
    }
    context.status(202)
    await db.update(databaseUsers).set({ next }).where(eq(databaseUsers.id, id))
    const after: Account = { ...before, grants, host: next.host ?? before.host, locked: next.locked ?? before.locked }
    const steps = [
      ...firewallSteps({ id: user.serverId, name: user.serverName }, [after]),
      accountStep(after, { password: next.host !== undefined, locked: locksOut }, GRANTS),
      // a PostgreSQL account is one for all hosts: only MariaDB has a former account to remove
      ...(next.host && user.engine === 'mariadb'
        ? [accountRemoval(before, context.app.settings.trashDays, 'old-database-user')]
        : []),
    ]
    return beginUser(context, id, 'database-user.change', steps)
  },

  async removeUser({ id, version }, context) {
    const { db, app } = context
    const user = await held(context, id, version)
    await isSuspended(db, user.websiteId)
    const { trashDays } = app.settings
    await db
      .update(databaseUsers)
      .set({ status: 'deleting', purgeAfter: sql`now() + make_interval(days => ${trashDays}::int)` })
      .where(eq(databaseUsers.id, id))
    return beginUser(context, id, 'database-user.delete', [accountRemoval(await accountOf(db, id), trashDays)])
  },

  async restoreUser({ id, version }, context) {
    const { db, audit } = context
    const [gone] = await db
      .select()
      .from(databaseUsers)
      .where(
        and(
          eq(databaseUsers.id, id),
          isNotNull(databaseUsers.deletedAt),
          isNotNull(databaseUsers.purgeAfter),
          eq(databaseUsers.deletedWithWebsite, false),
        ),
      )
      .for('update')
    if (!gone?.purgeAfter) throw notFound('deleted database account', id)
    audit.before({ username: gone.username, purgeAfter: gone.purgeAfter })
    if (version !== undefined && version !== gone.version)
      throw conflict(`${gone.username} was changed by somebody else meanwhile`)
    if (Date.parse(gone.purgeAfter) < context.now.getTime()) throw refused(`${gone.username} is no longer in the trash`)
    const website = await readWebsite(db, gone.websiteId)
    const locked = await isSuspended(db, gone.websiteId)
    if (website.serverId !== gone.serverId)
      throw refused(`${website.domain} has moved to ${website.serverName}; ${gone.username} is on the former server`)
    await checkUsername(db, gone.serverId, gone.websiteId, gone)
    await db.update(databaseUsers).set({ deletedAt: null, status: 'creating' }).where(eq(databaseUsers.id, id))
    const account = await accountOf(db, id)
    const taken = (await takenBy(db, gone.websiteId))('database-user', id)
    const steps: PlanStep[] = [
      ...restoreSteps([], [{ ...account, taken }]),
      // updates the privileges: databases may have been renamed or deleted since the deletion
      accountStep(account, { locked }, GRANTS),
    ]
    return beginUser(context, id, 'database-user.restore', steps)
  },

  async reveal({ id }, { db, app, audit }) {
    const { username } = await readUser(db, id)
    audit.of('database-user', id)
    audit.action('reveal')
    audit.after({ username, shown: true })
    const { secret } = await accountOf(db, id)
    const password = await app.secrets.read(db, secret)
    if (password === undefined) throw notFound('password')
    if (password.startsWith('*'))
      throw refused(
        `${username} came with an archive: only the hash of its password is known. Rotate the password for a new one`,
      )
    return { username, password }
  },

  async rotate({ id, version }, context) {
    const { db, app } = context
    const user = await held(context, id, version)
    const { status, domain } = await readWebsite(db, user.websiteId)
    if (status !== 'active') throw refused(`${domain} is ${status}`)
    const account = await accountOf(db, id)
    const nextSecret = await keepPassword(app, db, id)
    await db.update(databaseUsers).set({ nextSecret }).where(eq(databaseUsers.id, id))
    const inUse = account.grants.map(({ database }) => ({ was: database, name: database, account, secret: nextSecret }))
    const site = await readSite(db, user.websiteId)
    const steps = [accountStep(account, { secret: nextSecret }), ...configSteps(site, inUse)]
    if (!inUse.length) return beginUser(context, id, 'database.password', steps)
    // a website that answered and does not with the new password stops the workflow: people mend its configuration, or roll back
    return beginUser(context, id, 'database.password', asking(site, renewingPhp(site, steps)))
  },
}

/** Locks and reads an account that can be changed now. */
async function held({ db, audit }: Context, id: number, version: number | undefined) {
  await db.execute(sql`select 1 from database_users where database_user_id = ${id} for update`)
  const user = await readUser(db, id)
  checkVersion(user, version, user.username)
  audit.before(user)
  if (user.status === 'creating' || user.status === 'deleting')
    throw refused(`${user.username} is ${user.status}: wait for it`)
  return user
}

/** Whether the website is suspended, which locks its accounts. 422 unless it is active or suspended. */
async function isSuspended(db: Db, websiteId: number): Promise<boolean> {
  const { status, domain } = await readWebsite(db, websiteId)
  if (status !== 'active' && status !== 'suspended')
    throw refused(`${domain} is ${status}: its accounts can be changed only while it is active or suspended`)
  return status === 'suspended'
}

async function accountOf(db: Db, id: number): Promise<Account> {
  const [account] = await readAccounts(db, eq(databaseUsers.id, id))
  if (!account) throw notFound('database account', id)
  return account
}

const grantable = new Set<string>(postgresqlPrivileges)

interface Wanted extends Omit<Grant, 'databaseId'> {
  id: number
}

/** Throws 422 beside the field for databases that are not on the website of the account. */
async function grantsOn(
  db: Db,
  { websiteId, engine }: { websiteId: number; engine: DatabaseEngine },
  wanted: Wanted[],
): Promise<Grant[]> {
  if (!wanted.length) return []
  const ids = wanted.map(({ id }) => id)
  const found = await db
    .select({ id: databases.id, engine: databases.engine, name: databases.name })
    .from(databases)
    .where(and(inArray(databases.id, ids), eq(databases.websiteId, websiteId), isNull(databases.deletedAt)))
  const missing = ids.filter((id) => !found.some((one) => one.id === id))
  if (missing.length)
    throw refused(`Database ${missing.join(', ')} does not belong to the website of this account`, {
      databases: 'Only databases of the same website',
    })
  const other = found.find((one) => one.engine !== engine)
  if (other)
    throw refused(`${other.name} is a database of another engine than the account`, {
      databases: `${other.name} belongs to another engine`,
    })
  const lacking =
    engine === 'postgresql'
      ? wanted
          .flatMap(({ privileges, chosen }) => (privileges === 'custom' ? chosen : []))
          .find((one) => !grantable.has(one))
      : undefined
  if (lacking)
    throw refused(`PostgreSQL does not grant ${lacking} by itself`, {
      databases: `PostgreSQL does not grant “${lacking}” by itself`,
    })
  return wanted.map(({ id, privileges, chosen }) => ({
    databaseId: id,
    privileges,
    chosen: privileges === 'custom' ? chosen : [],
  }))
}

/** Privileges as operations name them: by database name, in the order of `readAccounts`. */
async function namedGrants(db: Db, grants: Grant[]): Promise<Account['grants']> {
  if (!grants.length) return []
  const ids = grants.map(({ databaseId }) => databaseId)
  const found = await db
    .select({ id: databases.id, database: databases.name })
    .from(databases)
    .where(inArray(databases.id, ids))
    .orderBy(databases.name)
  return found.flatMap(({ id, database }) =>
    grants.flatMap(({ databaseId, privileges, chosen }) =>
      databaseId === id ? asGrant({ database, privileges, chosen }) : [],
    ),
  )
}
