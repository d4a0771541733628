import { setTimeout as wait } from 'node:timers/promises'

/** Requests to one help desk, at most `most` at a time. */
export interface Lane {
  /** Runs a request as soon as a place is free; one that comes back without an answer is undefined. */
  run<T>(request: () => Promise<T>): Promise<T>
  /** The help desk is busy: no request starts for so many milliseconds, and fewer run at a time from then on. */
  slow(ms: number): void
  /** Whether so many requests in a row came back without an answer that the help desk is away. */
  isSilent(): boolean
}

export function openLane(most: number): Lane {
  let places = most
  let running = 0
  let until = 0
  let inVain = 0
  const waiting: (() => void)[] = []
  const free = () => {
    while (running < Math.floor(places) && waiting.length) {
      running += 1
      waiting.shift()?.()
    }
  }
  return {
    async run(request) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        free()
      })
      try {
        for (let left = until - Date.now(); left > 0; left = until - Date.now()) await wait(left)
        inVain += 1 // until it is answered
        const answer = await request()
        if (answer === undefined) return answer
        inVain = 0
        places = Math.min(most, places + 1 / most) // a place more after some answers
        return answer
      } finally {
        running -= 1
        free()
      }
    },
    slow(ms) {
      until = Math.max(until, Date.now() + ms)
      places = Math.max(1, places / 2)
    },
    isSilent: () => inVain > 3 * most,
  }
}

/**
 * Yields what `read` makes of each item, in the order of the items. Reads `ahead` items before they are asked for, so
 * that reading continues while the caller writes.
 */
export async function* readAhead<T, R>(
  items: readonly T[],
  ahead: number,
  read: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const begun: Promise<R>[] = []
  const begin = (item: T) => {
    const made = read(item)
    made.catch(() => {}) // thrown when its turn comes; a caller that stops earlier never gets the error
    begun.push(made)
  }
  for (const item of items.slice(0, ahead)) begin(item)
  for (let n = 0; n < items.length; n++) {
    const made = await begun[n]! // item n was begun with item n - ahead
    const next = items[n + ahead]
    if (next !== undefined) begin(next)
    yield made
  }
}
