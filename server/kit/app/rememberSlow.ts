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
 * minutes while the next one is computed. Calls share a computation that has already turned out slow. The answer says
 * when its computation began.
 */
export function rememberSlow<T>(compute: (app: App) => Promise<T>): (app: App) => Promise<Remembered<T>> {
  const known = new WeakMap<App, Remembered<T>>()
  const running = new WeakMap<App, { at: Date; result: Promise<Remembered<T>> }>()
  const run = (app: App): Promise<Remembered<T>> => {
    const at = new Date()
    const result = compute(app)
      .then((value) => {
        const made = { value, at }
        if (ageOf(at) > SLOW) known.set(app, made)
        else known.delete(app)
        return made
      })
      .finally(() => {
        if (running.get(app)?.result === result) running.delete(app)
      })
    running.set(app, { at, result })
    return result
  }
  return async (app) => {
    const last = known.get(app)
    const now = running.get(app)
    const age = last ? ageOf(last.at) : Number.POSITIVE_INFINITY
    if (!last || age > USABLE) return now && (last || ageOf(now.at) > SLOW) ? now.result : run(app)
    if (age > CURRENT && !now) run(app).catch((error: unknown) => app.log.error({ err: error }, 'a slow result failed'))
    return last
  }
}

const ageOf = (at: Date): number => Date.now() - at.getTime()
