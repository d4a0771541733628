import { ApiError } from '../api/client.ts'

/** Result of a bulk action for one row. */
export interface RowResult {
  id: number
  name: string
  /** Reason of a refusal; absent if the action was accepted. */
  error?: string
}

/** Maximum of parallel calls, so that a bulk action leaves capacity to other people. */
const AT_ONCE = 4

/**
 * Makes one call per row; a refusal affects that row only. Reports each row to `onProgress` and returns the results in the
 * order of `rows`.
 */
export async function eachRow<R>(
  rows: readonly R[],
  name: (row: R) => { id: number; name: string },
  act: (row: R) => Promise<unknown>,
  onProgress: (done: number) => void = () => undefined,
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
      onProgress(done)
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, rows.length) }, lane))
  return results
}

const reasonOf = (error: unknown): string =>
  error instanceof ApiError || error instanceof Error ? error.message : String(error)
