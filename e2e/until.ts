import { letPass } from '../bin/pass.ts'

/** How long a test waits for what must come. A busy machine is late, not wrong: only a wait for what never comes takes this long. */
export const PATIENCE = 240_000

/**
 * Milliseconds until the next look: a twentieth of the time that has passed. A look costs the Innkeeper that is waited for a
 * request; twenty a second, of each test that waits, took a fifth of a slow machine.
 */
const pauseSince = (begun: number) => Math.min(500, Math.max(50, (performance.now() - begun) / 20))

/**
 * Polls until the result is truthy and answers it. Throws with `what` and the last error after `PATIENCE`. `everyMs` is for a
 * moment that passes.
 */
export async function until<T>(what: string, ask: () => Promise<T | false | undefined>, everyMs?: number): Promise<T> {
  let last: unknown
  const begun = performance.now()
  for (; performance.now() < begun + PATIENCE; await letPass(everyMs ?? pauseSince(begun), 'between two looks'))
    try {
      const answer = await ask()
      if (answer) return answer
      last = undefined
    } catch (error) {
      last = error // the service may be down on purpose: try again
    }
  throw new Error(`Not true after ${PATIENCE} ms: ${what}`, { cause: last })
}

interface Seen<T> {
  /** What was waited for, once it is there. */
  done?: T | undefined
  /** What can be seen of the progress. */
  seen: string
}

/** Polls until the look has what was waited for, and as long as what it sees changes. Throws with `what` after `PATIENCE` without a change. */
export async function untilStill<T>(what: string, look: () => Promise<Seen<T>>): Promise<T> {
  let [before, last]: [string, unknown] = ['', undefined]
  const begun = performance.now()
  for (let since = begun; performance.now() - since < PATIENCE; await letPass(pauseSince(begun), 'between two looks'))
    try {
      const { done, seen } = await look()
      if (done !== undefined) return done
      if (seen !== before) since = performance.now()
      before = seen
      last = undefined
    } catch (error) {
      last = error // the service may be down on purpose: try again
    }
  throw new Error(`Nothing has moved for ${PATIENCE} ms: ${what}. Last seen: ${before.slice(0, 2000)}`, { cause: last })
}

/** Polls until nothing is left, for as long as the number falls. Throws with `what` after `PATIENCE` without progress. */
export async function untilNone(what: string, count: () => Promise<number>): Promise<void> {
  let least = Number.POSITIVE_INFINITY
  for (let since = performance.now(); ; await letPass(250, 'between two looks')) {
    const now = await count()
    if (now === 0) return
    if (now < least) since = performance.now()
    least = Math.min(least, now)
    if (performance.now() - since > PATIENCE) throw new Error(`${now} are left, as ${PATIENCE} ms before: ${what}`)
  }
}
