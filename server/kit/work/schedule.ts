import type { App } from '../app/app.ts'
import { isAway } from '../db/failures.ts'

/** Work that every worker node repeats every `everyMs`. Rounds never overlap: while a round lasts, ticks are skipped. */
export interface Schedule {
  /** Names the schedule in the log when a round fails. */
  name: string
  everyMs: number
  /** `runningMs`: milliseconds since this worker started. */
  work(app: App, runningMs: number): Promise<unknown>
}

/** Repeats the rounds of a schedule. Returns a function that begins no further round and resolves after the current one. */
export function repeat(app: App, { name, everyMs, work }: Schedule): () => Promise<void> {
  const since = performance.now()
  let round: Promise<void> | undefined
  const tick = () => {
    round ??= Promise.resolve()
      .then(() => work(app, performance.now() - since))
      .then(
        () => {},
        (error) => {
          if (!isAway(error)) app.log.error({ err: error }, name)
        },
      )
      .finally(() => {
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
