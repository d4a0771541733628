import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../app/app.ts'
import { isAway } from '../db/failures.ts'
import { changed } from '../live/live.ts'
import { BATCH, LATE, sealNext } from './seal.ts'
import { checkOn } from './verifyChain.ts'

const EVERY_MS = 1000

/** Every second, in the worker that holds the lock: seals new log rows and continues a requested check. */
export function startSealing(app: App): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const loop = (async () => {
    let lookBack = Number.MAX_SAFE_INTEGER // the first run looks at all rows
    while (!stopping.signal.aborted) {
      let walking = false
      try {
        let sealed = 0
        for (let n = BATCH; n === BATCH; sealed += n) n = await sealNext(app.db, lookBack)
        lookBack = LATE
        walking = await checkOn(app.db)
        if (sealed || walking) await changed(app.db, 'log')
      } catch (error) {
        if (!isAway(error)) app.log.error({ err: error }, 'the action log could not be sealed')
      }
      if (!walking) await sleep(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {}) // stop was requested
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await loop
    },
  }
}
