import type { DatabaseEngine } from '@innkeeper/contract/kit/values'
import { eq } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { type PlanStep, secret, step } from '../../kit/work/action.ts'
import { planOf } from '../../machines/servers/services.ts'
import { serverStates, servers } from '../../machines/servers/tables.ts'
import {
  databaseEnsure,
  databaseRemove,
  databaseRestore,
  databaseUserEnsure,
  databaseUserRemove,
  databaseUserRestore,
  postgresqlAccess,
} from './actions.ts'
import { freeNames } from './names.ts'
import type { Account } from './read.ts'

export interface DatabaseOf {
  id: number
  engine: DatabaseEngine
  name: string
  serverId: number
}
type Shaped = DatabaseOf & { charset: string; collation: string }

const onDatabase = ({ id, name, serverId }: DatabaseOf) => ({
  server: serverId,
  resource: { type: 'database', id, name },
})
/** `type` is not `database-user` for a step that must not change the row of the account (lifecycle.ts). */
const onAccount = ({ id, username, server }: Account, type = 'database-user') => ({
  server: server.id,
  resource: { type, id, name: username },
})
/** Host of an account in an operation; absent for accounts of this machine. */
export const hostOf = ({ host }: Pick<Account, 'host'>) => (host === 'localhost' ? {} : { host })

/** The engine in an operation; absent for MariaDB. */
export const engineOf = ({ engine }: { engine: DatabaseEngine }) => (engine === 'mariadb' ? {} : { engine })

/**
 * Steps that install an engine unless it runs already. For PostgreSQL, the access step is always included: an agent
 * that does not support PostgreSQL fails there, before it creates a MariaDB database by mistake.
 */
export async function engineSteps(db: Db, serverId: number, engine: DatabaseEngine): Promise<PlanStep[]> {
  const [found] = await db
    .select({ server: servers, services: serverStates.services })
    .from(servers)
    .leftJoin(serverStates, eq(serverStates.serverId, servers.id))
    .where(eq(servers.id, serverId))
  if (!found) return []
  const runs = found.services?.some(({ name, state }) => name === engine && state === 'active')
  const { id, name } = found.server
  return [
    ...(runs ? [] : planOf(found.server, [engine])),
    ...(engine === 'postgresql'
      ? [step(postgresqlAccess, {}, { server: id, resource: { type: 'postgresql', id, name } })]
      : []),
  ]
}

/** Character set and collation in an operation. Safe cast: the contract validated both when they were stored. */
export const shapeIn = ({ charset, collation }: { charset: string; collation: string }) => ({
  charset: charset as 'utf8mb4',
  collation,
})

export const ensureSteps = (database: Shaped, account: Account): PlanStep[] => [
  step(
    databaseEnsure,
    { ...engineOf(database), ...shapeIn(database), name: database.name, fresh: true },
    onDatabase(database),
  ),
  accountStep(account, { password: true, fresh: true }),
]

/** Actions of a database for a new website, for the preview. Does not write. */
export async function plannedDatabase(db: Db, serverId: number, domain: string): Promise<PlanStep[]> {
  const { name, username } = await freeNames(db, serverId, domain)
  const shape = { charset: 'utf8mb4', collation: 'utf8mb4_unicode_ci' }
  const grants = [{ database: name, privileges: 'all' as const }]
  const engine = 'mariadb' as const
  const account = {
    id: 1,
    engine,
    username,
    host: 'localhost',
    server: { id: serverId },
    secret: 'none yet',
    locked: false,
    grants,
  }
  return [
    ...(await engineSteps(db, serverId, engine)),
    ...ensureSteps({ id: 1, engine, name, serverId, ...shape }, account),
  ]
}

/**
 * Step that configures an account. `password` sets its stored password; without `password`, the account keeps the
 * present one. `locked` locks the account because its website is suspended. `fresh` fails if the server has the account
 * already.
 */
export const accountStep = (
  account: Account,
  with_: { password?: boolean; secret?: string; locked?: boolean; fresh?: true } = {},
  type?: string,
) =>
  step(
    databaseUserEnsure,
    {
      ...engineOf(account),
      user: account.username,
      ...hostOf(account),
      ...((with_.password || with_.secret) && { password: secret(with_.secret ?? account.secret) }),
      grants: account.grants,
      locked: account.locked || (with_.locked ?? false),
      ...(with_.fresh && { fresh: true }),
    },
    onAccount(account, type),
  )

/** Resource type of steps that only change the privileges of an account. Their outcome leaves its row as it is. */
export const GRANTS = 'database-grants'

/** Step that removes an account from its server. */
export const accountRemoval = (account: Account, keepDays: number, type?: string) =>
  step(
    databaseUserRemove,
    { ...engineOf(account), user: account.username, ...hostOf(account), keepDays },
    onAccount(account, type),
  )

/** Steps that remove accounts first, so that nobody writes during the dumps. */
export const removalSteps = (databases: DatabaseOf[], accounts: Account[], keepDays: number): PlanStep[] => [
  ...accounts.map((one) => accountRemoval(one, keepDays)),
  ...databases.map((one) => step(databaseRemove, { ...engineOf(one), name: one.name, keepDays }, onDatabase(one))),
]

export const restoreSteps = (
  databases: (DatabaseOf & { taken: number[] })[],
  accounts: (Account & { taken: number[] })[],
): PlanStep[] => [
  ...accounts.flatMap(({ taken, ...one }) =>
    taken.length
      ? [step(databaseUserRestore, { ...engineOf(one), user: one.username, ...hostOf(one), taken }, onAccount(one))]
      : [],
  ),
  ...databases.flatMap(({ taken, ...one }) =>
    taken.length ? [step(databaseRestore, { ...engineOf(one), name: one.name, taken }, onDatabase(one))] : [],
  ),
]
