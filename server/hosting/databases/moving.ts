import type { Finding } from '@innkeeper/contract/hosting/moves/shapes'
import { databaseEngine } from '@innkeeper/contract/kit/values'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { outputOf, type PlanStep, secret, step } from '../../kit/work/action.ts'
import { keptByMoves } from '../websites/parts/keptByMoves.ts'
import type { Part } from '../websites/parts/parts.ts'
import {
  databaseDump,
  databaseEnsure,
  databaseLoad,
  databaseMarks,
  databaseRemove,
  databaseUserEnsure,
} from './actions.ts'
import { type Account, readAccounts } from './read.ts'
import { accountRemoval, engineOf, engineSteps, hostOf, shapeIn } from './steps.ts'
import { databases, databaseUsers } from './tables.ts'
import { firewallSteps, isRemote } from './users/remote.ts'

const ofSite = (id: number) => and(eq(databaseUsers.websiteId, id), isNull(databaseUsers.deletedAt))!
const live = (db: Db, websiteId: number) =>
  db
    .select()
    .from(databases)
    .where(and(eq(databases.websiteId, websiteId), isNull(databases.deletedAt)))
    .orderBy(databases.id)

/**
 * Resource types of a move differ from `database` and `database-user`, so that these actions do not change the rows of
 * the database (lifecycle.ts).
 */
const over = (server: number, type: 'database' | 'database-user', { id, name }: { id: number; name: string }) => ({
  server,
  resource: { type: `moved-${type}`, id, name },
})
const old = (server: number, { id, name }: { id: number; name: string }) => ({
  server,
  resource: { type: 'old-database', id, name },
})

/** Name of one of these servers whose agent does not support PostgreSQL, if PostgreSQL databases are to be moved. */
async function withoutPostgresql(db: Db, all: { engine: string }[], ids: number[]): Promise<string | undefined> {
  if (!all.some(({ engine }) => engine === 'postgresql')) return undefined
  const [found] = await rows<{ name: string }>(
    db,
    sql`select s.name from servers s left join server_states t on t.server_id = s.server_id
      where s.server_id in ${ids} and not coalesce('postgresql-access.ensure' = any(t.operations), false)`,
  )
  return found?.name
}

/**
 * Moves the databases of a website. They get the same names and passwords on the target server, so that the website's
 * configuration stays valid. A first dump is loaded while visitors still write; the changes since that dump are loaded
 * after the freeze. Until then the accounts on the target server are locked; from the freeze on, accounts of remote clients
 * are locked on the old server.
 */
