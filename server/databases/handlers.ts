import { type databases as contract, DatabaseContents } from '@innkeeper/contract/databases'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { liveRead } from '../kit/agents/liveRead.ts'
import type { Context, Handlers } from '../kit/http/api.ts'
import { conflict, notFound, refused } from '../kit/http/errors.ts'
import { checkVersion } from '../kit/http/version.ts'
import { readSite } from '../websites/site.ts'
import { readWebsite } from '../websites/view.ts'
import { begin } from './startWorkflow.ts'
import './lifecycle.ts'
import { keepPassword, makeDatabase } from './create.ts'
import './part.ts'
import { readAccounts, readDatabase, readDatabases } from './read.ts'
import { accountStep, removalSteps } from './steps.ts'
import { databaseGrants, databases, databaseUsers } from './tables.ts'
import { readTrash, trashHandlers } from './trash.ts'

export const databasesHandlers: Handlers<typeof contract> = {
  ...trashHandlers,
  async ofWebsite({ id }, { db }) {
    await readWebsite(db, id)
    const items = await readDatabases(db, eq(databases.websiteId, id))
    return { items, total: items.length, trash: await readTrash(db, id) }
  },
  one: ({ id }, { db }) => readDatabase(db, id),

  async contents({ id }, { app }) {
    const { serverId, name } = await readDatabase(app.db, id)
    const at = new Date().toISOString()
    const seen = { bytes: 0, views: 0, tables: [], missing: [], at }
    const answer = await liveRead(app, serverId, 'database.inspect', { name, deep: false })
    const contents = DatabaseContents.parse({ ...seen, ...(answer as object) }) // the agent returns an object
    await app.db.update(databases).set({ size: contents.bytes, sizeSeenAt: at }).where(eq(databases.id, id))
    return contents
  },

  async create({ websiteId, ...wanted }, context) {
    const { db, app, staff } = context
    const website = await readWebsite(db, websiteId)
    if (website.status !== 'active' || website.kind === 'alias')
      throw refused(
        `${website.domain} is ${website.kind === 'alias' ? 'an alias' : website.status}: it cannot have a database`,
      )
    const { database, steps } = await makeDatabase(app, db, await readSite(db, websiteId), wanted, staff.id)
    context.status(201)
    return begin(context, database.id, 'database.create', steps)
  },

  async remove({ id, version, name }, context) {
    const { db, app, audit } = context
    const database = await readDatabase(db, id)
    audit.before(database)
    checkVersion(database, version, database.name)
    if (name !== database.name) throw refused(`${name} is not ${database.name}`, { name: `Type ${database.name}` })
    if (database.status !== 'active' && database.status !== 'failed')
      throw refused(`${database.name} is ${database.status}`)
    // accounts with privileges on other databases stay
    const only = database.users.map((user) => user.id)
    const accounts = []
    for (const userId of only) {
      const grants = await db.select().from(databaseGrants).where(eq(databaseGrants.databaseUserId, userId))
      if (grants.length === 1) accounts.push(...(await readAccounts(db, eq(databaseUsers.id, userId))))
    }
    const { trashDays } = app.settings
    await db
      .update(databases)
      .set({ status: 'deleting', purgeAfter: sql`now() + make_interval(days => ${trashDays}::int)` })
      .where(eq(databases.id, id))
    return begin(context, id, 'database.delete', removalSteps([database], accounts, trashDays))
  },

  async reveal({ id }, { db, app, audit }) {
    const user = await liveUser({ db }, id)
    audit.of('database-user', id)
    audit.after({ username: user.username, shown: true })
    const password = await app.secrets.read(db, user.secret)
    if (password === undefined) throw notFound('password')
    return { username: user.username, password }
  },

  async rotate({ id, version }, context) {
    const { db, app, audit } = context
    const user = await liveUser(context, id)
    if (version !== undefined && version !== user.version)
      throw conflict(`${user.username} was changed by somebody else meanwhile`)
    const [grant] = await db.select().from(databaseGrants).where(eq(databaseGrants.databaseUserId, id))
    const [account] = await readAccounts(db, eq(databaseUsers.id, id))
    if (!grant || !account) throw refused(`${user.username} has access to no database`)
    const { status, domain } = await readWebsite(db, user.websiteId)
    if (status !== 'active') throw refused(`${domain} is ${status}`)
    const nextSecret = await keepPassword(app, db, id)
    await db.update(databaseUsers).set({ nextSecret }).where(eq(databaseUsers.id, id))
    audit.before({ username: user.username })
    return begin(context, grant.databaseId, 'database.password', [accountStep(account, { secret: nextSecret })])
  },
}

async function liveUser({ db }: Pick<Context, 'db'>, id: number) {
  const [user] = await db
    .select()
    .from(databaseUsers)
    .where(and(eq(databaseUsers.id, id), isNull(databaseUsers.deletedAt)))
  if (!user) throw notFound('database account', id)
  return user
}
