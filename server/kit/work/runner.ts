import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Chunk, Op } from '@innkeeper/contract/agent/door'
import { lane as lanes } from '@innkeeper/contract/machines/workflows'
import { DrizzleQueryError } from 'drizzle-orm'
import type { App } from '../app/app.ts'
import { isAway, rootOf } from '../db/failures.ts'
import { at, isTracing, readParent } from '../trace/trace.ts'
import { ownWork, type Work } from './action.ts'
import { atWork } from './atWork.ts'
import { beat, finish, OWN_LEASE_S } from './claim.ts'
import type { Queue } from './queue.ts'

const SLOTS = { short: 24, long: 2, read: 4 } as const
/**
 * Slots of the short lane that actions of one name take. They mostly wait: a name server that does not answer keeps each
 * publication for three minutes, and 200 of them would stop the steps of all other workflows for an hour.
 */
const CROWD = 12
/** Actions of one claim, so that a crowd is seen before it has taken every slot. */
const SOME = 4
const POLL_MS = 25_000
/** While a crowd waits, claims look again soon, because an ended action may have made room. */
const CROWDED_MS = 250
const MAX_CHUNKS = 256

/** A claimed attempt. `until`: end of the lease on the local monotonic clock; 0: the lease was lost. */
interface Held extends Op {
  until: number
  seq: number
  abort: AbortController
}
class LeaseEnded extends Error {}
/** Statements of an attempt belong to its span. */
const traced = <T>(trace: string | undefined, work: () => Promise<T>): Promise<T> => {
  const place = isTracing() ? readParent(trace) : undefined
  return place ? at(place, work) : work()
}
const keyOf = (a: { id: number; attempt: number }) => `${a.id}/${a.attempt}`

/**
 * Runs actions without a server, by the same rules as agents: leases are fenced, and one action runs at a time per
 * subject.
 */
