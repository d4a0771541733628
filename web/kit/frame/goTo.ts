import { ownPath } from './address.ts'

let go: (path: string) => void = (path) => globalThis.location.assign(path)

/** Opens a path of the app from outside the router, as notices are. Anything else is not followed. */
export function goTo(path: string): void {
  const own = ownPath(path)
  if (own) go(own)
}

/** The app says how, once it is there. */
export const setGoTo = (how: (path: string) => void): void => {
  go = how
}
