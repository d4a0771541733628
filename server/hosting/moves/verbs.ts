import { phaseOf } from '@innkeeper/contract/hosting/moves/phaseOf'
import { type MigrationStatus, phases } from '@innkeeper/contract/hosting/moves/shapes'
import { eq, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import type { Context } from '../../kit/http/api.ts'
import { conflict, notFound } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { act } from '../../kit/work/interventions.ts'
import { workflows } from '../../kit/work/tables.ts'
import { pause, resume } from '../../kit/work/workflow.ts'
import { readWorkflow } from '../../machines/workflows/read.ts'
import { afterMember } from './groups/group.ts'
import { retire } from './soak.ts'
import { begin, type Move, note, touch } from './startMove.ts'
import { migrations } from './tables.ts'

export interface Task extends Pick<Context, 'db' | 'app' | 'staff'> {
  move: Move
  reason: string | undefined
}
export type Verbs = Record<'pause' | 'resume' | 'rollback' | 'retire', (task: Task) => Promise<Move>>

export const verbs: Verbs = {
  async pause({ db, move }) {
    const workflowId = expect(move, 'running')
    const { actions } = await readWorkflow(db, workflowId)
    const at = actions.find(({ status }) => status === 'running' || status === 'ready')
    const phase = at && phases.indexOf(phaseOf(at))
    if (phase !== undefined && phase >= phases.indexOf('freeze') && phase <= phases.indexOf('proxy'))
      throw conflict('Visitors are waiting: the move can only complete or be rolled back')
    if (!(await pause(db, workflowId))) throw conflict('The move is paused or over already')
    return set(db, move, { status: 'paused' })
  },
  async resume({ db, move }) {
    if (!(await resume(db, expect(move, 'paused')))) throw conflict('The move is running already')
    return set(db, move, { status: 'running' })
  },
  async rollback(task) {
    const { db, app, staff, move } = task
    if (move.status === 'soaking') {
      const noted = await note(db, app.secrets, staff, { ...(await returnOf(db, move)), type: 'website' })
      return begin(db, noted, staff)
    }
    if (move.workflowId === null) return cancel(db, move, `given up by ${staff.name}`)
    expect(move, 'running', 'paused', 'failed')
    await rollBackWorkflow(task)
    return hold(db, move.id)
  },
  async retire({ db, app, staff, move }) {
    expect(move, 'soaking')
    await retire(db, move, staff, app.settings.trashDays)
    return hold(db, move.id)
  },
}

/** The row of a move back to the source server. */
export async function returnOf(db: Db, move: Move) {
  const sites = move.sites.map(({ from, to, formerly: _, ...site }) => ({ ...site, from: to, to: from }))
  // stop the scheduled retirement: it would remove the files that the move goes back to
  await touch(db, move.id, { soakUntil: null })
  return {
    domain: move.domain,
    sourceWebsiteId: move.sourceWebsiteId,
    sourceGroupId: move.targetGroupId ?? move.sourceGroupId,
    sourceServerId: move.targetServerId,
    targetServerId: move.sourceServerId,
    targetGroupId: move.targetGroupId === null ? null : move.sourceGroupId,
    targetUserId: sites[0]?.to.systemUserId ?? null,
    soakHours: move.soakHours,
    withCopies: move.withCopies,
    reverseOf: move.id,
    sites,
  }
}

/** Cancels a move that has not started. */
export async function cancel(db: Db, move: Move, reason: string): Promise<Move> {
  if (move.status !== 'waiting' && move.status !== 'failed')
    throw conflict(`The move of ${move.domain} is ${move.status}`)
  await set(db, move, { status: 'rolled-back', reason, endedAt: new Date().toISOString() })
  if (move.parentId !== null) await afterMember(db, move.parentId)
  return hold(db, move.id)
}

export async function rollBackWorkflow({ db, staff, move, reason }: Task): Promise<void> {
  const [first] = await actionsOf(db, move)
  await act(db, {
    ...{ workflowId: move.workflowId ?? -1, actionId: first?.id ?? -1 },
    ...{ actionType: 'rollback', by: staff.name, reason },
  })
}

/** Retries the action at which a move stopped. */
export async function retryStopped({ db, staff, move }: Omit<Task, 'reason'>): Promise<void> {
  const stopped = (await actionsOf(db, move)).find(({ status }) => status === 'failed' || status === 'blocked')
  if (!stopped || move.workflowId === null) return
  await act(db, { workflowId: move.workflowId, actionId: stopped.id, actionType: 'retry', by: staff.name })
}

const actionsOf = (db: Db, { workflowId }: Move) =>
  rows<{ id: number; status: string }>(
    db,
    sql`select action_id::float8 as id, status from actions where workflow_id = ${workflowId} order by position`,
  )

function expect(move: Move, ...statuses: MigrationStatus[]): number {
  if (!statuses.includes(move.status)) throw conflict(`The move of ${move.domain} is ${move.status}`)
  if (move.workflowId === null)
    throw conflict(`The move of ${move.domain} has not started: roll it back, or resume its group`)
  return move.workflowId
}

export async function set(db: Db, move: Move, values: Parameters<typeof touch>[2]): Promise<Move> {
  await touch(db, move.id, values)
  await changed(db, 'moves', move.id)
  return hold(db, move.id)
}

/**
 * Locks the move's row until the transaction ends. The workflow's row is locked first, as everywhere, to avoid
 * deadlocks.
 */
export async function hold(db: Db, id: number): Promise<Move> {
  const [seen] = await db.select({ workflowId: migrations.workflowId }).from(migrations).where(eq(migrations.id, id))
  if (!seen) throw notFound('migration', id)
  if (seen.workflowId !== null) await db.select().from(workflows).where(eq(workflows.id, seen.workflowId)).for('update')
  const [move] = await db.select().from(migrations).where(eq(migrations.id, id)).for('update')
  if (!move) throw notFound('migration', id)
  return move
}
