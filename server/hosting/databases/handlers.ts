import { type databases as contract, DatabaseContents } from '@innkeeper/contract/hosting/databases/calls'
import { eq, inArray, sql } from 'drizzle-orm'
import { liveRead } from '../../kit/agents/liveRead.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { refused } from '../../kit/http/errors.ts'
import { checkVersion } from '../../kit/http/version.ts'
import { readSite } from '../websites/site.ts'
import { readWebsite } from '../websites/view.ts'
import { changeHandlers } from './change.ts'
import { makeDatabase } from './create.ts'
import { exportHandlers } from './dumps/exports.ts'
import { importHandlers } from './dumps/imports.ts'
import { listDatabases } from './list.ts'
import { liveHandlers } from './live/handlers.ts'
import { orphansHandlers } from './live/orphans.ts'
import { readDatabase, readDatabases } from './read.ts'
import { replacementHandlers } from './replacements/handlers.ts'
import { runsHandlers } from './runs.ts'
import { begin } from './startWorkflow.ts'
import { accountStep, engineOf, GRANTS, removalSteps } from './steps.ts'
import { databases, databaseUsers } from './tables.ts'
import { accountsOn, readTrash, readTrashedUsers, trashHandlers } from './trash.ts'
import { accessHandlers } from './users/access.ts'
import { usersHandlers } from './users/handlers.ts'
import { loginHandlers } from './users/logins.ts'

export const databasesHandlers: Handlers<typeof contract> = {
  ...trashHandlers,
  ...changeHandlers,
  ...usersHandlers,
  ...accessHandlers,
  ...runsHandlers,
  ...liveHandlers,
  ...orphansHandlers,
  ...loginHandlers,
  ...importHandlers,
  ...exportHandlers,
  ...replacementHandlers,
  list: (input, { db }) => listDatabases(db, input),
  async ofWebsite({ id }, { db }) {
    await readWebsite(db, id)
    const items = await readDatabases(db, eq(databases.websiteId, id))
    return { items, total: items.length, trash: await readTrash(db, id), trashedUsers: await readTrashedUsers(db, id) }
  },
  one: ({ id }, { db }) => readDatabase(db, id),

  async contents({ id }, { app }) {
    const { serverId, name, engine } = await readDatabase(app.db, id)
    const at = new Date().toISOString()
    const seen = { bytes: 0, views: 0, tables: [], missing: [], at }
    const answer = await liveRead(app, serverId, 'database.inspect', { ...engineOf({ engine }), name, deep: false })
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
        { websiteId: website.kind === 'alias' ? 'Is an alias' : `Is ${website.status}` },
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
    // accounts with privileges on other databases stay, without their privileges on this one
    const accounts = (await accountsOn(db, id)).map(({ grants, ...account }) => ({
      ...account,
      grants: grants.filter((grant) => grant.database !== database.name),
    }))
    const [staying, going] = [
      accounts.filter(({ grants }) => grants.length),
      accounts.filter((one) => !one.grants.length),
    ]
    const suspended = (await readWebsite(db, database.websiteId)).status === 'suspended'
    const ids = going.map((account) => account.id)
    if (ids.length) await db.update(databaseUsers).set({ purgeAfter: null }).where(inArray(databaseUsers.id, ids))
    const { trashDays } = app.settings
    await db
      .update(databases)
      .set({ status: 'deleting', purgeAfter: sql`now() + make_interval(days => ${trashDays}::int)` })
      .where(eq(databases.id, id))
    return begin(context, id, 'database.delete', [
      ...staying.map((one) => accountStep(one, { locked: suspended }, GRANTS)),
      ...removalSteps([database], going, trashDays),
    ])
  },
}
