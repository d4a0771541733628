import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Answer, Heartbeat, Op } from '@innkeeper/contract/agent/door'
import { operations } from '@innkeeper/contract/agent/operations'
import type { Lane } from '@innkeeper/contract/machines/workflows'
import { asc, eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { letPass } from '../../bin/pass.ts'
import { type Db, rows } from '../kit/db/db.ts'
import { action, step } from '../kit/work/action.ts'
import { claim, finish } from '../kit/work/claim.ts'
import { actions, workflows } from '../kit/work/tables.ts'
import { type Start, start } from '../kit/work/workflow.ts'
import { recordHeartbeat } from '../machines/servers/agents/heartbeat.ts'
import { servers } from '../machines/servers/tables.ts'

/** For tests: the effects of test actions, in order. */
export const effects: string[] = []
let fails = 0
let failure = new Error('made to fail')
export const failNext = (times: number, error = new Error('made to fail')) => {
  fails = times
  failure = error
}
let gate: { reached(signal: AbortSignal): void; opened: Promise<void> } | undefined
/**
 * Stops `test.note` before its effect, as in a crash: resolves `reached` there with the signal of the attempt, and
 * continues after `open()`.
 */
export function holdNext(): { reached: Promise<AbortSignal>; open(): void } {
  const reached = Promise.withResolvers<AbortSignal>()
  const opened = Promise.withResolvers<void>()
  gate = { reached: reached.resolve, opened: opened.promise }
  return {
    reached: reached.promise,
    open() {
      gate = undefined
      opened.resolve()
    },
  }
}

export const note = action('test.note', z.object({ n: z.int(), word: z.string().optional() }), {
  title: 'Note',
  what: ({ n }) => `writes ${n}`,
  async run({ n, word }, { say, fence, signal }) {
    say(`about to write ${n}`)
    gate?.reached(signal)
    await gate?.opened
    if (fails > 0) {
      fails -= 1
      throw failure
    }
    fence()
    effects.push(`+${n}${word ? ` ${word}` : ''}`)
    return { wrote: n }
  },
  async undo({ n }) {
    effects.push(`-${n}`)
  },
  inspect: async ({ n }) => (effects.includes(`+${n}`) ? 'yes' : 'no'),
})

/** Number of claims that a server has made in a lane: a claim that is counted takes the work that becomes ready. */
export async function claimsOf(db: Db, serverId: number, lane: Lane = 'short'): Promise<number> {
  const own = sql`select call::int from agent_calls where server_id = ${serverId} and lane = ${lane}`
  return (await rows<{ call: number }>(db, own))[0]?.call ?? 0
}

export const resource = { type: 'website', id: 1, name: 'shop.example' }
/** Steps 1 to n for a server, or for Innkeeper's own worker if `server` is null. */
export const steps = (n: number, server: number | null = null) =>
  Array.from({ length: n }, (_, i) => step(note, { n: i + 1 }, { server, resource, optional: true }))

let subjects = 100
export function begin(db: Db, more: Partial<Start> = {}): Promise<number> {
  const id = ++subjects
  const wanted: Start = {
    kind: 'test',
    subject: { type: 'website', id, name: 'shop.example' },
    holder: 'Erik Lindqvist',
    startedById: null,
    plan: steps(3),
    locks: [`website:${id}`],
    ...more,
  }
  return db.transaction((tx) => start(tx, wanted))
}

export const statusesOf = async (db: Db, workflowId: number) =>
  (await actionsOf(db, workflowId)).map((a) => a.status).join(' ')
export const actionsOf = (db: Db, workflowId: number) =>
  db.select().from(actions).where(eq(actions.workflowId, workflowId)).orderBy(asc(actions.position))
export async function workflowOf(db: Db, id: number) {
  const [row] = await db.select().from(workflows).where(eq(workflows.id, id))
  return row!
}

/** Removes ready actions of earlier tests from the queue, because they would be claimed first. */
export async function setAside(db: Db): Promise<void> {
  await db.execute(sql`update actions set status = 'skipped', reason = 'left by a test', lease_until = null
    where status in ('pending', 'ready', 'running', 'unknown', 'failed', 'blocked')`)
  await db.execute(sql`delete from resource_locks`)
}

/** Claims the next action of the short lane and reports `answer` as its result. */
export async function carryOut(db: Db, serverId: number | null, answer: Partial<Answer> = {}): Promise<Op> {
  const [op] = await claim(db, serverId, 'short', 1)
  if (!op) throw new Error('nothing to claim')
  await finish(db, serverId, [{ id: op.id, attempt: op.attempt, status: 'done', ...answer }])
  return op
}

/**
 * Runs all actions that are ready or become ready, for this server and for Innkeeper's own worker. `end` returns the
 * result of an operation; by default each operation is done.
 */
export async function carryOutAll(
  db: Db,
  serverId: number,
  end: (op: Op) => Partial<Answer> = () => ({}),
): Promise<void> {
  for (let went = true; went; ) {
    went = false
    for (const [by, lane] of [
      [serverId, 'short'],
      [serverId, 'long'],
      [null, 'short'],
    ] as const)
      for (const op of await claim(db, by, lane, 5)) {
        went = true
        await finish(db, by, [{ id: op.id, attempt: op.attempt, status: 'done', ...end(op) }])
      }
  }
}

const { version } = JSON.parse(readFileSync(new URL('../../agent/package.json', import.meta.url), 'utf8')) as {
  version: string
} // npm writes the file

export const heartbeat: Heartbeat = {
  agentVersion: version,
  os: 'Debian GNU/Linux 12 (bookworm)',
  arch: 'x64',
  operations: Object.keys(operations),
  uptime: 100,
  cores: 2,
  load: 0.5,
  memory: { total: 2e9, used: 1e9 },
  disk: { total: 2e10, used: 1e10 },
  services: [{ name: 'nginx', version: '1.22.1', state: 'active', detail: null }],
  addresses: ['10.77.1.11'],
  notEnforced: [],
}

/** Credential of the agent that `enrolled` adds for a server of this name. */
export const credentialOf = (name: string) => `credential-of-${name}-long-enough-for-one`
export async function enrolled(db: Db, name: string, more: Partial<typeof servers.$inferInsert> = {}): Promise<number> {
  const credentialHash = createHash('sha256').update(credentialOf(name)).digest('hex')
  const [row] = await db
    .insert(servers)
    .values({ name, type: 'web', credentialHash, enrolledAt: new Date().toISOString(), ...more })
    .returning({ id: servers.id })
  await recordHeartbeat(db, row!.id, heartbeat, '10.77.1.11')
  return row!.id
}

/** Marks every agent as online for good, however long the tests of a file take. */
export const hearAlways = (db: Db) => db.execute(sql`update server_states set last_seen_at = '2999-01-01'`)

/** Answers a waiting live read of a server, if any; for `expect.poll`. */
export async function answerRead(db: Db, serverId: number, output: unknown): Promise<boolean> {
  const [op] = await claim(db, serverId, 'read', 1)
  if (op) await finish(db, serverId, [{ id: op.id, attempt: op.attempt, status: 'done', output }])
  return op !== undefined
}

/** Answers live reads of a server by `answer` until `work` ends. */
export async function answerReads<T>(
  db: Db,
  serverId: number,
  answer: (op: Op) => unknown,
  work: Promise<T>,
): Promise<T> {
  let isOver = false
  const over = work.finally(() => {
    isOver = true
  })
  over.catch(() => {}) // the caller has it below
  for (; !isOver; await Promise.race([over.catch(() => {}), letPass(5, 'between two looks')]))
    for (const op of await claim(db, serverId, 'read', 5))
      await finish(db, serverId, [{ id: op.id, attempt: op.attempt, status: 'done', output: answer(op) }])
  return over
}
