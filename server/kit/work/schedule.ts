import type { App } from '../app/app.ts'

/** Work that every worker node repeats every `everyMs`. Rounds never overlap: a long round delays the next. */
export interface Schedule {
  /** Names the schedule in the log when a round fails. */
  name: string
  everyMs: number
  /** `runningMs`: milliseconds since this worker started. */
  work(app: App, runningMs: number): Promise<unknown>
}
