import { ApiError } from '../api/client.ts'

/** What became of one row of a bulk act. */
export interface RowResult {
  id: number
  name: string
  /** Why it was refused; absent: it was begun. */
  error?: string
}

/** At most this many calls at once, so that a bulk act does not crowd out everybody else's. */
const AT_ONCE = 4

/**
 * One call per row; a refusal ends that row only. `told` hears of each row as it ends.
 * Answers in the order of `rows`.
 */
export async function eachRow<R>(
  rows: readonly R[],
  name: (row: R) => { id: number; name: string },
  act: (row: R) => Promise<unknown>,
  told: (done: number) => void = () => undefined,
): Promise<RowResult[]> {
  const results: RowResult[] = []
  let next = 0
  let done = 0
  const lane = async () => {
    while (next < rows.length) {
      const at = next
      next += 1
      const row = rows[at]
      if (row === undefined) return
      try {
        await act(row)
        results[at] = name(row)
      } catch (error) {
        results[at] = { ...name(row), error: reasonOf(error) }
      }
      done += 1
      told(done)
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, rows.length) }, lane))
  return results
}

const reasonOf = (error: unknown): string =>
  error instanceof ApiError || error instanceof Error ? error.message : String(error)
