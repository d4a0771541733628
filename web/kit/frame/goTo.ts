import { ownPath } from './address.ts'

let go: (path: string) => void = (path) => globalThis.location.assign(path)

/** Opens a path of the app from outside the router, for instance from a notification. Ignores foreign addresses. */
export function goTo(path: string): void {
  const own = ownPath(path)
  if (own) go(own)
}

/** Sets the navigation function; the app calls this at start. */
export const setGoTo = (how: (path: string) => void): void => {
  go = how
}
