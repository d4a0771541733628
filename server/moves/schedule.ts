import { eq, sql } from 'drizzle-orm'
import type { App } from '../kit/app/app.ts'
import type { Db } from '../kit/db/db.ts'
import { invalid, type Refusal, refused } from '../kit/http/errors.ts'
import { changed } from '../kit/live/live.ts'
import { eachOf } from '../kit/work/round.ts'
import { beginGroup } from './groups/group.ts'
import { membersOn, refuseKnown } from './plan/known.ts'
import { check } from './plan/preflight.ts'
import { begin, type Move, touch } from './startMove.ts'
import { migrations } from './tables.ts'
import { hold } from './verbs.ts'

const DAY_MS = 86_400_000
const LONGEST_DAYS = 90
/** How long a move that is due waits for a website that another workflow locks. */
const PATIENCE_MS = 3_600_000

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

/** Starts the moves that are due, as the people who scheduled them. */
export async function beginDue(app: App): Promise<number> {
  const { db, secrets } = app
  const due = await db
    .select({ id: migrations.id })
    .from(migrations)
    .where(sql`${migrations.status} = 'waiting' and ${migrations.beginsAt} <= now()`)
    .orderBy(migrations.beginsAt)
    .limit(20)
  await eachOf(
    app,
    'a scheduled move could not begin',
    due,
    async ({ id }) => {
      await lookAtGroup(app, id)
      await db.transaction(async (tx) => {
        const move = await hold(tx, id)
        if (!isDue(move)) return
        if (move.type === 'group') await beginGroup(tx, secrets, move)
        else await begin(tx, move, { id: move.startedById, name: move.startedBy })
      })
    },
    {
      refused: ({ id }, why) => db.transaction((tx) => postpone(tx, id, why)),
      failed: ({ id }) => db.transaction((tx) => postpone(tx, id, internal)),
    },
  )
  return due.length
}

/** Refuses a due move of a group while its servers report a reason. The first action of a website's move looks itself. */
async function lookAtGroup(app: App, id: number): Promise<void> {
  const [move] = await app.db.select().from(migrations).where(eq(migrations.id, id))
  if (move?.type !== 'group' || move.sourceGroupId === null || !isDue(move)) return
  const { sourceGroupId, sourceServerId, targetServerId, withCopies } = move
  const members = await membersOn(app, sourceGroupId, sourceServerId)
  await refuseKnown(app, members, { targetServerId, withCopies, field: 'originServerTarget' })
}

const isDue = ({ status, beginsAt }: Move) =>
  status === 'waiting' && beginsAt !== null && Date.parse(beginsAt) <= Date.now()

/**
 * A move waits while another workflow locks its website, or a website of its group. Any other problem fails the move with
 * its reason.
 */
async function postpone(tx: Db, id: number, { status, message }: Pick<Refusal, 'status' | 'message'>): Promise<void> {
  const move = await hold(tx, id)
  if (!isDue(move)) return
  const late = Date.now() - Date.parse(move.beginsAt ?? '')
  const waits = (status === 409 || move.type === 'group') && late < PATIENCE_MS
  if (waits && move.reason === message) return
  await touch(tx, id, { status: waits ? 'waiting' : 'failed', reason: message })
  await changed(tx, 'moves', id)
}
