import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import { sinceText } from '../app/sinceText.ts'
import { type Db, rows } from '../db/db.ts'
import { keptRows, writing } from '../db/driver/prepared.ts'
import { conflict, refused } from '../http/errors.ts'
import { changed, changedBy, changedEach } from '../live/live.ts'
import { parentNow } from '../trace/actions.ts'
import type { PlanStep, Resource } from './action.ts'
import { workflows } from './tables.ts'

export type Workflow = typeof workflows.$inferSelect
/** Outcome of a workflow; `running`: it continues after a failure or a pause. */
export type Outcome = 'running' | 'failed' | 'done' | 'rolled-back'
type Hook = (tx: Db, workflow: Workflow, outcome: Outcome) => Promise<void>
type PauseHook = (tx: Db, workflow: Workflow) => Promise<void>

export interface Start {
  kind: string
  /** Subject of the workflow with its display name: `{ type: 'website', id: 12, name: 'shop.example' }`. */
  subject: Resource
  /** Display name of the user who started it. */
  holder: string
  startedById: number | null
  /** Idempotency key of the caller: a repeated start returns the same workflow. */
  request?: string
  plan: PlanStep[]
  /** Names of steps that the user excluded. */
  exclude?: string[]
  /** Resources to lock for other workflows, as `website:12`. */
  locks: string[]
  /** After this number of steps the workflow pauses until somebody resumes it. */
  pauseAfter?: number | undefined
}

export const LEFT_OUT = 'left out in the form'
interface KindWords {
  title: string
  doing: string
  /** What people lose by a roll back, for the question before it. */
  undoLoses?: string
  /**
   * A stopped workflow of this kind leaves its subject between two states. It cannot be cancelled: the subject can be
   * deleted only after the workflow is done or rolled back.
   */
  stopsHalfway?: true
  /**
   * A workflow of this kind waits in line behind a running workflow that holds its locks, instead of being refused. Its plan
   * stays right whether the workflow in front succeeds or is rolled back.
   */
  queues?: true
  /** Changes that queue may also wait behind workflows of this kind: they do not contradict it. */
  letsQueue?: true
}
const kinds = new Map<string, KindWords>()
const hooks = new Map<string, Hook>()
const pauseHooks = new Map<string, PauseHook>()
const watchers: { hook: Hook; types?: readonly string[] }[] = []
type Judge = (tx: Db, workflow: Workflow) => Promise<boolean>
const automaticRollbacks = new Map<string, Judge>()

/** Texts for a kind: its title, as `Create website`, and for conflicts on its lock, as `being created`. */
export function describe(kind: string, words: KindWords): void {
  kinds.set(kind, words)
}
/** All kinds that this version can start. */
export const knownKinds = (): string[] => [...kinds.keys()].sort()
export const stopsHalfway = (kind: string): boolean => kinds.get(kind)?.stopsHalfway ?? false
/** Whether a workflow of this kind may wait behind the holder of its locks. */
const mayWait = (kind: string, held: Held): boolean => {
  const { queues, letsQueue } = kinds.get(held.kind) ?? {}
  return Boolean(kinds.get(kind)?.queues && (queues || letsQueue)) && held.status === 'running' && !held.paused
}
export const undoLoses = (kind: string): string | undefined => kinds.get(kind)?.undoLoses
export const titleOf = (kind: string): string => kinds.get(kind)?.title ?? kind

/** Registers a hook that runs in the transaction in which a workflow of this kind ends, fails or continues. */
export function onEnd(kind: string, hook: Hook): void {
  if (hooks.has(kind)) throw new Error(`${kind} has its hook already`)
  hooks.set(kind, hook)
}

/**
 * Registers a hook that runs in the transaction in which a workflow of this kind reaches its planned pause: what says that the
 * workflow waits for people is never seen before people can resume it.
 */
export const onPlannedPause = (kind: string, hook: PauseHook): void => void pauseHooks.set(kind, hook)

/** Registers a hook for workflows of every kind. */
export const onAnyEnd = (hook: Hook): void => void watchers.push({ hook })

/** Registers a hook for workflows of every kind that have an action on a resource of one of these types. */
export const onEndTouching = (types: readonly string[], hook: Hook): void => void watchers.push({ hook, types })

/**
 * A failed workflow of this kind is rolled back without waiting for people if `judge` returns true, for example because
 * a website must not stay closed until somebody reads a notification.
 */
export function rollBackWhen(kind: string, judge: Judge): void {
  if (automaticRollbacks.has(kind)) throw new Error(`${kind} has its judge already`)
  automaticRollbacks.set(kind, judge)
}

/**
 * Starts a workflow in the caller's transaction and returns its id. If another workflow holds one of its locks, a workflow of
 * a kind that queues waits behind the other one; any other kind throws 409, which names the holder.
 */
