import { and, asc, eq, sql } from 'drizzle-orm'
import { memberIds } from '../../groups/view.ts'
import type { Secrets } from '../../kit/app/secrets.ts'
import type { Db } from '../../kit/db/db.ts'
import { Refusal, refused } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { readWebsites } from '../../websites/view.ts'
import { type By, begin, type Move, note, touch } from '../startMove.ts'
import { migrations } from '../tables.ts'

interface Wanted {
  groupId: number
  sourceServerId: number
  targetServerId: number
  targetGroupId: number | null
  soakHours: number
}

/**
 * Inserts a row for the group and one for each member on the source server, in the group's order, and starts the first
 * member.
 */
export async function noteGroup(db: Db, secrets: Secrets, by: By, wanted: Wanted): Promise<Move> {
  const { groupId, ...where } = wanted
  const members = (await readWebsites(db, await memberIds(db, groupId))).filter(
    ({ serverId }) => serverId === wanted.sourceServerId,
  )
  const [first] = members
  if (!first)
    throw refused('No website of this group is on that server', { originServerSource: 'None of its websites is there' })
  const common = { ...where, sourceGroupId: groupId }
  const group = await note(db, secrets, by, {
    ...common,
    type: 'group',
    status: 'running',
    domain: first.domain,
    sourceWebsiteId: first.id,
  })
  for (const [i, { id, domain }] of members.entries())
    await note(db, secrets, by, {
      ...common,
      type: 'website',
      domain,
      sourceWebsiteId: id,
      parentId: group.id,
      position: i + 1,
    })
  await beginNext(db, group.id)
  return group
}

/** Called when a member ended, stopped or resumed: starts the next member and updates the group's row. */
export const afterMember = (tx: Db, groupMoveId: number): Promise<void> => beginNext(tx, groupMoveId)

/**
 * Starts the next waiting member; one runs at a time. A member that cannot start gets the reason and status `failed`,
 * and the next one is tried.
 */
export async function beginNext(tx: Db, groupMoveId: number): Promise<void> {
  const [group] = await tx.select().from(migrations).where(eq(migrations.id, groupMoveId)).for('update')
  if (!group) return
  for (;;) {
    const members = await membersOf(tx, groupMoveId)
    const busy = members.some(({ status }) => status === 'running' || status === 'paused')
    const next = members.find(({ status }) => status === 'waiting')
    if (busy || !next || group.status === 'paused') break
    const by = { id: group.startedById, name: group.startedBy }
    const problem = await tx
      .transaction((inner) => begin(inner, next, by).then(() => undefined))
      .catch((error: unknown) => {
        if (error instanceof Refusal) return error.message
        throw error
      })
    if (problem === undefined) continue
    await touch(tx, next.id, { status: 'failed', reason: problem })
    await changed(tx, 'moves', next.id)
  }
  await settle(tx, group)
}

export const membersOf = (db: Db, groupMoveId: number): Promise<Move[]> =>
  db.select().from(migrations).where(eq(migrations.parentId, groupMoveId)).orderBy(asc(migrations.position))

/** Derives the status of a group's move from its members: `running` while any of them can continue. */
async function settle(tx: Db, group: Move): Promise<void> {
  const members = await membersOf(tx, group.id)
  const has = (...wanted: Move['status'][]) => members.some(({ status }) => wanted.includes(status))
  const ended = !has('waiting', 'running', 'paused', 'failed', 'soaking')
  const status: Move['status'] =
    group.status === 'paused' && has('waiting')
      ? 'paused'
      : has('waiting', 'running', 'paused')
        ? 'running'
        : has('failed')
          ? 'failed'
          : has('soaking')
            ? 'soaking'
            : has('done')
              ? 'done'
              : 'rolled-back'
  const stopped = members.filter((one) => one.status === 'failed')
  await touch(tx, group.id, {
    status,
    reason: stopped.length
      ? `${stopped.length} of ${members.length} stopped: ${stopped.map((one) => one.domain).join(', ')}`
      : null,
    endedAt: ended ? new Date().toISOString() : null,
  })
  await changed(tx, 'moves', group.id)
}

/** Retries the members that failed before their workflow started, in the group's order. */
export async function resumeGroup(tx: Db, group: Move): Promise<void> {
  await tx
    .update(migrations)
    .set({ status: 'waiting', reason: null })
    .where(
      and(eq(migrations.parentId, group.id), eq(migrations.status, 'failed'), sql`${migrations.workflowId} is null`),
    )
  await touch(tx, group.id, { status: 'running' })
  await beginNext(tx, group.id)
}
