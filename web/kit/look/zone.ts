import { createStore, useStore } from '../frame/store.ts'

/** The zone that times are shown in: the person's own choice, else the browser's. */
const zone = createStore<string | undefined>(undefined)

export const shownZone = zone.get

/** Null: the browser's. */
export function setZone(name: string | null): void {
  zone.set(name && isZone(name) ? name : undefined)
}

/** For who has to draw every time anew. */
export const useZone = (): string | undefined => useStore(zone)

/** A browser may be older than the server's list of zones. */
function isZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false // RangeError: it does not know that one, its own is shown
  }
}
