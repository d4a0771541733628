import type { App } from '../app/app.ts'

/** Work that every worker node repeats. A round starts `everyMs` after the one before at the earliest, never twice at once. */
export interface Schedule {
  /** Names the schedule in the log when a round fails. */
  name: string
  everyMs: number
  /** `runningMs`: milliseconds since this worker started. */
  work(app: App, runningMs: number): Promise<unknown>
}
