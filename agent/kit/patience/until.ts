import { setTimeout as sleep } from 'node:timers/promises'
import { patience, saysStill } from './patience.ts'
import { type Work, workOfUnit } from './processes.ts'

/** Part of a processor that a service takes which is at work. Answering our looks takes less. */
const WORKS = 0.03
const [SHORTEST_MS, LONGEST_MS] = [50, 1000]

interface Look<T> {
  /** For people: `rspamd answers`. */
  what: string
  /** The unit whose work is waited for, and whether systemd still starts it. */
  unit?: string
  starting?: () => Promise<boolean>
  /** Answers the value, or throws why not yet. */
  look: () => Promise<T>
}

/**
 * Repeats a look until it succeeds. While the unit starts or works, as a service does that loads its files on a slow machine,
 * it goes on; after a while of stillness the last reason is thrown.
 */
export async function until<T>({ what, unit, starting, look }: Look<T>): Promise<T> {
  const end = saysStill(`waits until ${what}`)
  let still = 0
  let before: (Work & { at: number }) | undefined
  let pause = SHORTEST_MS
  const began = performance.now()
  try {
    for (let last = began; ; ) {
      try {
        return await look()
      } catch (error) {
        await sleep(pause)
        pause = Math.min(LONGEST_MS, pause * 1.5)
        const now = performance.now()
        still += Math.min(now - last, patience.answerMs / 3) // less than the clock when this process was stopped
        last = now
        if (still < patience.answerMs / 3) continue
        const seen = unit ? { ...(await workOfUnit(unit)), at: now } : undefined
        if ((await starting?.()) || isAtWork(before, seen)) still = 0
        before = seen
        if (still >= patience.answerMs || now - began > patience.mostMs) throw error
      }
    }
  } finally {
    end()
  }
}

function isAtWork(before: (Work & { at: number }) | undefined, now: (Work & { at: number }) | undefined): boolean {
  if (!now) return false
  if (now.busy || !before) return now.busy
  const seconds = (now.at - before.at) / 1000
  return (now.ticks - before.ticks) / 100 > WORKS * seconds
}
