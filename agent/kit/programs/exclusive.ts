import { AsyncLocalStorage } from 'node:async_hooks'
import { awaited } from '../patience/patience.ts'
import { speaker } from '../patience/speaker.ts'

const tails = new Map<string, Promise<unknown>>()
/** The operation that runs now, per key. */
const holders = new Map<string, string>()

/**
 * Runs one task at a time per key, in the order of the calls: two websites of one server must not reload its web server
 * or write /etc/passwd at once. The lock covers this process only; no other process makes these changes for Innkeeper.
 * The log of an operation that waits says for which one.
 */
export async function exclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = tails.get(key) ?? Promise.resolve()
  const held = async () => {
    holders.set(key, speaker()?.name ?? 'another operation')
    try {
      return await work()
    } finally {
      holders.delete(key)
    }
  }
  const free = before.catch(() => {}) // the caller of the previous task handles its failure
  const mine = free.then(held)
  tails.set(key, mine)
  try {
    await turnOf(key, free)
    return await mine
  } finally {
    if (tails.get(key) === mine) tails.delete(key)
  }
}

const turnOf = (key: string, free: Promise<unknown>) =>
  awaited(() => `waits for ${holders.get(key) ?? 'another operation'}, which changes ${key}`, free)

/** Changes that wait for their turn together. */
interface Waiting {
  changes: unknown[]
  tail: Promise<unknown> | undefined
  begun: Promise<void>
  ended: Promise<PromiseSettledResult<unknown>[]>
}
const waiting = new Map<string, Waiting>()
/** A hundred changes at once would keep the first one from its end for long. */
const MOST = 32

/**
 * As `exclusive`, for changes of which one run can take several, such as websites that need one reload: a change joins
 * those that wait if nobody else has asked behind them. `work` answers the result of each, in the order of the changes.
 */
export async function grouped<C, R>(
  key: string,
  change: C,
  work: (changes: readonly C[]) => Promise<PromiseSettledResult<R>[]>,
): Promise<R> {
  const last = waiting.get(key)
  const mine = last && last.tail === tails.get(key) && last.changes.length < MOST ? last : gather(key, work)
  const place = mine.changes.push(change) - 1
  await turnOf(key, mine.begun)
  const results = (await mine.ended) as PromiseSettledResult<R>[] // of the same key, and so of the same work
  const result = results[place]
  if (!result) throw new Error(`a change of ${key} got no result`)
  if (result.status === 'rejected') throw result.reason
  return result.value
}

function gather<C, R>(key: string, work: (changes: readonly C[]) => Promise<PromiseSettledResult<R>[]>): Waiting {
  const begun = Promise.withResolvers<void>()
  const changes: C[] = []
  const ended = exclusive(key, async () => {
    if (waiting.get(key) === mine) waiting.delete(key)
    begun.resolve()
    return work(changes)
  })
  const mine: Waiting = { changes, begun: begun.promise, ended, tail: tails.get(key) }
  waiting.set(key, mine)
  return mine
}

/** Work that may run beside other work; `own`: what no two of them may change at once. */
interface Beside {
  own: string
  work: () => Promise<unknown>
}
/** More at once take longer together on a small server than one after the other. */
const MOST_BESIDE = 4

/**
 * As `exclusive`, for work that concerns a part with a service of its own, such as a pool of PHP: what waits together runs at the
 * same time, where `own` is the same one after the other. Work that is `exclusive` for the key has all parts for itself.
 */
export async function beside<T>(key: string, own: string, work: () => Promise<T>): Promise<T> {
  // says in the log of its own operation for what it waits
  const as = AsyncLocalStorage.snapshot()
  return (await grouped<Beside, unknown>(key, { own, work: () => as(work) }, allBeside)) as T // what `work` answers
}

async function allBeside(all: readonly Beside[]): Promise<PromiseSettledResult<unknown>[]> {
  const results: PromiseSettledResult<unknown>[] = []
  const lines = [...Map.groupBy(all.entries(), ([, { own }]) => own).values()]
  const take = async () => {
    for (let line = lines.shift(); line; line = lines.shift())
      for (const [place, { work }] of line) {
        const [result] = await Promise.allSettled([work()])
        results[place] = result
      }
  }
  await Promise.all(Array.from({ length: MOST_BESIDE }, take))
  return results
}
