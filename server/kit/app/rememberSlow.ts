import type { App } from './app.ts'

/** A computation that takes longer, in milliseconds, is slow. */
const SLOW = 500
/** Milliseconds for which a slow result counts as current, and for which it may still be answered. */
const CURRENT = 60_000
const USABLE = 600_000

export interface Remembered<T> {
  value: T
  /** When the computation began. */
  at: Date
}

/**
 * Computes anew for each call while that is quick. A slow result is answered again: for a minute as it is, up to ten
 * minutes while the next one is computed, once at a time. The answer says when it was computed.
 */
export function rememberSlow<T>(compute: (app: App) => Promise<T>): (app: App) => Promise<Remembered<T>> {
  const known = new WeakMap<App, Remembered<T>>()
  const running = new WeakMap<App, Promise<Remembered<T>>>()
  const run = async (app: App) => {
    const at = new Date()
    const made = { value: await compute(app), at }
    if (Date.now() - at.getTime() > SLOW) known.set(app, made)
    else known.delete(app)
    return made
  }
  const runOnce = (app: App) => {
    const now = running.get(app) ?? run(app).finally(() => running.delete(app))
    running.set(app, now)
    return now
  }
  return async (app) => {
    const last = known.get(app)
    if (!last) return run(app)
    const age = Date.now() - last.at.getTime()
    if (age > USABLE) return runOnce(app)
    if (age > CURRENT) runOnce(app).catch((error: unknown) => app.log.error({ err: error }, 'a slow result failed'))
    return last
  }
}
