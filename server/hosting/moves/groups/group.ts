import { and, asc, eq } from 'drizzle-orm'
import { notify } from '../../../access/notifications/notify.ts'
import type { Secrets } from '../../../kit/app/secrets.ts'
import type { Db } from '../../../kit/db/db.ts'
import { conflict, Refusal, refused } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { memberIds } from '../../groups/view.ts'
import { readWebsites } from '../../websites/view.ts'
import { PATIENCE_MS, refuseForNow } from '../plan/forNow.ts'
import { check, textOf } from '../plan/preflight.ts'
import { type By, begin, type Move, note, touch } from '../startMove.ts'
import { migrations } from '../tables.ts'

interface Wanted {
  groupId: number
  sourceServerId: number
  targetServerId: number
  targetGroupId: number | null
  soakHours: number
  withCopies: boolean
}

/**
 * Inserts a row for the group and one for each member on the source server, in the group's order, and starts the first
 * member. A scheduled move only inserts the row of the group, because its members are determined at the start.
 */
export async function noteGroup(
  db: Db,
  secrets: Secrets,
  by: By,
  { beginsAt, ...wanted }: Wanted & { beginsAt?: string | undefined },
): Promise<Move> {
  const { groupId, ...where } = wanted
  await refuseScheduled(db, groupId)
  const { first, members } = await movable(db, wanted)
  const common = { ...where, sourceGroupId: groupId, domain: first.domain, sourceWebsiteId: first.id }
  if (beginsAt === undefined) return noteMembers(db, secrets, by, common, members)
  const planned = await note(db, secrets, by, { ...common, type: 'group', beginsAt })
  await changed(db, 'moves', planned.id)
  return planned
}

/** Starts a scheduled move of a group that is due, with the present members of the group. */
export async function beginGroup(db: Db, secrets: Secrets, group: Move): Promise<Move> {
  const { sourceGroupId, sourceServerId, targetServerId, targetGroupId, soakHours, withCopies } = group
  if (sourceGroupId === null) throw new Error(`the move ${group.id} has no group`) // the row of a group's move has its group
  const common = { sourceGroupId, sourceServerId, targetServerId, targetGroupId, soakHours, withCopies }
  const { first, members } = await movable(db, { ...common, groupId: sourceGroupId })
  await touch(db, group.id, { status: 'running', domain: first.domain, sourceWebsiteId: first.id, reason: null })
  await noteRows(db, secrets, { id: group.startedById, name: group.startedBy }, group.id, common, members)
  return group
}

/**
 * The members on the source server. Refused with all blockers if one cannot move, so that a group does not end up on
 * two servers.
 */
async function movable(db: Db, { groupId, sourceServerId, targetServerId, withCopies }: Wanted) {
  const members = (await readWebsites(db, await memberIds(db, groupId))).filter(
    ({ serverId }) => serverId === sourceServerId,
  )
  const [first] = members
  if (!first)
    throw refused('No website of this group is on that server', {
      originServerSource: 'None of its websites is on this server',
    })
  const problems: string[] = []
  for (const { id, domain } of members) {
    const { findings } = await check(db, id, targetServerId, { withCopies })
    for (const found of findings) if (found.level === 'blocker') problems.push(textOf(domain, found))
  }
  if (problems.length) throw refused(problems.join('\n'), { originServerTarget: problems.join('\n') })
  return { first, members: members.map(({ id, domain }) => ({ domain, sourceWebsiteId: id })) }
}

async function refuseScheduled(db: Db, groupId: number): Promise<void> {
  const [planned] = await db
    .select({ by: migrations.startedBy, at: migrations.beginsAt })
    .from(migrations)
    .where(and(eq(migrations.sourceGroupId, groupId), eq(migrations.type, 'group'), eq(migrations.status, 'waiting')))
  if (planned) throw conflict(`A move of this group was scheduled by ${planned.by}: cancel that move first`)
}

type Noted = Omit<Parameters<typeof note>[3], 'type'>

/** Inserts the rows of a group's move and starts its first member. `members`: fields that differ per member. */
export async function noteMembers(
  db: Db,
  secrets: Secrets,
  by: By,
  common: Noted,
  members: (Partial<Noted> & Pick<Noted, 'domain' | 'sourceWebsiteId'>)[],
): Promise<Move> {
  const group = await note(db, secrets, by, { ...common, type: 'group', status: 'running' })
  await noteRows(db, secrets, by, group.id, common, members)
  return group
}

type Members = Parameters<typeof noteMembers>[4]

