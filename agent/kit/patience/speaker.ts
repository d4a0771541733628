import { AsyncLocalStorage } from 'node:async_hooks'

/** The operation for which the code runs. */
export interface Speaker {
  /** The name of the operation: `mariadb.ensure`. */
  name: string
  /** Adds a line to the log of the action. */
  say(text: string): void
  /** Somebody waits before a screen for the answer. */
  isRead: boolean
}
const speakers = new AsyncLocalStorage<Speaker>()

/** Runs the driver of an operation, so that the kit can say in the log of its action for what it waits. */
export const speakingAs = <T>(speaker: Speaker, work: () => Promise<T>): Promise<T> => speakers.run(speaker, work)
export const speaker = (): Speaker | undefined => speakers.getStore()
