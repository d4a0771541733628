import type { App } from '../app/app.ts'
import { isAway } from '../db/failures.ts'
import { inRound } from '../trace/trace.ts'

/** Work that every worker node repeats every `everyMs`. Rounds never overlap: while a round lasts, ticks are skipped. */
export interface Schedule {
  /** Names the schedule in the log when a round fails. */
  name: string
  everyMs: number
  /** `runningMs`: milliseconds since this worker started. */
  work(app: App, runningMs: number): Promise<unknown>
}

/** What became of the rounds of each schedule, for metrics. */
export type Rounds = Map<string, { everyMs: number; succeededAt: number; tookMs: number; failures: number }>

/** Repeats the rounds of a schedule. Returns a function that begins no further round and resolves after the current one. */
export function repeat(app: App, { name, everyMs, work }: Schedule, rounds: Rounds = new Map()): () => Promise<void> {
  const seen = { everyMs, succeededAt: 0, tookMs: 0, failures: 0 }
  rounds.set(name, seen)
  const since = performance.now()
  let round: Promise<void> | undefined
  const tick = () => {
    const began = performance.now()
    round ??= Promise.resolve()
      .then(() => inRound(name, async () => work(app, performance.now() - since)))
      .then(
        () => {
          seen.succeededAt = Date.now()
        },
        (error) => {
          seen.failures += 1
          if (!isAway(error)) app.log.error({ err: error }, name)
        },
      )
      .finally(() => {
        seen.tookMs = performance.now() - began
        round = undefined
      })
  }
  const timer = setInterval(tick, everyMs)
  tick()
  return async () => {
    clearInterval(timer)
    await round
  }
}
