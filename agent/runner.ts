import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Op } from '@innkeeper/contract/agent/door'
import type { Lane } from '@innkeeper/contract/machines/workflows'
import { type Lease, messageOf, perform } from './attempt.ts'
import { type Door, Refused } from './door.ts'
import { lookAgain } from './heartbeat.ts'
import type { Journal } from './journal.ts'
import type { Drivers } from './kit/driver.ts'
import { log } from './log.ts'
import { outbox } from './outbox.ts'

type Held = Op & Lease & { seq: number; stopping: AbortController }
type Key = Pick<Op, 'id' | 'attempt'>
const keyOf = ({ id, attempt }: Key) => `${id}/${attempt}`
const lanes: Record<Lane, number> = { short: 4, long: 2, read: 4 }

/**
 * Claims and runs operations until `stop`: one claim request per lane, one operation at a time per subject.
 * The first claim waits for `ready`.
 */
export function runner(door: Door, drivers: Drivers, journal: Journal, ready: Promise<void> = Promise.resolve()) {
  const held = new Map<string, Held>()
  const queues = new Map<string, Promise<void>>()
  const freed = new Map<Lane, () => void>()
  const box = outbox(door, journal)
  const stopping = new AbortController()
  const stopped = once(stopping.signal, 'abort')
  const closing = new AbortController()
  let link = new AbortController()
  let leaseMs = 30_000
  let ended: { op: Held; answer: Answer }[] = []

  function accept(op: Held): void {
    held.set(keyOf(op), op)
    // one operation at a time per subject, even while an attempt that the control plane has dropped still runs here
    const before = queues.get(op.subject) ?? Promise.resolve()
    const mine = before.then(async () => {
      const say = (text: string) => {
        op.seq = box.say(op, op.seq, text)
      }
      const answer = await perform(op, op, drivers, say)
      if (ended.push({ op, answer }) === 1) setImmediate(settle)
      if (queues.get(op.subject) === mine) queues.delete(op.subject)
    })
    queues.set(op.subject, mine)
  }

  /** Saves all answers of one event loop turn with one fsync; an answer is sent only after the journal has it. */
  function settle(): void {
    const batch = ended
    ended = []
    try {
      journal.end(batch.filter(({ op }) => op.lane !== 'read').map(({ answer }) => answer))
    } catch (error) {
      log('error', 'the journal cannot be written', { reason: messageOf(error) }) // e.g. a full disk: retry
      ended = batch
      setTimeout(settle, 1000)
      return
    }
    for (const { op, answer } of batch) {
      held.delete(keyOf(op))
      if (op.lane !== 'read') lookAgain()
      freed.get(op.lane)?.()
      log(answer.status === 'done' ? 'info' : 'warn', 'ended', { ...about(op), status: answer.status })
    }
    box.tell(batch.map(({ answer }) => answer))
  }

  // one claim request per lane, so that a request waiting for the long lane does not delay free slots of the short lane
  async function claiming(lane: Lane): Promise<void> {
    await Promise.race([ready, stopped])
    while (!stopping.signal.aborted) {
      const free = lanes[lane] - [...held.values()].filter((op) => op.lane === lane).length
      if (free <= 0) {
        await new Promise<void>((resolve) => freed.set(lane, resolve))
        continue
      }
      const asked = performance.now()
      try {
        const signal = AbortSignal.any([stopping.signal, link.signal])
        const claimed = await door.ask('/agent/claim', { lane, free, ...known() }, signal)
        if (leaseMs !== claimed.leaseMs) box.nudge() // the report loop still waits by the old lease
        leaseMs = claimed.leaseMs
        begin(claimed.ops, asked + claimed.waited + claimed.leaseMs)
      } catch (error) {
        if (!stopping.signal.aborted) await troubled('claim', error, stopping.signal)
      }
    }
  }

  /** Attempts that this agent knows. The control plane sends every other attempt assigned to this server again. */
  function known(): { held?: Key[] } {
    const keys = [...[...held.values()].map(({ id, attempt }) => ({ id, attempt })), ...box.untold]
    return keys.length <= 1000 ? { held: keys } : {}
  }

  function begin(ops: readonly Op[], until: number): void {
    const news = ops.filter((op) => !held.has(keyOf(op)))
    const looks = news.filter((op) => op.lane === 'read') // reads have no effect, so the journal does not record them
    const { fresh, answers } = noted(news.filter((op) => op.lane !== 'read'))
    box.tell(answers)
    for (const op of [...looks, ...fresh]) {
      log('info', 'begins', about(op))
      const stopping = new AbortController()
      accept({ ...op, until, seq: 0, stopping, stop: stopping.signal })
    }
  }

  /** Records the start of operations. When the journal cannot be written, they fail without having started. */
  function noted(ops: readonly Op[]): ReturnType<Journal['begin']> {
    try {
      return journal.begin(ops)
    } catch (error) {
      const reason = `The agent could not note it in its journal and did nothing: ${messageOf(error)}`
      log('error', reason)
      return { fresh: [], answers: ops.map(({ id, attempt }) => ({ id, attempt, status: 'failed', reason })) }
    }
  }

  async function reporting(): Promise<void> {
    let beaten = Number.NEGATIVE_INFINITY
    while (!closing.signal.aborted || !box.empty) {
      await box.something(closing.signal.aborted ? 0 : leaseMs / 3)
      const asked = performance.now()
      // each lease renewal writes a new row version, so not every report renews
      const due = asked - beaten >= leaseMs / 3 - 1
      const mine = due ? [...held.values()].slice(0, 200) : []
      if (box.empty && mine.length === 0) continue
      try {
        const answer = await box.report(mine, link.signal)
        const [gone, stop] = [new Set(answer.gone.map(keyOf)), new Set(answer.stop.map(keyOf))]
        if (due) beaten = asked
        for (const op of mine) {
          op.until = gone.has(keyOf(op)) ? 0 : asked + leaseMs
          if (stop.has(keyOf(op))) op.stopping.abort(new Error('stopped by people'))
        }
      } catch (error) {
        if (closing.signal.aborted) return // the journal keeps the answers that were not sent
        await troubled('report', error, closing.signal)
      }
    }
  }

  const loops = Object.keys(lanes).map((lane) => claiming(lane as Lane)) // the keys of lanes are lanes
  const reports = reporting()
  return {
    /** Aborts and repeats the open requests after a network outage: their answers may never arrive. */
    reconnect(): void {
      link.abort()
      link = new AbortController()
    },
    /** Stops claiming, waits at most `ms` for running operations, sends their answers, and closes. */
    async stop(ms: number): Promise<void> {
      stopping.abort()
      for (const resolve of freed.values()) resolve()
      await Promise.race([Promise.all([...loops, ...queues.values()]), sleep(ms)])
      await new Promise((resolve) => setImmediate(resolve)) // runs the `settle` of the last operation
      closing.abort()
      box.nudge()
      await Promise.race([reports, sleep(3000)])
    },
  }
}

const about = ({ id, attempt, name, subject, task }: Op) => ({ id, attempt, name, subject, task })

let silent = 0
/** Waits before the next retry, longest when the credential is revoked. Logs the reason at most once a minute. */
export async function troubled(what: string, error: unknown, signal: AbortSignal): Promise<void> {
  const revoked = error instanceof Refused && error.status === 401
  if (performance.now() > silent) {
    silent = performance.now() + 60_000
    if (revoked)
      log('error', 'the control plane no longer knows this agent: nothing is done until it is enrolled again')
    else log('warn', `${what} does not get through`, { reason: messageOf(error) })
  }
  const ms = revoked ? 30_000 : error instanceof Refused ? (what === 'report' ? 250 : 2000) : 200 + Math.random() * 800
  await sleep(ms, undefined, { signal }).catch(() => {}) // an abort ends the loop
}
