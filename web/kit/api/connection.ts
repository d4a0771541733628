import { useSyncExternalStore } from 'react'

/** A short gap is nobody's business, milliseconds. */
const SHORT = 3000

let away = false
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()
const set = (next: boolean) => {
  if (away === next) return
  away = next
  for (const tell of [...listeners]) tell()
}

/** Told by the socket: is the line to the server there. */
export function setLine(up: boolean): void {
  clearTimeout(timer)
  if (up) set(false)
  else timer = setTimeout(set, SHORT, true)
}

/** Are live updates away, and for longer than a blink? */
export const useAway = (): boolean =>
  useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    () => away,
  )
