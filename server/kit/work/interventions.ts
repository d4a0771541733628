import { type ActionStatus, type ActionType, askedFor } from '@innkeeper/contract/machines/workflows'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../db/db.ts'
import { conflict, notFound, refused } from '../http/errors.ts'
import { noWayBack } from './action.ts'
import { advance, LEFT_OUT, rollBack } from './workflow.ts'

/** An intervention in a stopped workflow, at one of its actions. */
export interface Ask {
  workflowId: number
  actionId: number
  actionType: ActionType
  /** The requested state; has to match the verb. */
  status?: ActionStatus | undefined
  /** Required for skip and done. */
  reason?: string | undefined
  /** Version of the workflow that the caller saw. */
  version?: number | undefined
  /** Name of the caller. */
  by: string
}
interface Row {
  id: number
  name: string
  title: string
  position: number
  status: ActionStatus
}

/**
 * Applies an intervention in the caller's transaction. Each verb changes rows; advance() does the rest. 404 unknown,
 * 409 running, ended or changed meanwhile, 422 if the verb does not apply.
 */
export async function act(tx: Db, ask: Ask): Promise<void> {
  const { workflowId, actionType, status } = ask
  if (status && status !== askedFor[actionType])
    throw refused(`${actionType} leads to ${askedFor[actionType]}, not to ${status}`, {
      status: `Not of ${actionType}`,
    })
  const [workflow] = await rows<{ version: number; status: string; undo: boolean; paused: boolean; ended: boolean }>(
    tx,
    sql`select version, status, undo, paused, ended_at is not null as ended from workflows
      where workflow_id = ${workflowId} for update`,
  )
  if (!workflow) throw notFound('workflow', workflowId)
  // locked, so that nobody claims an action between this read and the change
  const actions = await rows<Row>(
    tx,
    sql`select action_id::float8 as id, name, title, position, status from actions where workflow_id = ${workflowId}
      order by action_id for update`,
  )
  const target = actions.find((a) => a.id === ask.actionId)
  if (!target) throw notFound('action', ask.actionId)
  if (ask.version !== undefined && ask.version !== workflow.version)
    throw conflict(`Somebody else was first: it is ${workflow.status} now, version ${workflow.version}`)
  if (workflow.ended) throw conflict(`The workflow has ended: ${workflow.status}`)
  const running = actions.find((a) => a.status === 'running')
  if (running) throw conflict(`${running.title} is running`)

  await verbs[actionType](tx, { ...ask, target, actions, undo: workflow.undo, paused: workflow.paused })
  await tx.execute(sql`update workflows set version = version + 1, paused = false where workflow_id = ${workflowId}`)
  await advance(tx, [workflowId])
}

interface Task extends Ask {
  target: Row
  actions: Row[]
  undo: boolean
  paused: boolean
}

const change = (tx: Db, { target }: Task, what: SQL) =>
  tx.execute(sql`update actions set ${what} where action_id = ${target.id}`)

function expect({ target, actionType }: Task, ...statuses: ActionStatus[]): void {
  if (statuses.includes(target.status)) return
  throw conflict(`${target.title} is ${target.status}: ${actionType} is for what is ${statuses.join(', ')}`)
}
function owed({ reason, actionType }: Task): string {
  if (reason) return reason
  throw refused(`Say why it is ${actionType === 'skip' ? 'skipped' : 'done'}`, { reason: 'Required' })
}

function refuseLoss(actions: readonly Row[]): void {
  const why = noWayBack(actions)
  if (why) throw conflict(why)
}

const verbs: Record<ActionType, (tx: Db, task: Task) => Promise<void>> = {
  async retry(tx, task) {
    expect(task, 'failed', 'blocked')
    // blocked: the effect of the last attempt is unknown, so inspect before running again
    await change(tx, task, sql`status = case status when 'blocked' then 'unknown' else 'ready' end, ready_at = now()`)
  },

  async 'retry-from'(tx, { workflowId, target, actions, undo, paused }) {
    if (undo) throw refused('The workflow is being rolled back: a retry continues the roll back')
    const open = actions.find((a) => a.position < target.position && !['done', 'skipped'].includes(a.status))
    if (open) throw refused(`${open.title} comes before it and is ${open.status}: retry from there, or settle it first`)
    refuseLoss(actions.filter(({ position }) => position >= target.position))
    const next = actions.find(({ status }) => status === 'pending')
    // what waits for people waits for them again: earlier steps are repeated up to the pause
    if (paused && next && next.position > target.position)
      await tx.execute(
        sql`update workflows set pause_at = coalesce(pause_at, ${next.position}) where workflow_id = ${workflowId}`,
      )
    await tx.execute(sql`update actions set status = 'pending', reason = null where workflow_id = ${workflowId}
      and position >= ${target.position} and not (status = 'skipped' and reason = ${LEFT_OUT})`)
  },

  async skip(tx, task) {
    expect(task, 'failed', 'blocked', 'unknown', 'ready')
    await change(
      tx,
      task,
      sql`status = 'skipped', reason = ${`skipped by ${task.by}: ${owed(task)}`}, ended_at = now()`,
    )
  },

  async done(tx, task) {
    expect(task, 'failed', 'blocked', 'unknown')
    const reason = `said to be done by ${task.by}: ${owed(task)}`
    await change(
      tx,
      task,
      sql`status = case task when 'undo' then 'undone' else 'done' end, reason = ${reason}, ended_at = now()`,
    )
  },

  async resume(_, task) {
    if (!task.paused) throw conflict('The workflow is not paused')
    expect(task, 'pending')
  },

  async rollback(tx, { workflowId, actions, undo, by, reason }) {
    if (undo) throw conflict('The workflow is being rolled back already')
    refuseLoss(actions)
    await rollBack(tx, workflowId, `rolled back by ${by}${reason ? `: ${reason}` : ''}`)
  },
}
