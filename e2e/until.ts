import { letPass } from '../bin/pass.ts'

/** Polls until the result is truthy and answers it. Throws with `what` and the last error after `ms`. */
export async function until<T>(
  what: string,
  ms: number,
  ask: () => Promise<T | false | undefined>,
  everyMs = 50,
): Promise<T> {
  let last: unknown
  for (const end = performance.now() + ms; performance.now() < end; await letPass(everyMs, 'between two looks'))
    try {
      const answer = await ask()
      if (answer) return answer
      last = undefined
    } catch (error) {
      last = error // the service may be down on purpose: try again
    }
  throw new Error(`Not true after ${ms} ms: ${what}`, { cause: last })
}

/** Polls until nothing is left, for as long as the number falls. Throws with `what` after `stillMs` without progress. */
export async function untilNone(what: string, count: () => Promise<number>, stillMs = 60_000): Promise<void> {
  let least = Number.POSITIVE_INFINITY
  for (let since = performance.now(); ; await letPass(250, 'between two looks')) {
    const now = await count()
    if (now === 0) return
    if (now < least) since = performance.now()
    least = Math.min(least, now)
    if (performance.now() - since > stillMs) throw new Error(`${now} are left, as ${stillMs} ms before: ${what}`)
  }
}
