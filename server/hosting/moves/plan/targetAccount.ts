import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { refused } from '../../../kit/http/errors.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { countsOf, fullFor, overDisk } from '../../plans/room.ts'
import { plans } from '../../plans/tables.ts'
import { holdAccount } from '../../systemUsers/hold.ts'
import { systemUsers } from '../../systemUsers/tables.ts'
import { accountsOf, freeUsername } from '../../websites/placement/placement.ts'
import type { Row } from '../family.ts'
import { migrations } from '../tables.ts'

/** Account of a website on another server: a chosen one of the owner, or a new one. */
export interface NewHome {
  username: string
  /** Existing account; undefined if one is to be created. */
  accountId: number | undefined
  /** Why no account can be used or created. */
  problem: string | undefined
}

/** Chooses the account on the target server. Without both fields a new account is created. */
export interface Into {
  /** The existing account that the request names. */
  account?: number | undefined
  /** The group's move: members that share an account now share one on the target server too. */
  parentId?: number | null
}

/** Finds the account without writing. A new account keeps the current name if it is free. */
export async function findHome(db: Db, family: readonly Row[], serverId: number, into: Into = {}): Promise<NewHome> {
  const [main] = family
  if (!main) throw new Error('the list of websites to move is empty')
  const [plan] = await db.select().from(plans).where(eq(plans.id, main.planId))
  const [now] = await db.select().from(systemUsers).where(eq(systemUsers.id, main.systemUserId))
  if (!plan || !now) throw new Error(`${main.domain} has no plan or no account`) // foreign keys exclude this case
  const count = countOf(family)
  const wanted =
    into.account ?? (into.parentId ? await accountOfFellows(db, into.parentId, main.systemUserId) : undefined)
  if (wanted !== undefined) {
    const found = (await accountsOf(db, serverId, main.ownerId, plan, count)).find(({ id }) => id === wanted)
    const coming = family.filter((one) => one.systemUserId === main.systemUserId).map((one) => one.id)
    const full = found && ((await fullFor(db, found.id, await countsOf(db, coming))) ?? (await overDisk(db, found.id)))
    if (found && !full) return { username: found.username, accountId: found.id, problem: undefined }
    if (into.account !== undefined)
      return {
        username: now.username,
        accountId: undefined,
        problem: full ?? 'That account is of another owner or plan, or it is full',
      }
  }
  const problem =
    count > plan.websites ? `The plan ${plan.name} has ${plan.websites} websites, these are ${count}` : undefined
  const problems: Record<string, string> = {}
  const same = await freeUsername(db, serverId, main.domain, now.username, problems)
  const username = same ?? (await freeUsername(db, serverId, main.domain, undefined, {}))
  return { username: username ?? now.username, accountId: undefined, problem }
}

/** Websites of the plan that move within the main account. Aliases are names, and a staging copy has its own account. */
export const countOf = (family: readonly Row[]): number =>
  family.filter((one) => one.kind !== 'alias' && one.systemUserId === family[0]?.systemUserId).length

/** The account that an earlier member of the same group's move went to, from the same account. */
async function accountOfFellows(db: Db, parentId: number, from: number): Promise<number | undefined> {
  const fellows = await db
    .select({ sites: migrations.sites })
    .from(migrations)
    .where(and(eq(migrations.parentId, parentId), inArray(migrations.status, ['running', 'soaking'])))
  return fellows.flatMap(({ sites }) => sites).find((site) => site.from.systemUserId === from)?.to.systemUserId
}

/** Locks the existing account's row or inserts a new one. */
export async function takeHome(
  db: Db,
  home: NewHome,
  family: readonly Row[],
  main: Row,
  serverId: number,
  createdBy: number | null,
) {
  if (home.problem) throw refused(home.problem, { targetServerId: home.problem })
  if (home.accountId !== undefined) {
    await holdAccount(db, home.accountId)
    // the account may have got more before it was locked
    const { problem } = await findHome(db, family, serverId, { account: home.accountId })
    if (problem) throw refused(problem, { targetServerId: problem })
    return home.accountId
  }
  return makeAccount(db, home.username, main, serverId, createdBy)
}

/**
 * Target account by source account: `mainId` for the website's own; staging copies keep accounts of their own (decision
 * 17).
 */
export async function takeHomes(
  db: Db,
  family: readonly Row[],
  mainId: number,
  serverId: number,
  createdBy: number | null,
): Promise<Map<number, number>> {
  const [main] = family
  const homes = new Map(main && [[main.systemUserId, mainId]])
  for (const one of family) {
    if (homes.has(one.systemUserId)) continue
    const [now] = await db.select().from(systemUsers).where(eq(systemUsers.id, one.systemUserId))
    const same = await freeUsername(db, serverId, one.domain, now?.username, {})
    const username = same ?? (await freeUsername(db, serverId, one.domain, undefined, {}))
    if (!username) throw new Error(`no free account name for ${one.domain}`)
    homes.set(one.systemUserId, await makeAccount(db, username, one, serverId, createdBy))
  }
  return homes
}

async function makeAccount(db: Db, username: string, site: Row, serverId: number, createdBy: number | null) {
  const [made] = await db
    .insert(systemUsers)
    .values({
      username,
      serverId,
      ownerId: site.ownerId,
      planId: site.planId,
      homeDir: `/home/${username}`,
      shell: '/usr/sbin/nologin',
      createdBy,
    })
    .returning({ id: systemUsers.id })
  if (!made) throw new Error('the insert returned no account')
  return made.id
}

/** Marks an account as deleted if no website uses it, live or in the trash. */
export const dropEmpty = (db: Db, id: number) =>
  db
    .update(systemUsers)
    .set({ deletedAt: sql`now()`, ...nextVersion })
    .where(
      and(
        eq(systemUsers.id, id),
        isNull(systemUsers.deletedAt),
        sql`not exists (select from websites w where w.system_user_id = ${id} and (w.deleted_at is null or w.purged_at is null))`,
      ),
    )