export function startRunner(app: App, queue: Queue, leaseMs = OWN_LEASE_S * 1000): { stop(): Promise<void> } {
  const held = new Map<string, Held>()
  const subjects = new Map<string, Promise<void>>()
  const freed = new Map<string, () => void>()
  let chunks: Chunk[] = []
  let answers: Answer[] = []
  let stopping = false
  let report = () => {}

  async function perform(op: Held): Promise<Answer> {
    const { id, attempt, task } = op
    const work = ownWork(op.name)
    if (!work) return { id, attempt, status: 'blocked', reason: `${op.name} is for an agent, and no server is named` }
    const fence = () => {
      if (performance.now() > op.until) throw new LeaseEnded('the lease ended before the effect')
      op.abort.signal.throwIfAborted()
    }
    const say = (text: string) => {
      const cut = op.seq === MAX_CHUNKS - 1 ? '… cut: too many lines' : text.replaceAll('\0', '\ufffd').slice(0, 4096)
      if (op.seq < MAX_CHUNKS) chunks.push({ id, attempt, seq: op.seq++, at: Date.now(), text: cut })
      report()
    }
    const tools: Work = { app, task, say, fence, signal: op.abort.signal }
    try {
      fence() // an older attempt of the same subject may have delayed this one beyond its lease
      return await traced(op.trace, () =>
        atWork(tools, async () => {
          const effect = op.inspect && work.inspect ? await work.inspect(op.input, tools) : 'no'
          if (effect === 'yes') return { id, attempt, status: 'done', output: { inspected: true } }
          if (effect === 'unknown')
            return { id, attempt, status: 'blocked', reason: 'Cannot tell whether it took effect' }
          return { id, attempt, status: 'done', output: await work[task]?.(op.input, tools) }
        }),
      )
    } catch (error) {
      // the database was unavailable, which is no failure of the action: the attempt is in doubt and is retried
      // automatically
      const lost = error instanceof DrizzleQueryError && isAway(error)
      const doubtful = lost || error instanceof LeaseEnded || op.abort.signal.aborted
      return { id, attempt, status: doubtful ? 'unknown' : 'failed', reason: rootOf(error).slice(0, 4000) }
    }
  }

  function accept(op: Held): void {
    held.set(keyOf(op), op)
    // one at a time per subject, even if an attempt whose lease ended is still running here
    const before = subjects.get(op.subject) ?? Promise.resolve()
    const mine = before
      .then(() => perform(op))
      .then((answer) => {
        if (subjects.get(op.subject) === mine) subjects.delete(op.subject)
        held.delete(keyOf(op))
        answers.push(answer)
        freed.get(op.lane)?.()
        report()
      })
    subjects.set(op.subject, mine)
  }

  const letGo = ({ id, attempt }: Op) =>
    answers.push({ id, attempt, status: 'unknown', reason: 'Innkeeper was stopped before it was done' })

  // one claim per lane: a claim that waits for the long lane must not delay free slots of the short lane
  async function claiming(lane: keyof typeof SLOTS): Promise<void> {
    while (!stopping) {
      const mine = [...held.values()].filter((h) => h.lane === lane)
      const free = SLOTS[lane] - mine.length
      if (free <= 0) {
        await new Promise<void>((resolve) => freed.set(lane, resolve))
        continue
      }
      const asked = performance.now()
      try {
        const not = [...Map.groupBy(mine, ({ name }) => name)].flatMap(([name, some]) =>
          some.length >= CROWD ? [name] : [],
        )
        const patience = not.length ? CROWDED_MS : POLL_MS
        const { ops, waited } = await queue.next(null, lane, Math.min(free, SOME), patience, { not })
        for (const op of ops)
          if (stopping) letGo(op)
          else accept({ ...op, until: asked + waited + leaseMs, seq: 0, abort: new AbortController() })
      } catch (error) {
        if (!isAway(error)) app.log.error({ err: error }, 'worker: nothing could be claimed')
        await sleep(200 + Math.random() * 800)
      }
    }
  }

  /** Reports answers and progress and, if `due`, extends the leases. Answers are repeated until they are stored. */
  async function tell(due: boolean): Promise<void> {
    const asked = performance.now()
    const batch = { held: due ? [...held.values()] : [], chunks: chunks.slice(0, 200), answers: answers.slice(0, 200) }
    const attempts = batch.held.map(({ id, attempt }) => ({ id, attempt }))
    const gone = new Set((await beat(app.db, null, attempts, batch.chunks)).gone.map(keyOf))
    chunks = chunks.slice(batch.chunks.length)
    for (const op of batch.held) {
      op.until = gone.has(keyOf(op)) ? 0 : asked + leaseMs
      if (op.until === 0) op.abort.abort(new LeaseEnded('it was given to somebody else'))
    }
    await finish(app.db, null, batch.answers)
    answers = answers.slice(batch.answers.length)
  }

  async function reporting(): Promise<void> {
    let beaten = performance.now()
    while (!stopping) {
      if (!chunks.length && !answers.length) {
        const timer = new AbortController()
        const woken = new Promise<void>((resolve) => {
          report = resolve
        })
        // an aborted timer is not an error
        await Promise.race([woken, sleep(leaseMs / 3, undefined, { signal: timer.signal }).catch(() => {})])
        timer.abort()
      }
      const due = performance.now() - beaten >= leaseMs / 3 - 1
      try {
        await tell(due)
        if (due) beaten = performance.now()
      } catch (error) {
        if (!isAway(error)) app.log.error({ err: error }, 'worker: progress could not be kept')
        await sleep(200 + Math.random() * 800)
      }
    }
  }

  const loops = [...lanes.options.map(claiming), reporting()]
  return {
    /** Abandons running attempts: they are in doubt, and the next attempt inspects first. */
    async stop() {
      stopping = true
      for (const op of held.values()) op.abort.abort(new Error('Innkeeper was stopped'))
      for (const wake of [report, ...freed.values()]) wake()
      await Promise.race([Promise.all([...loops, ...subjects.values()]), sleep(1000)])
      for (const op of held.values()) letGo(op)
      while (answers.length || chunks.length) await tell(false)
    },
  }
}
