import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { type PlanStep, step } from '../../kit/work/action.ts'
import { servers } from '../../machines/servers/tables.ts'
import { plans } from '../plans/tables.ts'
import { phpPoolEnsure, phpPoolRemove, systemUserEnsure, systemUserRemove } from './actions.ts'
import { type Account, resized } from './parts.ts'
import { systemUsers } from './tables.ts'

/** Reads accounts that are not deleted, with the PHP versions of their websites. */
export function readAccounts(db: Db, which: SQL): Promise<Account[]> {
  return db
    .select({
      id: systemUsers.id,
      username: systemUsers.username,
      server: { id: servers.id, name: servers.name, webServer: servers.webServer },
      plan: {
        memoryMb: plans.memoryMb,
        cpuPercent: plans.cpuPercent,
        tasks: plans.tasks,
        diskMb: plans.diskMb,
      },
      phpVersions: sql<string[]>`array(select distinct w.php_version from websites w
        where w.system_user_id = ${systemUsers.id} and w.deleted_at is null and w.kind <> 'alias' order by 1)`,
      holdsMail: sql<boolean>`exists (select from websites w where w.system_user_id = ${systemUsers.id}
        and w.kind = 'staging' and w.deleted_at is null)`,
    })
    .from(systemUsers)
    .innerJoin(servers, eq(servers.id, systemUsers.serverId))
    .innerJoin(plans, eq(plans.id, systemUsers.planId))
    .where(and(which, isNull(systemUsers.deletedAt)))
    .orderBy(servers.id, systemUsers.id)
}

/** Steps that apply the plan to an account: limits, PHP pools and the other parts. */
export const shape = async (db: Db, account: Account): Promise<PlanStep[]> => [
  step(systemUserEnsure, { username: account.username, limits: account.plan }, on(account, 'system-user')),
  ...account.phpVersions.map((version) => poolStep(account, version)),
  ...(await resized(db, account)),
]

/** Steps that remove an account without websites. */
export const removal = (account: Account): PlanStep[] => [
  ...account.phpVersions.map((phpVersion) =>
    step(phpPoolRemove, { username: account.username, phpVersion }, on(account, 'php-pool')),
  ),
  step(systemUserRemove, { username: account.username }, on(account, 'system-user')),
]

const poolStep = (account: Account, phpVersion: string) =>
  step(
    phpPoolEnsure,
    { username: account.username, phpVersion, ...poolSize(account.plan.memoryMb), ...(account.holdsMail && heldMail) },
    on(account, 'php-pool'),
  )

/** Option of a PHP pool that stores the mail of a staging copy instead of sending it. */
export const heldMail = { mail: 'hold' as const }

/** Parallel PHP requests and the memory of each: at most half of the account's, so that two fit. */
export const poolSize = (memoryMb: number) => ({
  maxChildren: Math.max(2, Math.min(32, Math.floor(memoryMb / 96))),
  memoryLimitMb: Math.max(64, Math.min(512, Math.floor(memoryMb / 2))),
})

const on = ({ id, username, server }: Account, type: string) => ({
  server: server.id,
  resource: { type, id, name: username },
})

/** The limits that a server enforces on an account. */
export const limitsOf = ({ plan: { memoryMb, cpuPercent, tasks, diskMb } }: Pick<Account, 'plan'>) => ({
  ...{ memoryMb, cpuPercent, tasks, diskMb },
})
