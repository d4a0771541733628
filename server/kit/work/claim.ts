import type { Answer, Chunk, Op } from '@innkeeper/contract/agent/door'
import { operations } from '@innkeeper/contract/agent/operations'
import type { Lane } from '@innkeeper/contract/machines/workflows'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../db/db.ts'
import { keptRows } from '../db/driver/prepared.ts'
import { isAway, rootOf } from '../db/failures.ts'
import { parentOfAttempt, traceEnded } from '../trace/actions.ts'
import { advance, movedBy, tellMoved } from './workflow.ts'

/** Lease of an agent's attempt in seconds. Without a heartbeat in this time the attempt is in doubt. */
export const LEASE_S = 30
/** Lease of the worker's own attempts: work of a killed worker continues elsewhere within 10 s. */
export const OWN_LEASE_S = 6
/** After each tenth attempt, an action in doubt stops and waits for staff. */
const TRIES = 10
/** Operations that this version knows. No agent claims other names. */
const ours = sql.raw(`'{${Object.keys(operations).join(',')}}'::text[]`)
const last: SQL[] = []
/** Registers a condition on a row of `actions`: such actions of the lane for long work start after all others. */
export const startLast = (condition: SQL): void => void last.push(condition)
const lease = (serverId: number | null) =>
  sql.raw(`now() + interval '${serverId === null ? OWN_LEASE_S : LEASE_S} seconds'`)

export type Attempt = Pick<Op, 'id' | 'attempt'>
const conditions: Record<Lane, SQL[]> = { short: [], long: [], read: [] }
/**
 * Registers a condition on a row of `actions`. While it is true, the action stays ready: it would only wait on its
 * machine, where it takes a slot of its lane.
 */
export const holdBack = (condition: SQL, lane: Lane = 'long'): void => void conditions[lane].push(condition)
const WORKER = 0 // key of actions without a server in the index `actions_queue`

/**
 * Registers a claim of an agent in a lane and returns its number. Only the newest claim of an agent and lane gets work:
 * older ones, on any node, belong to an earlier process or connection of the agent.
 */
export async function nextCall(db: Db, serverId: number, lane: Lane): Promise<number> {
  const [noted] = await keptRows<{ call: number }>(
    db,
    sql`insert into agent_calls (server_id, lane, call) values (${serverId}, ${lane}, 1)
      on conflict (server_id, lane) do update set call = agent_calls.call + 1 returning call::float8`,
  )
  if (!noted) throw new Error('an upsert answered no row')
  return noted.call
}

/** Returns false if a later claim has replaced this one. */
export async function isNewest(db: Db, serverId: number, lane: Lane, call: number): Promise<boolean> {
  const own = sql`select from agent_calls where server_id = ${serverId} and lane = ${lane} and call = ${call}`
  return (await keptRows(db, own)).length > 0
}

/**
 * Claims at most `free` actions of a lane that are ready or in doubt (`inspect`). `serverId` null is the worker. With a
 * `call`, claims nothing if a newer claim exists. Leaves out actions named in `not`.
 */
export async function claim(
  db: Db,
  serverId: number | null,
  lane: Lane,
  free: number,
  { call, not = [] }: { call?: number | undefined; not?: readonly string[] | undefined } = {},
): Promise<Op[]> {
  // a server with the status `down` runs only the read lane; a revoked agent gets nothing, even in a waiting claim
  const held = lane === 'read' ? sql`false` : sql`s.status = 'down'`
  const own = sql`agent_calls c where c.server_id = ${serverId}::int and c.lane = ${lane} and c.call = ${call}::bigint`
  const isNewest = call === undefined ? sql`true` : sql`exists (select from ${own})`
  // check again under a lock: a newer claim waits for the lock and then sees the actions that this one took
  const newest = call === undefined ? sql`select` : sql`select from ${own} and exists (select from found) for share`
  const taken = await keptRows<Op & { told: string; parent: string | null }>(
    db,
    sql`with found as (select action_id, status from actions
        where ${isNewest} and coalesce(server_id, 0) = ${serverId ?? WORKER}::int and lane = ${lane} and status in ('ready', 'unknown')
          and not exists (select from servers s where s.server_id = actions.server_id
            and (${held} or s.credential_hash is null or s.credential_revoked_at is not null or s.deleted_at is not null))
          -- what its agent does not know would come back blocked: blockUnknown says so without asking it
          and not exists (select from server_states st where st.server_id = actions.server_id and name = any(${ours})
            and name <> all(st.operations))
          and not (${sql.join([sql`false`, ...conditions[lane]], sql` or `)})
          ${not.length ? sql`and name <> all(${sql.param([...not])}::text[])` : sql``}
        order by ${lane === 'long' && last.length ? sql`${sql.join(last, sql` or `)}, ` : sql``}action_id
        limit ${free} for update skip locked),
      newest as (${newest})
      update actions a set status = 'running', attempt = a.attempt + 1, lease_until = ${lease(serverId)}, started_at = now(),
        ended_at = null, reason = null
      from found, workflows w
      where a.action_id = found.action_id and w.workflow_id = a.workflow_id and exists (select from newest)
      returning a.action_id::float8 as id, a.attempt, a.name, a.lane, a.task, a.input, found.status = 'unknown' as inspect,
        case a.lane when 'read' then 'read:' || a.action_id else w.subject_type || ':' || w.subject_id end as subject,
        w.trace as parent, ${movedBy(sql`found`, sql`a.workflow_id`)} as told`,
  )
  return taken.map(({ told: _, parent, ...op }) => ({ ...op, ...parentOfAttempt(parent, op.id, op.attempt) }))
}

