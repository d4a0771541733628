import type { backups as contract } from '@innkeeper/contract/recovery/backups/calls'
import type { RepositoryLock } from '@innkeeper/contract/recovery/backups/shapes'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { inOrder } from '../../../kit/db/page.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { step } from '../../../kit/work/action.ts'
import { start } from '../../../kit/work/workflow.ts'
import { repositoryLook, repositoryUnlock } from '../actions.ts'
import { given, pairOf } from '../list.ts'
import { addTasks, note } from '../record.ts'
import { type Access, accessTo, localOf, onRepository } from '../repositories/access.ts'
import { readRepository } from '../repositories/view.ts'
import { backupLocks, backupRepositories } from '../tables.ts'

type Calls = Handlers<typeof contract>

export const locksHandlers = {
  locks: (input, { db }) =>
    pairOf(
      db,
      input,
      {
        from: sql`${backupLocks}`,
        where: given(
          input.repositoryId && inArray(backupLocks.repositoryId, input.repositoryId),
          input.state && inArray(backupLocks.state, input.state),
          input.source && inArray(backupLocks.source, input.source),
        ),
        key: backupLocks.id,
        order: { column: backupLocks.since, type: 'instant', direction: 'DESC' },
      },
      readLocks,
    ),
  oneLock: ({ id }, { db }) => readLock(db, id),

  async lock({ id, type, reason }, { db, staff, audit }) {
    const { account } = await readRepository(db, id)
    const [made] = await db
      .insert(backupLocks)
      .values({ repositoryId: id, source: 'innkeeper', type, reason, holder: staff.name })
      .onConflictDoNothing()
      .returning({ id: backupLocks.id })
    if (!made) throw conflict(`${account} is already locked`, { current: await readRepository(db, id) })
    const after = await readLock(db, made.id)
    audit.of('backup-repository', id)
    audit.after(after)
    await note(db, 'warning', `${account} was locked (${type}, ${reason}) by ${staff.name}`, { repositoryId: id })
    await changed(db, 'backups')
    return after
  },

  async unlock({ id }, context) {
    const { db, audit, status } = context
    const before = await readRepository(db, id)
    audit.of('backup-repository', id)
    audit.before({ lockType: before.lockType, lockReason: before.lockReason })
    const freed = await release(db, id)
    const stale = await staleIn(db, id)
    if (!freed && !stale) throw conflict(`${before.account} has no lock that can be removed`, { current: before })
    const workflowId = stale ? await startUnlock(context, await accessTo(db, id)) : null
    const data = await readRepository(db, id)
    audit.after({ lockType: data.lockType, lockReason: data.lockReason })
    status(workflowId === null ? 200 : 202)
    return { data, workflowId }
  },

  async removeLock({ id }, context) {
    const { db, audit, status } = context
    const lock = await readLock(db, id)
    audit.of('backup-lock', id)
    audit.before(lock)
    if (lock.state === 'unlocked') throw conflict('This lock is already released', { current: lock })
    if (lock.source === 'innkeeper') {
      await release(db, lock.repositoryId)
      status(204)
      return undefined
    }
    if (!lock.stale)
      throw refused(
        `This lock is in use by process ${lock.pid ?? ''} of ${lock.host ?? 'a machine'}: it goes when that ends, or 30 minutes after it was killed`,
      )
    status(202)
    return { workflowId: await startUnlock(context, await accessTo(db, lock.repositoryId)) }
  },
} satisfies Partial<Calls>

async function readLocks(db: Db, ids: number[]): Promise<RepositoryLock[]> {
  if (!ids.length) return []
  const found = await db
    .select({ lock: backupLocks, repositoryName: backupRepositories.account })
    .from(backupLocks)
    .innerJoin(backupRepositories, eq(backupRepositories.id, backupLocks.repositoryId))
    .where(inArray(backupLocks.id, ids))
  return inOrder(
    ids,
    found.map(({ lock: { file, ...lock }, repositoryName }) => ({ ...lock, repositoryName })),
  )
}

async function readLock(db: Db, id: number): Promise<RepositoryLock> {
  const [found] = await readLocks(db, [id])
  if (!found) throw notFound('lock', id)
  return found
}

const own = (repositoryId: number) =>
  and(eq(backupLocks.repositoryId, repositoryId), eq(backupLocks.state, 'locked'), eq(backupLocks.source, 'innkeeper'))

/** Releases the lock of a person. Returns whether a lock existed. */
async function release(db: Db, repositoryId: number): Promise<boolean> {
  const gone = await db
    .update(backupLocks)
    .set({ state: 'unlocked', unlockedAt: sql`now()` })
    .where(own(repositoryId))
    .returning({ id: backupLocks.id })
  await changed(db, 'backups')
  return gone.length > 0
}

async function staleIn(db: Db, repositoryId: number): Promise<boolean> {
  const [found] = await db
    .select({ id: backupLocks.id })
    .from(backupLocks)
    .where(
      and(
        eq(backupLocks.repositoryId, repositoryId),
        eq(backupLocks.state, 'locked'),
        eq(backupLocks.source, 'restic'),
        backupLocks.stale,
      ),
    )
    .limit(1)
  return found !== undefined
}

/** Removes stale locks of restic; restic itself decides which are stale. */
async function startUnlock({ db, staff, audit }: Context, access: Access): Promise<number> {
  const { resource } = onRepository(access)
  const workflowId = await start(db, {
    ...{ kind: 'backup-repository.maintain', subject: resource, holder: staff.name, startedById: staff.id },
    plan: [
      step(repositoryUnlock, localOf(access), onRepository(access)),
      step(repositoryLook, localOf(access), onRepository(access)),
    ],
    locks: [],
  })
  await addTasks(db, [
    { type: 'unlock', subject: access.account, repositoryId: access.id, startedBy: staff.name, workflowId },
  ])
  audit.workflow(workflowId)
  return workflowId
}
