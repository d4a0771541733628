import { missing } from '@innkeeper/contract/kit/access'
import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { denied } from '../../kit/http/errors.ts'
import { servers } from '../../machines/servers/tables.ts'
import { comesAlong, type Part } from '../websites/parts/parts.ts'
import { stateBefore } from '../websites/stateBefore.ts'
import { makeDatabase } from './create.ts'
import { moving } from './moving.ts'
import { readAccounts } from './read.ts'
import { accountStep, plannedDatabase, removalSteps, restoreSteps } from './steps.ts'
import { databases, databaseUsers } from './tables.ts'

const ofSite = (id: number) => and(eq(databaseUsers.websiteId, id), isNull(databaseUsers.deletedAt))!
const live = (db: Db, websiteId: number) =>
  db
    .select()
    .from(databases)
    .where(and(eq(databases.websiteId, websiteId), isNull(databases.deletedAt)))
    .orderBy(databases.id)
const MOST = 50
const engineWords = { mariadb: 'MariaDB', postgresql: 'PostgreSQL' }

/** Databases and their accounts follow their website. */
export const databasePart: Part = {
  kind: 'database',
  title: 'Databases',
  order: 40,
  along: comesAlong,
  async list(db, ids) {
    const found = await db
      .select({ database: databases, where: servers.name })
      .from(databases)
      .innerJoin(servers, eq(servers.id, databases.serverId))
      .where(and(inArray(databases.websiteId, ids), isNull(databases.deletedAt)))
      .orderBy(databases.id)
    return found.map(({ database: { id, websiteId, name, engine, collation, size }, where }) => ({
      websiteId,
      type: 'database',
      id,
      name,
      where,
      detail: `${engineWords[engine]}, ${size === null ? collation : `${Math.round(size / 1_048_576)} MB`}`,
    }))
  },
  async create({ app, db, staff }, site, { database }) {
    if (!database) return {}
    if (missing(staff, 'database:database:create').length) throw denied(['database:database:create'])
    return { before: (await makeDatabase(app, db, site, {}, staff.id)).steps }
  },
  preview: async ({ db }, { server, domain }, { database }) =>
    database ? { before: await plannedDatabase(db, server.id, domain) } : {},
  suspend: async (db, site) =>
    (await readAccounts(db, ofSite(site.id))).map((one) => accountStep(one, { locked: true })),
  activate: async (db, site) => (await readAccounts(db, ofSite(site.id))).map((one) => accountStep(one)),
  remove: async (db, site, keepDays) =>
    removalSteps(await live(db, site.id), await readAccounts(db, ofSite(site.id)), keepDays),
  async restore(db, site) {
    const withSite = { deletedAt: null, deletedWithWebsite: false }
    const back = await db
      .update(databases)
      .set({ ...withSite, status: 'creating' })
      .where(and(eq(databases.websiteId, site.id), databases.deletedWithWebsite, isNotNull(databases.deletedAt)))
      .returning()
    const gone = and(eq(databaseUsers.websiteId, site.id), databaseUsers.deletedWithWebsite)!
    const accounts = await readAccounts(db, gone)
    await db.update(databaseUsers).set(withSite).where(gone)
    const taken = await takenBy(db, site.id)
    const locked = (await stateBefore(db, site.id)) === 'suspended'
    const there = accounts
      .map((one) => ({ ...one, taken: taken('database-user', one.id) }))
      .filter((one) => one.taken.length)
    return [
      ...restoreSteps(
        back.map((one) => ({ ...one, taken: taken('database', one.id) })),
        there,
      ),
      // the website's account may have been suspended or activated after the deletion
      ...there.map((one) => accountStep(one, { locked })),
    ]
  },
  ...moving,
  async taken(db, site) {
    const taken = await takenBy(db, site.id)
    return taken()
  },
}

/** Ids of the actions that moved databases and accounts of a website to the trash, newest first. */
export async function takenBy(db: Db, websiteId: number) {
  const found = await rows<{ id: number; type: string; of: number }>(
    db,
    sql`select action_id::float8 as id, resource_type as type, resource_id as of from actions where attempt > 0
      and ((resource_type = 'database' and resource_id in (select database_id from databases where website_id = ${websiteId})
          and (name = 'database.remove' or (name = 'database.ensure' and task = 'undo')))
        or (resource_type = 'database-user' and name = 'database-user.remove'
          and resource_id in (select database_user_id from database_users where website_id = ${websiteId})))
      order by action_id desc limit 500`,
  )
  return (type?: string, of?: number) =>
    found
      .filter((one) => !type || (one.type === type && one.of === of))
      .map(({ id }) => id)
      .slice(0, type ? MOST : 150)
}