export async function start(tx: Db, wanted: Start): Promise<number> {
  const { kind, subject, holder, startedById, request, plan } = wanted
  const [made] = await insertWorkflow(tx).execute({
    kind,
    subjectType: subject.type,
    subjectId: subject.id,
    subjectName: subject.name,
    holder,
    startedById,
    request: request ?? null,
    pauseAt: wanted.pauseAfter === undefined ? null : wanted.pauseAfter + 1,
    trace: parentNow(),
  })
  if (!made) {
    const [same] = await tx
      .select({ id: workflows.id })
      .from(workflows)
      .where(eq(workflows.request, request ?? ''))
    if (!same) throw conflict('Just started by somebody else. Ask again.')
    return same.id
  }
  const held = await tryLocks(tx, made.id, holder, wanted.locks)
  const contradicted = held.find((one) => !mayWait(kind, one))
  if (contradicted) throw refusalOf(contradicted)
  if (held.length) await tx.update(workflows).set({ queuedFor: wanted.locks }).where(eq(workflows.id, made.id))
  const leftOut = readExclusions(plan, wanted.exclude ?? [])
  if (plan.length) await insertActions(tx, made.id, wanted, leftOut)
  await advance(tx, [made.id])
  return made.id
}

const insertWorkflow = writing((tx) =>
  tx
    .insert(workflows)
    .values({
      kind: sql.placeholder('kind'),
      subjectType: sql.placeholder('subjectType'),
      subjectId: sql.placeholder('subjectId'),
      subjectName: sql.placeholder('subjectName'),
      holder: sql.placeholder('holder'),
      startedById: sql.placeholder('startedById'),
      request: sql.placeholder('request'),
      pauseAt: sql.placeholder('pauseAt'),
      trace: sql.placeholder('trace'),
    })
    .onConflictDoNothing({ target: workflows.request })
    .returning({ id: workflows.id })
    .prepare('insert_workflow'),
)

/**
 * Inserts the actions of a plan, and for a website the newest action of each of its resources, in one statement whose
 * text is the same for every number of steps.
 */
async function insertActions(
  tx: Db,
  workflowId: number,
  { plan, subject }: Start,
  leftOut: Set<string>,
): Promise<void> {
  const steps = plan.map(({ name, title, what, resource, input, lane, serverId }) => ({
    ...{ name, title, what, input, lane, server_id: serverId },
    ...{ resource_type: resource.type, resource_id: resource.id, resource_name: resource.name },
    ...(leftOut.has(name) ? { status: 'skipped', reason: LEFT_OUT } : { status: 'pending' }),
  }))
  const websiteId = subject.type === 'website' ? subject.id : null
  await keptRows(
    tx,
    sql`with planned as (insert into actions (workflow_id, position, name, title, what, resource_type, resource_id, resource_name,
        input, lane, server_id, status, reason)
      select ${workflowId}::int, position, name, title, what, resource_type, resource_id, resource_name, input, lane, server_id, status, reason
      from rows from (jsonb_to_recordset(${JSON.stringify(steps)}::jsonb) as (name text, title text, what text, resource_type text,
        resource_id int, resource_name text, input jsonb, lane text, server_id int, status text, reason text)) with ordinality
        as steps (name, title, what, resource_type, resource_id, resource_name, input, lane, server_id, status, reason, position)
      returning action_id, workflow_id, server_id, resource_type, resource_id, ${websiteId}::int as website_id)
    ${insertLatest(sql`planned where website_id is not null`)}`,
  )
}

/**
 * Writes the newest action per resource of websites. `actions` has `website_id` beside the columns of an action. Rows are
 * written in the order of the key, so that two transactions cannot deadlock.
 */
export const insertLatest = (actions: SQL): SQL =>
  sql`insert into latest_actions (resource_type, resource_id, action_id, workflow_id, website_id, server_id)
    select distinct on (resource_type, resource_id) resource_type, resource_id, action_id, workflow_id, website_id, server_id
    from ${actions} order by resource_type, resource_id, action_id desc
    on conflict (resource_type, resource_id) do update set action_id = excluded.action_id, workflow_id = excluded.workflow_id,
      website_id = excluded.website_id, server_id = excluded.server_id where latest_actions.action_id < excluded.action_id`

function readExclusions(plan: PlanStep[], names: string[]): Set<string> {
  for (const name of names) {
    const steps = plan.filter((planned) => planned.name === name)
    const problem = steps.length ? `${steps[0]?.title} cannot be left out` : `${name} is not in the plan`
    if (!steps.length || steps.some((planned) => !planned.optional)) throw refused(problem, { excludeActions: problem })
  }
  return new Set(names)
}

