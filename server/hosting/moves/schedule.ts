import { and, eq, inArray, sql } from 'drizzle-orm'
import { holdersOf } from '../../access/notifications/holders.ts'
import { notify } from '../../access/notifications/notify.ts'
import { peopleWith } from '../../access/rights/reach.ts'
import type { App } from '../../kit/app/app.ts'
import { inParallel } from '../../kit/app/inParallel.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { conflict, invalid, Refusal, refused } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { eachOf } from '../../kit/work/round.ts'
import { servers } from '../../machines/servers/tables.ts'
import { memberIds } from '../groups/view.ts'
import { websites } from '../websites/tables.ts'
import { beginGroup, beginWaiting } from './groups/group.ts'
import { PATIENCE_MS, refuseForNow } from './plan/forNow.ts'
import { membersOn, refuseKnown } from './plan/known.ts'
import { check } from './plan/preflight.ts'
import { begin, type Move, touch } from './startMove.ts'
import { migrations } from './tables.ts'
import { cancel, hold } from './verbs.ts'

const DAY_MS = 86_400_000
const LONGEST_DAYS = 90
/** Pairs of servers whose due moves begin side by side. */
const LINES = 20

export function checkTime(beginsAt: string): void {
  const ahead = Date.parse(beginsAt) - Date.now()
  if (ahead <= 0) throw invalid({ beginsAt: 'In the past' })
  if (ahead > LONGEST_DAYS * DAY_MS) throw invalid({ beginsAt: `At most ${LONGEST_DAYS} days ahead` })
}

/** Runs the checks of the start already when a move is scheduled, so that people see blockers at once. */
export async function checkSchedule(db: Db, move: Move, beginsAt: string): Promise<void> {
  checkTime(beginsAt)
  const into = { account: move.targetUserId ?? undefined, parentId: null }
  const { findings } = await check(db, move.sourceWebsiteId, move.targetServerId, {
    into,
    withCopies: move.withCopies,
  })
  const blockers = findings.filter(({ level }) => level === 'blocker').map(({ text }) => text)
  if (blockers.length) throw refused(blockers.join('\n'), { targetServerId: blockers.join('\n') })
}

const internal = { status: 500, message: 'Internal error: the log of Innkeeper has the reason' }

/**
 * Starts the moves that are due, as the people who scheduled them. `runningMs`: milliseconds since this worker started.
 */
export async function beginDue(app: App, runningMs = Number.POSITIVE_INFINITY): Promise<number> {
  const { db } = app
  const due = await db
    .select({
      id: migrations.id,
      parentId: migrations.parentId,
      between: sql<string>`source_server_id || ' ' || target_server_id`,
    })
    .from(migrations)
    .where(sql`${migrations.status} = 'waiting' and ${migrations.beginsAt} <= now()`)
    .orderBy(migrations.beginsAt)
  // moves between two servers wait for each other: a server that answers slowly delays only its own
  const lines = [...Map.groupBy(due, ({ between }) => between).values()]
  await inParallel(lines, LINES, (line) =>
    eachOf(app, 'a scheduled move could not begin', line, (one) => beginOne(app, one, runningMs), {
      refused: ({ id }, why) => db.transaction((tx) => postpone(tx, id, why, runningMs)),
      failed: ({ id }) => db.transaction((tx) => postpone(tx, id, internal, runningMs)),
    }),
  )
  return due.length
}

async function beginOne(app: App, { id, parentId }: Pick<Move, 'id' | 'parentId'>, runningMs: number): Promise<void> {
  const { db, secrets } = app
  if (parentId !== null) return db.transaction((tx) => beginWaiting(tx, parentId, runningMs))
  if (await db.transaction((tx) => endDeleted(tx, id))) return
  await askServers(app, id)
  await db.transaction(async (tx) => {
    const move = await hold(tx, id)
    if (!isDue(move)) return
    await refuseUnlessAllowed(tx, move)
    if (move.type === 'group') await beginGroup(tx, secrets, move)
    else {
      await refuseForNow(tx, move)
      await begin(tx, move, { id: move.startedById, name: move.startedBy })
    }
  })
}

/**
 * Ends the scheduled move of a website that was deleted meanwhile, or of a group that has no website on the old server any
 * more. True if the move has ended.
 */
async function endDeleted(tx: Db, id: number): Promise<boolean> {
  const move = await hold(tx, id)
  if (!isDue(move)) return false
  const reason = move.type === 'group' ? await emptyGroup(tx, move) : await deleted(tx, move)
  if (reason === undefined) return false
  await cancel(tx, move, reason)
  await notifyOfMove(tx, move, reason)
  return true
}

