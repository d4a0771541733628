import type { Op } from '@innkeeper/contract/agent/door'
import type { Lane } from '@innkeeper/contract/machines/workflows'
import { sql } from 'drizzle-orm'
import type { App } from '../app/app.ts'
import { type Db, rows } from '../db/db.ts'
import { keptRows } from '../db/driver/prepared.ts'
import { isAway } from '../db/failures.ts'
import { isOutput, isSecret, isSetting, type OutputReference, schemaOf } from './action.ts'
import { type Attempt, claim, finish, isNewest, nextCall, reconcile } from './claim.ts'

/** Interval at which waiting claims are looked after, all with one statement: the longest delay after a lost NOTIFY. */
const LOOK_MS = 5000

/** The queue of ready actions, used by the agents' door and the worker. */
export interface Queue {
  /**
   * Waits up to `ms` for work of a lane. `waited`: milliseconds until the claim. The start of the call plus `waited`
   * plus the length of the lease is never later than the end of the lease, so the asker can rely on that sum. `gone`:
   * the asker has disconnected; nothing is claimed. `held`: all attempts that the agent holds; other running attempts
   * never reached the agent. A newer claim of the server and lane, on any node, replaces this claim, which gets nothing
   * and ends at the next look: a claim of a closed connection must not keep the agent waiting. `not`: names of actions to
   * leave out.
   */
  next(
    serverId: number | null,
    lane: Lane,
    free: number,
    ms: number,
    asker?: { gone?: () => boolean; held?: Attempt[] | undefined; not?: readonly string[] },
  ): Promise<{ ops: Op[]; waited: number }>
  /** Ends all waits without work. */
  close(): void
}

interface Waiting {
  serverId: number | null
  /** Number of the claim, see `nextCall`. */
  call: number | undefined
  wake(): void
}

export async function openQueue(app: App, lookMs = LOOK_MS): Promise<Queue> {
  const waiting = new Map<string, Set<Waiting>>() // by server and lane, as in the NOTIFY payload
  let closed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const all = () => [...waiting.values()].flatMap((waits) => [...waits])
  const wakeAll = () => {
    for (const { wake } of all()) wake()
  }
  await app.database.listen('actions', (place) => {
    if (!place) return wakeAll()
    for (const { wake } of waiting.get(place) ?? []) wake()
  })

  /** Wakes the claims that have work or that a newer claim has replaced. A thousand agents wait with three claims each. */
  async function look(): Promise<void> {
    const servers = [...new Set(all().flatMap(({ serverId }) => serverId ?? []))]
    for (const [place, { call, hasWork }] of await statesOf(app.db, servers))
      for (const one of waiting.get(place) ?? []) if (hasWork || one.call !== call) one.wake()
    for (const { serverId, wake } of all()) if (serverId === null) wake()
  }
  function lookLater(): void {
    if (closed || !all().length) return
    timer ??= setTimeout(() => {
      look()
        .catch((error: unknown) => isAway(error) || app.log.error({ err: error }, 'waiting claims'))
        .finally(() => {
          timer = undefined
          lookLater()
        })
    }, lookMs)
  }

  return {
    async next(serverId, lane, free, ms, { gone = () => false, held, not } = {}) {
      const place = `${serverId ?? 0}/${lane}`
      const waits = waiting.get(place) ?? new Set()
      waiting.set(place, waits)
      const begun = performance.now() // a clock that is set back would make the claim wait for hours
      if (gone()) return { ops: [], waited: 0 }
      const call = serverId === null ? undefined : await nextCall(app.db, serverId, lane)
      if (serverId !== null && held && !gone()) await reconcile(app.db, serverId, lane, held)
      for (let looks = 0; !closed && !gone(); looks++) {
        const left = begun + ms - performance.now()
        // created before the query, so that a NOTIFY between query and wait is not missed
        const { promise: woken, resolve: wake } = Promise.withResolvers<void>()
        const end = setTimeout(wake, Math.max(0, left))
        const mine = { serverId, call, wake }
        waits.add(mine)
        lookLater()
        try {
          const waited = performance.now() - begun
          const ops = await fill(app, serverId, await claim(app.db, serverId, lane, free, { call, not }))
          if (ops.length || left <= 0) return { ops, waited }
          if (serverId !== null && call && looks && !(await isNewest(app.db, serverId, lane, call))) break
          await woken
        } finally {
          clearTimeout(end)
          waits.delete(mine)
        }
      }
      return { ops: [], waited: 0 }
    },
    close() {
      closed = true
      clearTimeout(timer)
      wakeAll()
    },
  }
}

/** Of each lane of these servers: the number of its newest claim, and whether an action could be claimed. */
async function statesOf(db: Db, servers: readonly number[]) {
  if (!servers.length) return []
  const states = await keptRows<{ place: string; call: number; hasWork: boolean }>(
    db,
    sql`select c.server_id || '/' || c.lane as place, c.call::float8, exists (select from actions a
          where coalesce(a.server_id, 0) = c.server_id and a.lane = c.lane and a.status in ('ready', 'unknown')) as "hasWork"
      from agent_calls c where c.server_id = any(${sql.param([...servers])}::int[])`,
  )
  return states.map(({ place, ...state }) => [place, state] as const)
}

/**
 * Fills in references and validates the inputs again. Blocks an action, with the reason, if this version does not know
 * the action or cannot fill its input.
 */
async function fill(app: App, serverId: number | null, ops: Op[]): Promise<Op[]> {
  const ready: Op[] = []
  for (const op of ops) {
    const schema = schemaOf(op.name)
    const problem = schema ? undefined : `This version of Innkeeper does not know the action ${op.name}`
    try {
      if (!schema) throw new Error(problem)
      const input = schema.parse(await filled(app, op, op.input))
      ready.push({ ...op, input })
    } catch (error) {
      const reason =
        problem ?? `Its input cannot be used: ${error instanceof Error ? error.message : error}`.slice(0, 4000)
      await finish(app.db, serverId, [{ id: op.id, attempt: op.attempt, status: 'blocked', reason }])
    }
  }
  return ready
}

async function filled(app: App, op: Op, value: unknown): Promise<unknown> {
  if (isSecret(value)) {
    const found = await app.secrets.read(app.db, value.$secret)
    if (found === undefined) throw new Error(`the secret ${value.$secret} is gone`)
    return found
  }
  if (isOutput(value)) return answered(app, op, value)
  if (isSetting(value)) return app.settings[value.$setting]
  if (Array.isArray(value)) return Promise.all(value.map((item) => filled(app, op, item)))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(async ([key, item]) => [key, await filled(app, op, item)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

/** Reads a value from the output of the last matching action before this one. */
async function answered({ db }: App, { id }: Op, { $output, of, otherwise }: OutputReference): Promise<unknown> {
  const [found] = await rows<{ value: unknown }>(
    db,
    sql`select a.output -> ${$output}::text as value from actions mine join actions a
        on a.workflow_id = mine.workflow_id and a.position < mine.position
      where mine.action_id = ${id} and a.name = ${of.name} and a.resource_type = ${of.resourceType}
        and a.resource_id = ${of.resourceId} and a.output ? ${$output}::text
      order by a.position desc limit 1`,
  )
  if (!found && otherwise !== undefined) return otherwise
  if (!found) throw new Error(`${of.name} has not answered its ${$output}`)
  return found.value
}