interface Beaten {
  /** Attempts that have lost their lease. */
  gone: Attempt[]
  /** Attempts among these that people stopped; see `stop` in workflow.ts. */
  stop: Attempt[]
}

/** Extends the leases of `held` and stores the progress. */
export async function beat(db: Db, serverId: number | null, held: Attempt[], chunks: Chunk[]): Promise<Beaten> {
  const still = held.length
    ? await rows<Attempt>(
        db,
        sql`update actions a set lease_until = ${lease(serverId)} from jsonb_to_recordset(${JSON.stringify(held)}::jsonb) h(id bigint, attempt bigint)
          where a.action_id = h.id and a.attempt = h.attempt and a.status = 'running'
            and coalesce(a.server_id, 0) = ${serverId ?? WORKER}::int returning a.action_id::float8 as id, a.attempt`,
      )
    : []
  if (chunks.length) {
    const affected = await rows<{ workflowId: number }>(
      db,
      sql`with kept as (insert into action_outputs (action_id, attempt, seq, at, text)
          select a.action_id, c.attempt, c.seq, to_timestamp(least(greatest(c.at, 0), 4e12) / 1000), left(c.text, 4096)
          from jsonb_to_recordset(${JSON.stringify(chunks)}::jsonb) c(id bigint, attempt bigint, seq bigint, at float8, text text)
          join actions a on a.action_id = c.id and c.attempt <= a.attempt
          where c.seq < 256 and coalesce(a.server_id, 0) = ${serverId ?? WORKER}::int
          on conflict do nothing returning action_id)
        select distinct workflow_id as "workflowId" from actions where action_id in (select action_id from kept)`,
    )
    await tellMoved(
      db,
      affected.map((one) => one.workflowId),
    )
  }
  const gone = held.filter((h) => !still.some((s) => s.id === h.id && s.attempt === h.attempt))
  if (!gone.length) return { gone, stop: [] }
  // an attempt in doubt, whose lease has ended, is not stopped: its answer may still count
  const stop = await rows<Attempt>(
    db,
    sql`select h.id::float8 as id, h.attempt::float8 as attempt from jsonb_to_recordset(${JSON.stringify(gone)}::jsonb) h(id bigint, attempt bigint)
      join actions a on a.action_id = h.id and coalesce(a.server_id, 0) = ${serverId ?? WORKER}::int
      where a.attempt = h.attempt and a.status in ('pending', 'ready') or a.attempt > h.attempt and a.task = 'undo'`,
  )
  return { gone, stop }
}

/**
 * Ends attempts and readies their successors, in one transaction. Returns the ids of the accepted answers: an answer of
 * an older attempt changes nothing. An answer that cannot be stored blocks its own action only.
 */
export async function finish(db: Db, serverId: number | null, answers: Answer[]): Promise<number[]> {
  if (!answers.length) return []
  try {
    const ended = await db.transaction((tx) => end(tx, serverId, answers))
    await traceEnded(db, ended, answers)
    return ended
  } catch (error) {
    if (isAway(error)) throw error
    const [first] = answers
    if (answers.length > 1 || !first) return (await Promise.all(answers.map((a) => finish(db, serverId, [a])))).flat()
    if (first.status === 'blocked') throw error
    const reason = `The agent answered ${first.status}, which could not be stored: ${rootOf(error)}`.slice(0, 1000)
    return finish(db, serverId, [{ id: first.id, attempt: first.attempt, status: 'blocked', reason }])
  }
}

