import { eq } from 'drizzle-orm'
import type { Db } from '../kit/db/db.ts'
import { type PlanStep, secret, step } from '../kit/work/action.ts'
import { planOf } from '../servers/services.ts'
import { serverStates, servers } from '../servers/tables.ts'
import {
  databaseEnsure,
  databaseRemove,
  databaseRestore,
  databaseUserEnsure,
  databaseUserRemove,
  databaseUserRestore,
} from './actions.ts'
import { freeNames } from './names.ts'
import type { Account } from './read.ts'

export interface DatabaseOf {
  id: number
  name: string
  serverId: number
}
type Shaped = DatabaseOf & { charset: string; collation: string }

const onDatabase = ({ id, name, serverId }: DatabaseOf) => ({
  server: serverId,
  resource: { type: 'database', id, name },
})
const onAccount = ({ id, username, server }: Account) => ({
  server: server.id,
  resource: { type: 'database-user', id, name: username },
})

/** Steps that install MariaDB with the first database of a server; none if it runs already. */
export async function engineSteps(db: Db, serverId: number): Promise<PlanStep[]> {
  const [found] = await db
    .select({ server: servers, services: serverStates.services })
    .from(servers)
    .leftJoin(serverStates, eq(serverStates.serverId, servers.id))
    .where(eq(servers.id, serverId))
  if (!found) return []
  const runs = found.services?.some(({ name, state }) => name === 'mariadb' && state === 'active')
  return runs ? [] : planOf(found.server, ['mariadb'])
}

export const ensureSteps = (database: Shaped, account: Account): PlanStep[] => [
  step(
    databaseEnsure,
    // safe cast: the contract validated both when they were stored
    { name: database.name, charset: database.charset as 'utf8mb4', collation: database.collation },
    onDatabase(database),
  ),
  accountStep(account, { password: true }),
]

/** Actions of a database for a new website, for the preview. Does not write. */
export async function plannedDatabase(db: Db, serverId: number, domain: string): Promise<PlanStep[]> {
  const { name, username } = await freeNames(db, serverId, domain)
  const shape = { charset: 'utf8mb4', collation: 'utf8mb4_unicode_ci' }
  const grants = [{ database: name, privileges: 'all' as const }]
  const account = { id: 1, username, server: { id: serverId }, secret: 'none yet', locked: false, grants }
  return [...(await engineSteps(db, serverId)), ...ensureSteps({ id: 1, name, serverId, ...shape }, account)]
}

/**
 * Step that configures an account. `password` sets its stored password; without it the password stays. `locked` locks
 * it with its website.
 */
export const accountStep = (account: Account, with_: { password?: boolean; secret?: string; locked?: boolean } = {}) =>
  step(
    databaseUserEnsure,
    {
      user: account.username,
      ...((with_.password || with_.secret) && { password: secret(with_.secret ?? account.secret) }),
      grants: account.grants,
      locked: account.locked || (with_.locked ?? false),
    },
    onAccount(account),
  )

/** Removes accounts first, so that nobody writes during the dumps. */
export const removalSteps = (databases: DatabaseOf[], accounts: Account[], keepDays: number): PlanStep[] => [
  ...accounts.map((one) => step(databaseUserRemove, { user: one.username, keepDays }, onAccount(one))),
  ...databases.map((one) => step(databaseRemove, { name: one.name, keepDays }, onDatabase(one))),
]

export const restoreSteps = (
  databases: (DatabaseOf & { taken: number[] })[],
  accounts: (Account & { taken: number[] })[],
): PlanStep[] => [
  ...accounts.flatMap(({ taken, ...one }) =>
    taken.length ? [step(databaseUserRestore, { user: one.username, taken }, onAccount(one))] : [],
  ),
  ...databases.flatMap(({ taken, ...one }) =>
    taken.length ? [step(databaseRestore, { name: one.name, taken }, onDatabase(one))] : [],
  ),
]