async function noteRows(
  db: Db,
  secrets: Secrets,
  by: By,
  groupMoveId: number,
  common: Omit<Noted, 'domain' | 'sourceWebsiteId'>,
  members: Members,
): Promise<void> {
  for (const [i, member] of members.entries())
    await note(db, secrets, by, { ...common, ...member, type: 'website', parentId: groupMoveId, position: i + 1 })
  await afterMember(db, groupMoveId)
}

/** Called when a member has ended, stopped or resumed: starts the next member and updates the group's row. */
export async function afterMember(tx: Db, groupMoveId: number): Promise<void> {
  await beginNext(tx, groupMoveId)
  await settle(tx, groupMoveId)
}

/** Starts the next member if it was refused for now, as for a lock. `runningMs`: milliseconds since this worker started. */
export async function beginWaiting(tx: Db, groupMoveId: number, runningMs: number): Promise<void> {
  if (await beginNext(tx, groupMoveId, runningMs)) await settle(tx, groupMoveId)
}

/** True if a member has not moved and continues only when people act. */
export const isStopped = ({ status }: Move): boolean => status === 'failed' || status === 'rolled-back'

/**
 * Starts the next waiting member; one runs at a time. If a member has stopped, none starts until people decide. A member
 * that is refused for now stays waiting, and is due at once: each round of scheduled moves tries it again, for an hour.
 * Answers whether a member has changed.
 */
async function beginNext(tx: Db, groupMoveId: number, runningMs = Number.POSITIVE_INFINITY): Promise<boolean> {
  const [group] = await tx.select().from(migrations).where(eq(migrations.id, groupMoveId)).for('update')
  if (!group || group.status === 'paused') return false
  const members = await membersOf(tx, groupMoveId)
  if (members.some((one) => one.status === 'running' || one.status === 'paused' || isStopped(one))) return false
  const next = members.find(({ status }) => status === 'waiting')
  if (!next) return false
  const by = { id: group.startedById, name: group.startedBy }
  const refusal = await tx
    .transaction(async (inner) => {
      await refuseForNow(inner, next)
      await begin(inner, next, by)
      return undefined
    })
    .catch((error: unknown) => {
      if (error instanceof Refusal) return error
      throw error
    })
  if (!refusal) return true
  const beginsAt = next.beginsAt ?? new Date().toISOString()
  const waits = refusal.status === 409 && Math.min(Date.now() - Date.parse(beginsAt), runningMs) < PATIENCE_MS
  const reason = refusal.message
  if (waits && next.reason === reason) return false
  await touch(tx, next.id, waits ? { beginsAt, reason } : { status: 'failed', reason })
  await changed(tx, 'moves', next.id)
  // there is no workflow whose end would notify anybody, and people may have left the screen hours ago
  if (!waits && group.startedById !== null)
    await notify(tx, {
      ...{ to: [group.startedById], reason: 'workflow', level: 'error' },
      title: `The move of the group of ${group.domain} stopped at ${next.domain}`,
      body: reason,
      link: `/website-migrations/${group.id}`,
    })
  return true
}

export const membersOf = (db: Db, groupMoveId: number): Promise<Move[]> =>
  db.select().from(migrations).where(eq(migrations.parentId, groupMoveId)).orderBy(asc(migrations.position))

/** Derives the status of a group's move from its members. */
async function settle(tx: Db, groupMoveId: number): Promise<void> {
  const [group] = await tx.select().from(migrations).where(eq(migrations.id, groupMoveId)).for('update')
  if (!group) return
  const members = await membersOf(tx, group.id)
  const next = statusOf(group, members)
  const some = (status: Move['status'], verb: string) => {
    const found = members.filter((one) => one.status === status).map(({ domain }) => domain)
    return found.length ? [`${found.length} of ${members.length} ${verb}: ${found.join(', ')}`] : []
  }
  const reasons = [...some('failed', 'stopped'), ...some('rolled-back', 'rolled back')]
  await touch(tx, group.id, { ...next, reason: (next.status === 'failed' && reasons.join('; ')) || null })
  await changed(tx, 'moves', group.id)
}

function statusOf(group: Move, members: readonly Move[]): Pick<Move, 'status' | 'endedAt'> {
  const has = (...wanted: Move['status'][]) => members.some(({ status }) => wanted.includes(status))
  const open = (status: Move['status']) => ({ status, endedAt: null })
  if (has('running', 'paused')) return open(group.status === 'paused' ? 'paused' : 'running')
  if (has('failed')) return open('failed')
  // a member was rolled back while others have moved or will move
  if (has('rolled-back') && has('waiting', 'soaking')) return open('failed')
  if (has('waiting')) return open(group.status === 'paused' ? 'paused' : 'running')
  if (has('soaking')) return open('soaking')
  return { status: has('done') ? 'done' : 'rolled-back', endedAt: new Date().toISOString() }
}
