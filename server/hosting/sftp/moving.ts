import type { Finding } from '@innkeeper/contract/hosting/moves/shapes'
import { MOST_KEYS } from '@innkeeper/contract/hosting/sftp'
import { eq, inArray, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'
import type { PlanStep } from '../../kit/work/action.ts'
import { holdAccount, lockOf } from '../systemUsers/hold.ts'
import { systemUsers } from '../systemUsers/tables.ts'
import { type Holder, type Key, keysOf, letIn, sftpItself } from './steps.ts'
import { sftpAccess, sftpKeys } from './tables.ts'

/** Changes when SFTP access moves from a website's account to its account on the target server. */
interface Along {
  /** All keys of the target account after the move. */
  keys: Key[]
  /** The keys that the target account does not have yet. */
  coming: Key[]
  /** Keys that were removed from the account since the move that is rolled back. */
  going: Key[]
  isOnThere: boolean
  /** True: the password is lost, because only the old server has its hash and the target account has no password. */
  losesPassword: boolean
}

/**
 * Access to move; undefined if the source account has no access. `to` is undefined if the move creates the target
 * account.
 */
async function alongOf(db: Db, from: number, to: number | undefined, returning = false): Promise<Along | undefined> {
  const here = await accessOf(db, from)
  if (here?.access.state !== 'on' || here.status !== 'active') return undefined
  // a rollback restores an account that no other website uses: its access is that of the account it comes back from
  const isAlone = returning && to !== undefined && !(await isUsed(db, to))
  const there = to === undefined ? undefined : await accessOf(db, to)
  // keys in the state `adding` belong to a move that has already started
  const present = to === undefined ? [] : (await keysOf(db, to)).filter(({ state }) => state === 'active')
  const all = await keysOf(db, from)
  const without = (some: Key[], others: Key[]) =>
    some.filter(({ fingerprint }) => !others.some((other) => other.fingerprint === fingerprint))
  const going = isAlone ? without(present, all) : []
  const kept = without(present, going)
  const coming = without(all, kept)
  return {
    keys: [...kept, ...coming],
    coming,
    going,
    isOnThere: there?.access.state === 'on',
    losesPassword: here.access.passwordSetAt !== null && !there?.access.passwordSetAt,
  }
}

async function accessOf(db: Db, systemUserId: number) {
  const [found] = await db
    .select({ access: sftpAccess, status: systemUsers.status })
    .from(sftpAccess)
    .innerJoin(systemUsers, eq(systemUsers.id, sftpAccess.systemUserId))
    .where(eq(sftpAccess.systemUserId, systemUserId))
  return found
}

/** Whether a website uses the account, apart from those in `moving`. */
async function isUsed(db: Db, account: number, moving: readonly number[] = [-1]): Promise<boolean> {
  const [other] = await rows(
    db,
    sql`select from websites where system_user_id = ${account} and deleted_at is null and website_id not in ${moving} limit 1`,
  )
  return other !== undefined
}

/** Findings about the access before a move. `there`: the target account, if it exists. */
export async function accessFindings(
  db: Db,
  from: number,
  there: { id: number | undefined; username: string; serverName: string },
  moving: readonly number[],
): Promise<Finding[]> {
  const along = await alongOf(db, from, there.id)
  if (!along) return []
  const { keys, coming, isOnThere, losesPassword } = along
  const whose = `${there.username} on ${there.serverName}`
  const say = (level: Finding['level'], text: string, title = 'SFTP access') => ({ key: 'sftp', title, level, text })
  if (keys.length > MOST_KEYS)
    return [say('blocker', `${whose} would have ${keys.length} keys, and an account has at most ${MOST_KEYS}`)]
  const count = `${coming.length} ${coming.length === 1 ? 'key moves' : 'keys move'} to ${whose}`
  return [
    say('ok', isOnThere && !coming.length ? `${whose} accepts all keys already` : count),
    ...((await isUsed(db, from, moving))
      ? [
          say(
            'warning',
            'Other websites use this account too: its SFTP sessions end at the freeze, and people can sign in again after it',
            'SFTP sessions',
          ),
        ]
      : []),
    ...(losesPassword
      ? [say('warning', `The SFTP password must be set again on ${there.serverName}`, 'SFTP password')]
      : []),
  ]
}

/**
 * Steps that give the target account the same access; none if it already has it. Does not write. `returning`: a move
 * back; the first move has closed the access of the target account on its server.
 */
export async function accessSteps(db: Db, from: number, to: Holder, returning: boolean): Promise<PlanStep[]> {
  const along = await alongOf(db, from, to.id, returning)
  if (!along || (along.isOnThere && !along.coming.length && !returning)) return []
  const [account] = await db.select().from(systemUsers).where(eq(systemUsers.id, to.id))
  // in a move back, the account may be suspended: access starts when the account is activated
  const state = account?.status === 'suspended' ? 'suspended' : 'active'
  return [...sftpItself(to), letIn(to, state, along.keys)]
}

/**
 * Steps that close the access on the old server at the freeze, because later uploads there would be lost. If another
 * website uses the account, the access opens again once the folders of the moved websites are closed. Undo restores it.
 */
export async function closingSteps(
  db: Db,
  from: Holder,
  moving: readonly number[],
): Promise<{ freeze?: PlanStep[]; closed?: PlanStep[] }> {
  const here = await accessOf(db, from.id)
  if (here?.access.state !== 'on' || here.status !== 'active') return {}
  const keys = await keysOf(db, from.id)
  const freeze = [letIn(from, 'suspended', keys)]
  return (await isUsed(db, from.id, moving))
    ? { freeze, closed: [letIn(from, 'active', keys, { again: true })] }
    : { freeze }
}

/**
 * Locks both accounts until the transaction ends, so that the access does not change after planning. 409 if a workflow
 * locks one of them.
 */
export async function holdAccess(tx: Db, from: number, to: number): Promise<void> {
  const here = await accessOf(tx, from)
  if (!here || here.access.state === 'off') return
  for (const id of [from, to].toSorted((a, b) => a - b)) await holdAccount(tx, id)
}

/**
 * Inserts the rows for the steps of `accessSteps`; the end of the workflow settles them. Returns the locks that keep
 * the keys unchanged until then.
 */
export async function bringAccess(tx: Db, from: number, to: number, returning = false): Promise<string[]> {
  const along = await alongOf(tx, from, to, returning)
  if (!along) return []
  if (!along.isOnThere)
    await tx
      .insert(sftpAccess)
      .values({ systemUserId: to, state: 'enabling' })
      .onConflictDoUpdate({ target: sftpAccess.systemUserId, set: { state: 'enabling' } })
  if (along.coming.length)
    await tx.insert(sftpKeys).values(
      along.coming.map(({ type, body, fingerprint, comment, addedBy, createdBy, expiresAt }) => ({
        ...{ type, body, fingerprint, comment, addedBy, createdBy, expiresAt },
        systemUserId: to,
        state: 'adding' as const,
      })),
    )
  if (along.going.length)
    await tx
      .update(sftpKeys)
      .set({ state: 'removing' })
      .where(
        inArray(
          sftpKeys.id,
          along.going.map(({ id }) => id),
        ),
      )
  await changed(tx, 'sftp', to)
  return [lockOf(from)]
}
