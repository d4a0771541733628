import { createStore, useStore } from '../frame/store.ts'

/** Time zone of all displayed times: the person's choice, or the browser's zone. */
const zone = createStore<string | undefined>(undefined)

export const shownZone = zone.get

/** Sets the zone; null selects the browser's. */
export function setZone(name: string | null): void {
  zone.set(name && isZone(name) ? name : undefined)
}

/** Re-renders the component when the zone changes. */
export const useZone = (): string | undefined => useStore(zone)

/** Whether this browser knows the zone; the server's list may be newer. */
function isZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false // RangeError: an unknown zone, so the browser's zone applies
  }
}

/** `Oslo` for Europe/Oslo: the zone within a sentence. */
export const zoneName = (name: string): string => name.split('/').at(-1)!.replaceAll('_', ' ')
