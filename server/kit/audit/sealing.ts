import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../app/app.ts'
import { isAway } from '../db/failures.ts'
import { changed } from '../live/live.ts'
import { type Anchor, cutBefore, NoAnchor, openAnchor } from './anchor.ts'
import { BATCH, endOfChain, LATE, type Place, sealNext } from './seal.ts'
import { checkOn, noteBroken } from './verifyChain.ts'

const EVERY_MS = 1000

/** Every second, in the worker that holds the lock: seals new log rows and continues a requested check. */
export function startSealing(app: App): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const anchor = openAnchor(app.settings.logAnchor)
  let problem = ''
  /** The anchored end. A problem of the file is logged once, not each second, and stops neither seals nor checks. */
  const held = async () => {
    let anchored: Place | undefined
    try {
      anchored = anchor.read()
      await holdToAnchor(app, anchor, anchored)
      problem = ''
    } catch (error) {
      if (!(error instanceof NoAnchor)) throw error
      if (problem !== error.message)
        app.log.error(
          { err: error },
          'deleted rows at the end of the action log would go unnoticed: mend INNKEEPER_LOG_ANCHOR',
        )
      problem = error.message
    }
    return anchored
  }
  const loop = (async () => {
    let lookBack = Number.MAX_SAFE_INTEGER // the first run looks at all rows
    while (!stopping.signal.aborted) {
      let walking = false
      try {
        let sealed = 0
        for (let n = BATCH; n === BATCH; sealed += n) n = await sealNext(app.db, lookBack)
        lookBack = LATE
        walking = await checkOn(app.db, await held())
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

/** Anchors the end of the chain. If the anchored end is missing, reports this once and keeps the anchor. */
export async function holdToAnchor(app: App, anchor: Anchor, anchored: Place | undefined): Promise<void> {
  const broken = await cutBefore(app.db, anchored)
  if (!broken) return anchor.note(await endOfChain(app.db))
  if (!anchored || !(await noteBroken(app.db, anchored, broken))) return
  app.log.error({ ...broken, anchored }, 'the action log was cut or altered: its anchored end is not in the database')
  await changed(app.db, 'log')
}