/** The holder of a taken lock. */
interface Held {
  kind: string
  name: string
  holder: string
  since: string
  status: string
  paused: boolean
}

/** Locks resources until the workflow ends; 409 names the holder of a taken lock. */
export async function takeLocks(tx: Db, workflowId: number, holder: string, locks: string[]): Promise<void> {
  const [held] = await tryLocks(tx, workflowId, holder, locks)
  if (held) throw refusalOf(held)
}

/**
 * Locks all resources, or none: then answers the holders, whose locks cannot end before this transaction. Sorted, so that
 * two workflows that need the same locks cannot deadlock.
 */
export async function tryLocks(tx: Db, workflowId: number, holder: string, locks: string[]): Promise<Held[]> {
  const wanted = [...new Set(locks)].sort()
  if (!wanted.length) return []
  const taken = await keptRows(
    tx,
    sql`insert into resource_locks (resource, workflow_id, holder)
      select resource, ${workflowId}::int, ${holder}::text from unnest(${sql.param(wanted)}::text[]) as resource
      on conflict do nothing returning resource`,
  )
  if (taken.length === wanted.length) return []
  await tx.execute(sql`delete from resource_locks where workflow_id = ${workflowId}`)
  const others = await rows<Held>(
    tx,
    sql`select w.kind, w.subject_name as name, l.holder, w.started_at as since, w.status, w.paused from resource_locks l
      join workflows w on w.workflow_id = l.workflow_id
      where l.resource in ${wanted} order by l.resource for share of l skip locked`,
  )
  if (!others.length) throw conflict('Released a moment ago. Ask again.')
  return others
}

function refusalOf(other: Held): Error {
  const doing = kinds.get(other.kind)?.doing ?? `held for ${other.kind}`
  const stopped = other.status === 'failed' ? '; that stopped and waits for somebody' : ''
  return conflict(`${other.name} is ${doing} by ${other.holder} since ${sinceText(other.since)}${stopped}`)
}

/** More moved workflows than this number are announced as one change of the list. */
const MOST_TOLD = 8
/** Notifies open screens of moved workflows. */
export const tellMoved = (db: Db, ids: number[]): Promise<void> =>
  ids.length > MOST_TOLD ? changed(db, 'workflows') : changedEach(db, 'workflows', ids)
/** Like `tellMoved`, for the select list of a statement that moves the workflow `id` of each row of `moved`. */
export const movedBy = (moved: SQL, id: SQL): SQL =>
  changedBy('workflows', sql`case when (select count(*) from ${moved}) <= ${sql.raw(String(MOST_TOLD))} then ${id} end`)

/**
 * Pauses a workflow in the caller's transaction: running actions end, no further action starts. Returns false if the
 * workflow has ended or is paused.
 */
export async function pause(tx: Db, id: number): Promise<boolean> {
  const [paused] = await rows(
    tx,
    sql`update workflows set paused = true, version = version + 1
      where workflow_id = ${id} and ended_at is null and not paused returning workflow_id`,
  )
  if (!paused) return false
  await tx.execute(sql`update actions set status = 'pending' where workflow_id = ${id} and status = 'ready'`)
  await advance(tx, [id])
  return true
}

/**
 * Pauses and also ends the running action: the agent stops it at its next report, and its answer no longer counts. A
 * resumed workflow starts the action again. Only for kinds whose actions may be repeated.
 */
export async function stop(tx: Db, id: number): Promise<boolean> {
  await takeBack(tx, id)
  return pause(tx, id)
}

/** Ends the running action and rolls back. Returns false if the workflow has ended or is already being rolled back. */
export async function cancel(tx: Db, id: number, by: string): Promise<boolean> {
  const [open] = await rows(
    tx,
    sql`select workflow_id from workflows where workflow_id = ${id} and ended_at is null and not undo for update`,
  )
  if (!open) return false
  await takeBack(tx, id)
  await rollBack(tx, id, `cancelled by ${by}`)
  return true
}

async function takeBack(tx: Db, id: number): Promise<void> {
  await tx.execute(sql`select from workflows where workflow_id = ${id} for update`)
  await tx.execute(sql`update actions a set status = 'pending', lease_until = null, ended_at = now(), reason = 'stopped'
    from workflows w where w.workflow_id = ${id} and a.workflow_id = ${id} and not w.undo and a.status in ('running', 'unknown')`)
}

/** Resumes a paused workflow. Returns false if it is not paused. */
export async function resume(tx: Db, id: number): Promise<boolean> {
  const [resumed] = await rows(
    tx,
    sql`update workflows set paused = false, version = version + 1
      where workflow_id = ${id} and ended_at is null and paused returning workflow_id`,
  )
  if (resumed) await advance(tx, [id])
  return resumed !== undefined
}

