import type { BrowserStore } from '../../kit/frame/browserStore.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * When this person's visit before this one ended. A visit ends with an hour without a look at the home screen; the first
 * visit looks back one day. Stores `now` as a moment of the present visit.
 */
export function lastVisit(store: BrowserStore, now: Date): Date {
  const [seen = 0, before = 0] = (store.read() ?? '').split(' ').map(Number)
  const isSameVisit = now.getTime() - seen < HOUR_MS
  const since = (isSameVisit ? before : seen) || now.getTime() - DAY_MS
  store.write(`${now.getTime()} ${since}`)
  return new Date(since)
}
