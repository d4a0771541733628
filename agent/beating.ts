import { setTimeout as sleep } from 'node:timers/promises'
import type { DoorAnswer, Heartbeat } from '@innkeeper/contract/agent/door'
import type { Door } from './door.ts'
import { troubled } from './runner.ts'

interface Beating {
  say: () => Promise<Heartbeat>
  stopped: AbortSignal
  /** Called with each answer of the control plane. */
  heard: (answer: DoorAnswer<'/agent/heartbeat'>) => void
  /** Called when the network works again after an outage. */
  back: () => void
  everyMs?: number
  /** A heartbeat that takes longer means that the network is down or the control plane is busy. */
  slowMs?: number
}

/**
 * Sends a heartbeat every few seconds until `stopped` aborts. Requests that were open during a network outage wait for
 * TCP retransmission, whose interval doubles each time. `back` is therefore called on the first fast heartbeat after a
 * failed or slow one. A slow heartbeat is repeated at once. When the repeat is slow too, the control plane is busy, and
 * sending all requests again would add to its load.
 */
export async function beating(door: Door, beats: Beating): Promise<void> {
  const { say, stopped, heard, back, everyMs = 5000, slowMs = 2000 } = beats
  let away = false
  while (!stopped.aborted)
    try {
      const words = await say()
      const asked = performance.now()
      const answer = await door.ask('/agent/heartbeat', words, stopped)
      const slow = performance.now() - asked > slowMs
      if (away && !slow) back()
      away = slow
      heard(answer)
      if (!slow) await sleep(everyMs, undefined, { signal: stopped }).catch(() => {}) // an abort ends the loop
    } catch (error) {
      away = true
      if (!stopped.aborted) await troubled('heartbeat', error, stopped)
    }
}