async function deleted(tx: Db, { sourceWebsiteId, domain }: Move): Promise<string | undefined> {
  const [website] = await tx.select().from(websites).where(eq(websites.id, sourceWebsiteId))
  return website?.deletedAt === null ? undefined : `${domain} was deleted before the move began`
}

async function emptyGroup(tx: Db, { sourceGroupId, sourceServerId }: Move): Promise<string | undefined> {
  const members = sourceGroupId === null ? [] : await memberIds(tx, sourceGroupId)
  if (!members.length) return 'All websites of the group were deleted or left the group before the move began'
  const [there] = await tx
    .select({ id: websites.id })
    .from(websites)
    .where(and(inArray(websites.id, members), eq(websites.serverId, sourceServerId)))
    .limit(1)
  if (there) return undefined
  const [source] = await tx.select({ name: servers.name }).from(servers).where(eq(servers.id, sourceServerId))
  return `No website of the group was on ${source?.name} any more when the move was due`
}

/**
 * Throws 409 with what the servers report against a due move, so that the move waits: for a server that is offline, for a
 * website that answers an error. Once a workflow has started, it would keep the website locked until people act.
 */
async function askServers(app: App, id: number): Promise<void> {
  const [move] = await app.db.select().from(migrations).where(eq(migrations.id, id))
  if (!move || !isDue(move)) return
  const { type, sourceWebsiteId, sourceGroupId, sourceServerId, targetServerId, withCopies } = move
  const members =
    type === 'website' || sourceGroupId === null
      ? [sourceWebsiteId]
      : await membersOn(app, sourceGroupId, sourceServerId)
  const into = { account: move.targetUserId ?? undefined, parentId: null }
  try {
    await refuseKnown(app, members, {
      ...{ targetServerId, withCopies, field: 'targetServerId', canWait: true },
      ...(type === 'website' && { into }),
    })
  } catch (error) {
    throw error instanceof Refusal ? conflict(error.message) : error
  }
}

/** Refuses the start of a scheduled move if the person who scheduled it has left or may not move websites any more. */
async function refuseUnlessAllowed(tx: Db, { type, startedById, startedBy }: Move): Promise<void> {
  if (startedById === null) return
  const scope =
    type === 'group' ? sql`'{website:group:migrate,website:migrations:create}'` : sql`'{website:migrations:create}'`
  const [may] = await rows(
    tx,
    sql`select from ${peopleWith('now')} p where p.user_id = ${startedById} and p.deleted_at is null
      and (p.is_admin or p.scopes && ${scope}::text[])`,
  )
  if (!may)
    throw refused(`${startedBy} scheduled this move and may not move websites any more. Schedule the move again`)
}

const isDue = ({ status, beginsAt }: Move) =>
  status === 'waiting' && beginsAt !== null && Date.parse(beginsAt) <= Date.now()

/**
 * A move waits while another workflow locks its website, or a website of its group, and while its servers report a
 * problem. Any other problem fails the move with its reason. The hour of patience does not pass while Innkeeper is down:
 * after a start the agents need some seconds to report.
 */
async function postpone(
  tx: Db,
  id: number,
  { status, message }: Pick<Refusal, 'status' | 'message'>,
  runningMs: number,
): Promise<void> {
  const move = await hold(tx, id)
  if (!isDue(move)) return
  const late = Math.min(Date.now() - Date.parse(move.beginsAt ?? ''), runningMs)
  const waits = (status === 409 || move.type === 'group') && late < PATIENCE_MS
  if (waits && move.reason === message) return
  await touch(tx, id, { status: waits ? 'waiting' : 'failed', reason: message })
  await changed(tx, 'moves', id)
  if (!waits) await notifyOfMove(tx, move, message)
}

/** Notifies the person who scheduled a move, and everybody who may change it: nobody watches a scheduled move. */
async function notifyOfMove(tx: Db, move: Move, body: string): Promise<void> {
  const others = await holdersOf(tx, 'website:migrations:update')
  await notify(tx, {
    to: move.startedById === null ? others : [move.startedById, ...others],
    reason: 'workflow',
    level: 'error',
    title: `The scheduled move of ${move.type === 'group' ? 'the group of ' : ''}${move.domain} did not begin`,
    body,
    link: `/website-migrations/${move.id}`,
  })
}