export const moving = {
  async moveCheck(db, site, targetServerId): Promise<Finding[]> {
    const clash = (table: 'databases' | 'database_users', name: 'name' | 'username') =>
      rows<{ name: string }>(
        db,
        sql`select mine.${sql.identifier(name)} as name from ${sql.identifier(table)} mine
          join ${sql.identifier(table)} other on other.${sql.identifier(name)} = mine.${sql.identifier(name)}
          where mine.website_id = ${site.id} and mine.deleted_at is null and other.website_id <> ${site.id}
            and other.server_id = ${targetServerId} and other.deleted_at is null`,
      )
    const all = await live(db, site.id)
    const accounts = await readAccounts(db, ofSite(site.id))
    const kept = async (table: 'databases' | 'database_users', mine: string[]) =>
      (await keptByMoves(db, targetServerId, table)).filter(
        ({ name, websiteId }) => websiteId !== site.id && mine.includes(name),
      )
    const taken = [
      ...(await clash('databases', 'name')),
      ...(await clash('database_users', 'username')),
      ...(await kept(
        'databases',
        all.map(({ name }) => name),
      )),
      ...(await kept(
        'database_users',
        accounts.map(({ username }) => username),
      )),
    ]
    if (taken.length)
      return [
        {
          key: 'databases',
          title: 'Databases',
          level: 'blocker',
          text: `${taken.map(({ name }) => name).join(', ')}: belongs to somebody else on the target server`,
        },
      ]
    const late = await withoutPostgresql(db, all, [site.server.id, targetServerId])
    if (late)
      return [
        {
          key: 'databases',
          title: 'Databases',
          level: 'blocker',
          text: `The agent of ${late} does not know PostgreSQL yet: update the agent`,
        },
      ]
    if (!all.length) return []
    const remote = accounts.filter(isRemote)
    const text = all.map(({ name, collation }) => `${name}, ${collation}`).join('; ')
    return [
      { key: 'databases', title: 'Databases', level: 'ok', text },
      ...(remote.length
        ? [
            {
              key: 'remote-access',
              title: 'Remote access',
              level: 'warning' as const,
              text: `${remote.map(({ username, host }) => `${username} from ${host}`).join(', ')}: these clients need the address of the target server`,
            },
          ]
        : []),
    ]
  },

  async move(db, { from, to, state, returning, prefix, fetch }) {
    const all = await live(db, from.id)
    if (!all.length) return { files: [], prepare: [], frozen: [] }
    const accounts = await readAccounts(db, ofSite(from.id))
    const engines = databaseEngine.options.filter((engine) => all.some((one) => one.engine === engine))
    const parts = all.map((database) => {
      const { name } = database
      const on = over(from.server.id, 'database', database)
      const marks = step(databaseMarks, { ...engineOf(database), name }, on)
      const [seed, last] = [`${prefix}-seed-${database.id}.sql.gz`, `${prefix}-database-${database.id}.sql.gz`]
      return {
        database,
        marks,
        seed: step(databaseDump, { ...engineOf(database), name, file: seed }, on),
        last: step(
          databaseDump,
          { ...engineOf(database), name, file: last, changedSince: outputOf(marks, 'marks') },
          on,
        ),
        files: { seed, last },
      }
    })
    const brought = (database: (typeof all)[number], dump: PlanStep, file: string, more: object): PlanStep[] => [
      dump,
      fetch(file, dump),
      step(
        databaseLoad,
        {
          ...{ ...engineOf(database), name: database.name, file, ...more },
          sha256: outputOf(dump, 'sha256'),
          definers: outputOf(dump, 'definers'),
        },
        over(to.server.id, 'database', database),
      ),
    ]
    // a move back finds the databases that the website left there
    const fresh = returning ? {} : ({ fresh: true } as const)
    const letIn = (account: Account, locked: boolean, more: { fresh?: true } = {}) =>
      step(
        databaseUserEnsure,
        {
          ...engineOf(account),
          user: account.username,
          ...hostOf(account),
          password: secret(account.secret),
          grants: account.grants,
          locked,
          ...more,
        },
        over(to.server.id, 'database-user', { id: account.id, name: account.username }),
      )
    // the maintenance page stops visitors only: what remote clients change on the old server from now on would be lost
    const keepOut = (account: Account) =>
      step(
        databaseUserEnsure,
        { ...engineOf(account), user: account.username, ...hostOf(account), grants: account.grants, locked: true },
        { server: from.server.id, resource: { type: 'old-database-user', id: account.id, name: account.username } },
      )
    const prepare = [
      ...(await Promise.all(engines.map((engine) => engineSteps(db, to.server.id, engine)))).flat(),
      ...firewallSteps(to.server, accounts),
      ...all.map((database) =>
        step(
          databaseEnsure,
          { ...engineOf(database), ...shapeIn(database), name: database.name, ...fresh },
          over(to.server.id, 'database', database),
        ),
      ),
      ...accounts.map((account) => letIn(account, true, fresh)),
    ]
    return {
      files: parts.flatMap(({ files }) => [files.seed, files.last]),
      prepare,
      seed: parts.flatMap(({ database, marks, seed, files }) => [
        marks,
        ...brought(database, seed, files.seed, { keep: `${prefix}-before-${database.id}.sql.gz` }),
      ]),
      freeze: accounts.filter((one) => isRemote(one) && !one.locked && state !== 'suspended').map(keepOut),
      frozen: [
        ...parts.flatMap(({ database, last, files }) =>
          brought(database, last, files.last, { renew: true, whole: outputOf(last, 'whole') }),
        ),
        ...accounts.filter(({ locked }) => !locked && state !== 'suspended').map((account) => letIn(account, false)),
      ],
    }
  },

  async newcomers(db, site, targetServerId) {
    const accounts = await readAccounts(db, ofSite(site.id))
    // what Innkeeper knows there is a finding of moveCheck
    const known = new Set(
      (
        await rows<{ name: string }>(
          db,
          sql`select name from databases where server_id = ${targetServerId} and deleted_at is null
            union all select username from database_users where server_id = ${targetServerId} and deleted_at is null`,
        )
      ).map(({ name }) => name),
    )
    return {
      databases: (await live(db, site.id)).flatMap(({ engine, name }) => (known.has(name) ? [] : { engine, name })),
      databaseUsers: accounts.flatMap(({ engine, username, host }) =>
        known.has(username) ? [] : { engine, user: username, host },
      ),
    }
  },

  async moved(tx, websiteId, serverId) {
    const set = { serverId, ...nextVersion }
    await tx
      .update(databases)
      .set(set)
      .where(and(eq(databases.websiteId, websiteId), isNull(databases.deletedAt)))
    await tx.update(databaseUsers).set(set).where(ofSite(websiteId))
    await changed(tx, 'databases')
  },

  async leave(db, site, keepDays) {
    const server = site.server.id
    const accounts = await readAccounts(db, ofSite(site.id))
    return [
      // the rows already name the new server: the removal must run on the old one
      ...accounts.map((one) => accountRemoval({ ...one, server: site.server }, keepDays, 'old-database-user')),
      ...(await live(db, site.id)).map((one) =>
        step(databaseRemove, { ...engineOf(one), name: one.name, keepDays }, old(server, one)),
      ),
    ]
  },
} satisfies Partial<Part>
