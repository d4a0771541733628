import { setTimeout as sleep } from 'node:timers/promises'
import type { Heartbeat } from '@innkeeper/contract/agent/door'
import type { Door } from './door.ts'
import { troubled } from './runner.ts'

interface Beating {
  say: () => Promise<Heartbeat>
  stopped: AbortSignal
  /** After each that was answered. */
  heard: () => void
  /** The network was away and is there again. */
  back: () => void
  everyMs?: number
  /** Without an answer for so long: the network is away, or the control plane is busy. */
  slowMs?: number
}

/**
 * Says every few seconds how this machine fares, until it is stopped. Whatever was under way while the network was away
 * waits for its TCP, which tries again at twice the distance each time: so the network is back after a heartbeat that
 * failed, and after one that was slow where the next, asked at once, is not. (Where that is slow too the control plane is
 * busy, and asking all anew would keep it so.)
 */
export async function beating(door: Door, beats: Beating): Promise<void> {
  const { say, stopped, heard, back, everyMs = 5000, slowMs = 2000 } = beats
  let away = false
  while (!stopped.aborted)
    try {
      const words = await say()
      const asked = performance.now()
      await door.ask('/agent/heartbeat', words, stopped)
      const slow = performance.now() - asked > slowMs
      if (away && !slow) back()
      away = slow
      heard()
      if (!slow) await sleep(everyMs, undefined, { signal: stopped }).catch(() => {}) // stopped: the loop ends
    } catch (error) {
      away = true
      if (!stopped.aborted) await troubled('heartbeat', error, stopped)
    }
}
