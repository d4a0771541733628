import { setImmediate } from 'node:timers/promises'

/** Rows per statement. The embedded database runs a statement in this process, and all calls wait for its end. */
export const ROWS = 500

/** Parts of a list, with a turn of the event loop between them, so that other calls are answered meanwhile. */
export async function* inTurns<T>(all: readonly T[], size = ROWS): AsyncGenerator<T[]> {
  for (let at = 0; at < all.length; at += size) {
    if (at) await setImmediate()
    yield all.slice(at, at + size)
  }
}