/**
 * The only function that changes the state of workflows. It derives the state from the rows, so that callers may change
 * the rows first. The caller holds the row locks of the workflows; nobody else can see a new workflow yet.
 */
export async function advance(tx: Db, ids: number[]): Promise<void> {
  if (!ids.length) return
  const moved = await keptRows<{ id: number; kind: string; status: Outcome | 'waiting'; planned: boolean | null }>(
    tx,
    sql`with open as (select workflow_id, undo, paused, pause_at, queued_for from workflows where workflow_id = any(${sql.param([...ids])}::int[]) and ended_at is null),
      seen as (select open.*, busy, position from open cross join lateral (
        select max(status) filter (where status in ('ready', 'running', 'failed', 'blocked', 'unknown')) as busy, -- there is at most one
          case when open.undo then max(position) filter (where status = 'pending')
            else min(position) filter (where status = 'pending') end as position
        from actions a where a.workflow_id = open.workflow_id) found),
      judged as (select *, case when busy in ('failed', 'blocked') then 'failed' when busy is not null then 'running'
          when position is null then case when undo then 'rolled-back' else 'done' end
          when paused or not undo and (queued_for is not null or position >= pause_at) then 'waiting' else 'running' end as status from seen),
      readied as (update actions a set status = 'ready', ready_at = now(), task = case when j.undo then 'undo' else 'run' end
        from judged j where a.workflow_id = j.workflow_id and a.position = j.position and j.busy is null and j.status = 'running'),
      freed as (delete from resource_locks l using judged j
        where l.workflow_id = j.workflow_id and j.status in ('done', 'rolled-back'))
      update workflows w set status = j.status, version = w.version + 1,
        paused = w.paused or j.status = 'waiting' and w.queued_for is null,
        pause_at = case when j.status = 'waiting' and w.queued_for is null and j.position >= j.pause_at then null else w.pause_at end,
        ended_at = case when j.status in ('done', 'rolled-back') then now() end
      from judged j where w.workflow_id = j.workflow_id and w.status <> j.status 
      returning w.workflow_id as id, w.kind, w.status, j.queued_for is null and j.position >= j.pause_at as planned`,
  )
  await keptRows(
    tx,
    sql`with moved as (select unnest(${sql.param([...ids])}::int[]) as id)
      select pg_notify('actions', lane) from (select distinct coalesce(server_id, 0) || '/' || lane as lane
        from actions where workflow_id in (select id from moved) and status in ('ready', 'unknown')) ready
      union all select ${movedBy(sql`moved`, sql`moved.id`)} from moved`,
  )
  const outcomeOf = new Map<number, Outcome | 'waiting'>()
  for (const { id, kind, status, planned } of moved)
    if (status !== 'waiting' || (planned && pauseHooks.has(kind))) outcomeOf.set(id, status)
  if (!outcomeOf.size) return
  const found = await tx
    .select({
      workflow: workflows,
      touched: sql<
        string[]
      >`array(select distinct resource_type from actions a where a.workflow_id = workflows.workflow_id)`,
    })
    .from(workflows)
    .where(inArray(workflows.id, [...outcomeOf.keys()]))
    .orderBy(workflows.id)
  for (const { workflow, touched } of found) {
    const { id, kind } = workflow
    const status = outcomeOf.get(id)
    if (!status) continue
    if (status === 'waiting') {
      await pauseHooks.get(kind)?.(tx, workflow)
      continue
    }
    await hooks.get(kind)?.(tx, workflow, status)
    for (const { hook, types } of watchers)
      if (!types || types.some((type) => touched.includes(type))) await hook(tx, workflow, status)
    if (status === 'failed' && !workflow.undo && (await automaticRollbacks.get(kind)?.(tx, workflow)))
      await rollBack(tx, id, `rolled back by itself: ${await whyStopped(tx, id)}`)
  }
}

/** Undoes every action that was attempted, last first, and skips the others. `said`: the reason stored with them. */
export async function rollBack(tx: Db, id: number, said: string): Promise<void> {
  await tx.execute(
    sql`update workflows set undo = true, paused = false, version = version + 1 where workflow_id = ${id}`,
  )
  await tx.execute(sql`update actions set status = case when attempt > 0 or status = 'done' then 'pending' else 'skipped' end,
    reason = ${said} where workflow_id = ${id} and not (status = 'skipped' and attempt = 0)`)
  await advance(tx, [id])
}

/** Title and reason of the action at which a workflow stopped. */
export async function whyStopped(tx: Db, workflowId: number): Promise<string> {
  const [action] = await rows<{ title: string; reason: string }>(
    tx,
    sql`select title, reason from actions where workflow_id = ${workflowId} and status in ('failed', 'blocked') limit 1`,
  )
  return action ? `${action.title}: ${action.reason}` : 'The workflow stopped'
}
