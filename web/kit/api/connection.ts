import { createStore, useStore } from '../frame/store.ts'

/** A short gap is nobody's business, milliseconds. */
const SHORT = 3000

const away = createStore(false)
let timer: ReturnType<typeof setTimeout> | undefined

/** Told by the socket: is the line to the server there. */
export function setLine(up: boolean): void {
  clearTimeout(timer)
  if (up) away.set(false)
  else timer = setTimeout(away.set, SHORT, true)
}

/** Are live updates away, and for longer than a blink? */
export const useAway = (): boolean => useStore(away)
