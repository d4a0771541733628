import { type SQL, sql } from 'drizzle-orm'
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
  app: Pick<App, 'log'>,
  name: string,
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
  { atOnce = 1, refused, failed }: Ways<T> = {},
): Promise<void> {
  await inParallel(items, atOnce, async (item) => {
    const id = idOf(item)
    try {
      await work(item)
      noteTry(app, name, id, true)
    } catch (error) {
      if (isAway(error)) throw error
      noteTry(app, name, id, false)
      if (error instanceof Refusal && refused) return refused(item, error)
      if (error instanceof Refusal && (error.status === 409 || error.status >= 500)) return undefined
      app.log.error({ err: error, id }, name)
      return failed?.(item, error)
    }
  })
}

/** The id of an item. The log does not get more of it, because an item may contain secrets. */
const idOf = (item: number | object) => (typeof item === 'number' ? item : 'id' in item ? item.id : undefined)

/** Items of each round that failed since they last succeeded, in the order of their failures. Every process has its own. */
const failures = new WeakMap<object, Map<string, Set<number>>>()
const MOST_KNOWN = 1000

function noteTry(app: object, name: string, id: unknown, isDone: boolean): void {
  if (typeof id !== 'number') return
  const rounds = failures.get(app) ?? new Map<string, Set<number>>()
  failures.set(app, rounds)
  const known = rounds.get(name) ?? new Set()
  rounds.set(name, known)
  known.delete(id)
  if (isDone) return
  known.add(id)
  const [oldest] = known
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest)
}

/**
 * For `order by`, before all else, where a round takes only some of what is due: what failed stands behind what did not.
 * Otherwise items that fail each time would stay first in line, and the others would never have their turn. `name` is that of
 * `eachOf`.
 */
export const failedLast = (app: object, name: string, id: SQL): SQL =>
  sql`coalesce(array_position(${sql.param([...(failures.get(app)?.get(name) ?? [])])}::int[], ${id}), 0)`
