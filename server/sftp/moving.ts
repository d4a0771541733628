import type { Finding } from '@innkeeper/contract/moves'
import { MOST_KEYS } from '@innkeeper/contract/sftp'
import { eq } from 'drizzle-orm'
import type { Db } from '../kit/db/db.ts'
import { changed } from '../kit/live/live.ts'
import type { PlanStep } from '../kit/work/action.ts'
import { holdAccount, lockOf } from '../systemUsers/hold.ts'
import { systemUsers } from '../systemUsers/tables.ts'
import { type Holder, type Key, keysOf, letIn, sftpItself } from './steps.ts'
import { sftpAccess, sftpKeys } from './tables.ts'

/** What a website's account has that is to go along to the account that it gets on another server. */
interface Along {
  /** Of the account over there: what it has already, and what comes. */
  keys: Key[]
  /** Those of them that are not there yet. */
  coming: Key[]
  isOnThere: boolean
  /** Its hash is on the old server alone, and over there is none. */
  losesPassword: boolean
}

/** Undefined: nobody signs in to it, so that nothing goes along. `to` undefined: that account is made for the move. */
async function alongOf(db: Db, from: number, to: number | undefined): Promise<Along | undefined> {
  const here = await accessOf(db, from)
  if (here?.access.state !== 'on' || here.status !== 'active') return undefined
  const there = to === undefined ? undefined : await accessOf(db, to)
  // those that are being added there are what a move that has begun brings
  const kept = to === undefined ? [] : (await keysOf(db, to)).filter(({ state }) => state === 'active')
  const known = new Set(kept.map(({ fingerprint }) => fingerprint))
  const coming = (await keysOf(db, from)).filter(({ fingerprint }) => !known.has(fingerprint))
  return {
    keys: [...kept, ...coming],
    coming,
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

/** What a move says of it before it begins. `there`: the account over there, where it is known. */
export async function accessFindings(
  db: Db,
  from: number,
  there: { id: number | undefined; username: string; serverName: string },
): Promise<Finding[]> {
  const along = await alongOf(db, from, there.id)
  if (!along) return []
  const { keys, coming, isOnThere, losesPassword } = along
  const whose = `${there.username} on ${there.serverName}`
  const say = (level: Finding['level'], text: string, title = 'SFTP access') => ({ key: 'sftp', title, level, text })
  if (keys.length > MOST_KEYS)
    return [say('blocker', `${whose} would have ${keys.length} keys, and an account has at most ${MOST_KEYS}`)]
  const count = `${coming.length} ${coming.length === 1 ? 'key goes' : 'keys go'} along to ${whose}`
  return [
    say('ok', isOnThere && !coming.length ? `${whose} lets in every key already` : count),
    ...(losesPassword
      ? [say('warning', `The SFTP password has to be set anew on ${there.serverName}`, 'SFTP password')]
      : []),
  ]
}

/** Lets in over there who is let in here. Nothing where that is so already. Writes nothing. */
export async function accessSteps(db: Db, from: number, to: Holder): Promise<PlanStep[]> {
  const along = await alongOf(db, from, to.id)
  if (!along || (along.isOnThere && !along.coming.length)) return []
  const [account] = await db.select().from(systemUsers).where(eq(systemUsers.id, to.id))
  // one that was suspended meanwhile, and is gone back to, lets them in when it is activated
  const state = account?.status === 'suspended' ? 'suspended' : 'active'
  return [...sftpItself(to), letIn(to, state, along.keys)]
}

/** Holds both accounts until the transaction ends, so that what goes along is what was planned. 409 where somebody is at one. */
export async function holdAccess(tx: Db, from: number, to: number): Promise<void> {
  const here = await accessOf(tx, from)
  if (!here || here.access.state === 'off') return
  for (const id of [from, to].toSorted((a, b) => a - b)) await holdAccount(tx, id)
}

/**
 * Notes what `accessSteps` has planned; the end of its workflow settles it. Answers the locks under which the keys stay as
 * they are until then.
 */
export async function bringAccess(tx: Db, from: number, to: number): Promise<string[]> {
  const along = await alongOf(tx, from, to)
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
  await changed(tx, 'sftp', to)
  return [lockOf(from)]
}