async function end(tx: Db, serverId: number | null, answers: Answer[]): Promise<number[]> {
  const workflows = await lockWorkflows(
    tx,
    answers.map((a) => a.id),
  )
  const ended = await keptRows<{ id: number }>(
    tx,
    sql`update actions a set lease_until = null, ended_at = now(), output = coalesce(n.output, a.output),
        status = case when n.status = 'done' and a.task = 'undo' then 'undone'
          when n.status = 'unknown' and a.attempt % ${sql.raw(String(TRIES))} = 0 then 'blocked' else n.status end,
        reason = case when n.status <> 'done' then coalesce(nullif(n.reason, ''), 'no reason was given') end
      from jsonb_to_recordset(${JSON.stringify(answers)}::jsonb) n(id bigint, attempt bigint, status text, output jsonb, reason text)
      where a.action_id = n.id and a.attempt = n.attempt and a.status in ('running', 'unknown')
        and coalesce(a.server_id, 0) = ${serverId ?? WORKER}::int returning a.action_id::float8 as id`,
  )
  await advance(tx, workflows)
  return ended.map((a) => a.id)
}

/**
 * Marks attempts with an expired lease as in doubt, so that the next attempt inspects first. Also marks leases that end
 * later than any lease can: the clock of the database was set back. Returns the number of attempts.
 */
export const sweep = (db: Db): Promise<number> =>
  doubt(
    db,
    sql`lease_until not between now() and now() + interval '${sql.raw(String(2 * LEASE_S))} seconds'`,
    sql`'attempt ' || attempt || case when lease_until > now() then ' was at work when the database''s clock was set back'
      else ' has given no sign of life for ' ||
        case when server_id is null then ${sql.raw(`${OWN_LEASE_S} else ${LEASE_S}`)} end || ' s' end`,
  )

/**
 * Marks running attempts that the agent does not hold as in doubt: the reply to its claim was lost. Returns their
 * number.
 */
export const reconcile = (db: Db, serverId: number, lane: Lane, held: Attempt[]): Promise<number> =>
  doubt(
    db,
    sql`server_id = ${serverId} and lane = ${lane} and not exists (
      select from jsonb_to_recordset(${JSON.stringify(held)}::jsonb) h(id bigint, attempt bigint)
      where h.id = actions.action_id and h.attempt = actions.attempt)`,
    sql`'attempt ' || attempt || ' did not come to the agent'`,
  )

/** Blocks ready actions that the agent of their server does not know, with a reason that says to update the agent. */
export async function blockUnknown(db: Db): Promise<number> {
  const found = await rows<{ id: number; reason: string }>(
    db,
    sql`select a.action_id::float8 as id, 'The agent of ' || s.name || ' (' || st.agent_version || ') does not know '
        || a.name || ': update the agent, then retry' as reason
      from actions a join server_states st on st.server_id = a.server_id join servers s on s.server_id = a.server_id
      where a.status in ('ready', 'unknown') and a.lane <> 'read' and a.name = any(${ours}) and a.name <> all(st.operations)`,
  )
  if (!found.length) return 0
  return db.transaction(async (tx) => {
    const workflows = await lockWorkflows(
      tx,
      found.map(({ id }) => id),
    )
    const blocked = await rows(
      tx,
      sql`update actions a set status = 'blocked', reason = n.reason, ended_at = now()
        from jsonb_to_recordset(${JSON.stringify(found)}::jsonb) n(id bigint, reason text)
        where a.action_id = n.id and a.status in ('ready', 'unknown') returning a.action_id`,
    )
    await advance(tx, workflows)
    return blocked.length
  })
}

async function doubt(db: Db, which: SQL, reason: SQL): Promise<number> {
  const running = sql`status = 'running' and ${which}`
  const lost = (await rows<{ id: number }>(db, sql`select action_id::float8 as id from actions where ${running}`)).map(
    (a) => a.id,
  )
  if (!lost.length) return 0
  return db.transaction(async (tx) => {
    const workflows = await lockWorkflows(tx, lost)
    const doubted = await rows(
      tx,
      sql`update actions set lease_until = null, ended_at = now(),
          status = case when attempt % ${sql.raw(String(TRIES))} = 0 then 'blocked' else 'unknown' end,
          reason = ${reason}
        where action_id in ${lost} and ${running} returning action_id`,
    )
    await advance(tx, workflows)
    return doubted.length
  })
}

/** Lock order everywhere: workflows by id, then their actions. */
export async function lockWorkflows(tx: Db, actionIds: number[]): Promise<number[]> {
  const locked = await keptRows<{ id: number }>(
    tx,
    sql`select workflow_id as id from workflows
      where workflow_id in (select workflow_id from actions where action_id = any(${sql.param([...actionIds])}::bigint[]))
      order by workflow_id for update`,
  )
  return locked.map((w) => w.id)
}
