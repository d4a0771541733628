/** Maximum number of refused calls of one person, or of all guests together, that get log rows within some minutes. */
const LOGGED = 2000
const MINUTES = 15

/** Bounds the log rows of refused calls, because anybody can cause refusals, and log rows are permanent. */
export interface Refusals {
  /** Counts a refusal by a person (0: guests). `isFirstLost`: the first that gets no row. */
  count(staffId: number): { isLogged: boolean; isFirstLost: boolean }
}

export function refusals(most = LOGGED, now = () => performance.now()): Refusals {
  const counts = new Map<number, { since: number; n: number }>()
  return {
    count(staffId) {
      const found = counts.get(staffId)
      const counted = found && now() - found.since < MINUTES * 60_000 ? found : { since: now(), n: 0 }
      counted.n += 1
      counts.set(staffId, counted)
      return { isLogged: counted.n <= most, isFirstLost: counted.n === most + 1 }
    },
  }
}
