import type { Website } from '@innkeeper/contract/hosting/websites'
import type { ActionStatus, WorkflowStatus } from '@innkeeper/contract/machines/workflows'
import { letPass } from '../../bin/pass.ts'
import { until, untilStill } from '../until.ts'
import type { Calls } from './check.ts'
import { kindOf } from './choose.ts'
import type { Subject } from './kinds.ts'
import type { World } from './world.ts'

const stopped: WorkflowStatus[] = ['done', 'failed', 'rolled-back', 'cancelled']

/** The newest workflow of a kind for a subject, newer than `after`. */
export async function find(world: World, kind: string, subject: Subject, after: number): Promise<number | undefined> {
  const name = kindOf(kind).named?.(subject, world) ?? subject.name
  const [found] = await world.look<{ id: number }>(
    `select workflow_id as id from workflows where kind = $1 and subject_name = $2 and workflow_id > $3
      order by workflow_id desc limit 1`,
    [kind, name, after],
  )
  return found?.id
}

/** Sends the request; if the answer is lost and no workflow started, sends it again. Answers the workflow's id. */
export async function ask(
  world: World,
  kind: string,
  subject: Subject,
  owner: number,
  calls: Calls,
  strike: () => Promise<unknown>,
): Promise<number> {
  const [last] = await world.look<{ id: number }>(`select coalesce(max(workflow_id), 0)::int as id from workflows`)
  const asking = kindOf(kind).ask(world, subject, owner)
  const lost = asking.then(
    () => undefined,
    (error: unknown) => error, // handled below
  )
  await strike()
  const error = await lost
  if (!error) {
    const id = await asking
    const n = kindOf(kind).scheduled ? 0 : 1
    calls.set(id, { acknowledged: n, asked: n })
    return id
  }
  const begun = await until('PostgreSQL answers', async () => ({
    id: await find(world, kind, subject, last?.id ?? 0),
  }))
  if (begun.id) {
    calls.set(begun.id, { acknowledged: 0, asked: 1 })
    return begun.id
  }
  const again = () => kindOf(kind).ask(world, subject, owner)
  const id = await until(`${kind} is accepted after ${error}`, again)
  calls.set(id, { acknowledged: 1, asked: 1 })
  return id
}

/**
 * Waits for the time of the fault: action `k`, modulo the number of actions, has this status or a later one. Answers
 * the current state.
 */
export async function reach(
  world: World,
  id: number,
  k: number,
  status: 'ready' | 'running' | 'done',
): Promise<string> {
  const past: ActionStatus[] = ['done', 'undone', 'skipped', 'failed', 'blocked', 'unknown']
  for (const end = performance.now() + 20_000; performance.now() < end; await letPass(1, 'between two looks')) {
    const rows = await world.look<{ name: string; status: ActionStatus }>(
      `select name, status from actions where workflow_id = $1 order by position`,
      [id],
    )
    if (!rows.length) return 'a plan without an action'
    const action = rows[k % rows.length]
    if (action && (action.status === status || past.includes(action.status))) return `${action.name} ${action.status}`
  }
  return 'nothing: the moment did not come'
}

/** Waits until the workflow has stopped, as long as it moves. Answers its status, and the reason if it failed. */
export async function settle(world: World, id: number): Promise<{ status: WorkflowStatus; reason: string | null }> {
  return untilStill(`workflow ${id} stops`, async () => {
    const [row] = await world.look<{ status: WorkflowStatus; reason: string | null; actions: string }>(
      `select w.status, (select a.reason from actions a where a.workflow_id = w.workflow_id
        and a.status in ('failed', 'blocked') limit 1) as reason,
        (select string_agg(concat_ws(' ', name, status, attempt), ', ' order by action_id) from actions a
          where a.workflow_id = w.workflow_id) as actions
        from workflows w where workflow_id = $1`,
      [id],
    )
    return {
      done: row && stopped.includes(row.status) ? { status: row.status, reason: row.reason } : undefined,
      seen: `${row?.status} ${row?.actions}`,
    }
  })
}

/** Requests a workflow without a fault. Throws unless it is done. */
export async function calmly(
  world: World,
  kind: string,
  subject: Subject,
  calls: Calls,
  { owner = 0 } = {},
): Promise<void> {
  const id = await ask(world, kind, subject, owner, calls, async () => {})
  const { status, reason } = await settle(world, id)
  if (status !== 'done') throw new Error(`Without a fault, ${kind} of ${subject.name} ended as ${status}: ${reason}`)
}

/** The subject as the API shows it; a deleted one by its last known state. */
export async function readWebsite(world: World, domain: string): Promise<Website | undefined> {
  const { Websites } = await world.api.must('GET', `/websites?domain=${domain}`)
  return Websites.find((one: Website) => one.domain === domain)
}
