import { AsyncLocalStorage } from 'node:async_hooks'
import type { Work } from './action.ts'

const working = new AsyncLocalStorage<Work>()

/** Runs an action of the worker, so that the kit can say in its log for what it waits, and knows that nobody waits before a screen. */
export const atWork = <T>(work: Work, run: () => Promise<T>): Promise<T> => working.run(work, run)
export const workNow = (): Work | undefined => working.getStore()
