import type { App } from '../app/app.ts'
import { inParallel } from '../app/inParallel.ts'
import { isAway } from '../db/failures.ts'
import { Refusal } from '../http/errors.ts'

interface Ways<T> {
  /** Most items at a time; 1 by default. */
  atOnce?: number
  /** What follows a refusal. By default the next round tries again, and a refusal that is no 409 or 5xx is logged. */
  refused?: (item: T, why: Refusal) => unknown
  /** What follows any other error, which is logged before. */
  failed?: (item: T, error: unknown) => unknown
}

/**
 * Works on each item of a round of scheduled work. An item that fails does not keep the other items from their turn.
 * `name` is the title of the log lines. Rejects when the database is away.
 */
export async function eachOf<T extends number | object>(
  { log }: Pick<App, 'log'>,
  name: string,
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
  { atOnce = 1, refused, failed }: Ways<T> = {},
): Promise<void> {
  await inParallel(items, atOnce, async (item) => {
    try {
      await work(item)
    } catch (error) {
      if (isAway(error)) throw error
      if (error instanceof Refusal && refused) return refused(item, error)
      if (error instanceof Refusal && (error.status === 409 || error.status >= 500)) return undefined
      log.error({ err: error, id: idOf(item) }, name)
      return failed?.(item, error)
    }
  })
}

/** The id of an item. The log does not get more of it, because an item may contain secrets. */
const idOf = (item: number | object) => (typeof item === 'number' ? item : 'id' in item ? item.id : undefined)
