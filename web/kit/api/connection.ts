import { createStore, useStore } from '../frame/store.ts'

/** Milliseconds before a lost connection is shown, so that short gaps stay invisible. */
const SHORT = 3000

const away = createStore(false)
let timer: ReturnType<typeof setTimeout> | undefined

/** Records whether the socket is connected. */
export function setLine(up: boolean): void {
  clearTimeout(timer)
  if (up) away.set(false)
  else timer = setTimeout(away.set, SHORT, true)
}

/** Whether the connection has been lost for longer than a short gap. */
export const useAway = (): boolean => useStore(away)
