import { useSyncExternalStore } from 'react'

/** The zone that times are shown in: the person's own choice, else the browser's. */
let zone: string | undefined
const listeners = new Set<() => void>()

export const shownZone = (): string | undefined => zone

/** Null: the browser's. */
export function setZone(name: string | null): void {
  zone = name && isZone(name) ? name : undefined
  for (const tell of [...listeners]) tell()
}

/** For who has to draw every time anew. */
export const useZone = (): string | undefined =>
  useSyncExternalStore((tell) => {
    listeners.add(tell)
    return () => listeners.delete(tell)
  }, shownZone)

/** A browser may be older than the server's list of zones. */
function isZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false // RangeError: it does not know that one, its own is shown
  }
}
