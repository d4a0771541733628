import type { SessionUser } from '@innkeeper/contract/access/auth'
import { createStore, useStore } from '../frame/store.ts'

/** The user of a visitor without a session (spec §3: fixed defaults). */
export const guest: SessionUser = {
  id: 0,
  profileId: 0,
  username: 'guest',
  email: '',
  name: 'Guest',
  jwt: '',
  wsKey: '',
  isAdmin: false,
  scopes: [],
  departmentId: null,
  darkTheme: false,
  showReviewedEscalations: false,
  profileImage: null,
}

const KEY = 'innkeeper.user'
/**
 * Fields that survive a reload. `jwt` is the mark of the session, which opens nothing: the token is in a cookie.
 * colourScheme.ts stores the theme separately.
 */
const kept = ['jwt', 'scopes', 'isAdmin', 'id', 'name', 'profileImage'] as const

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The signed-in user, synchronised between tabs. Makes no calls itself; the API client reads the mark of the session here. */
export function createSession(storage?: Storage) {
  const user = createStore(read(storage?.getItem(KEY)))

  function set(next: SessionUser) {
    if (next.jwt) storage?.setItem(KEY, JSON.stringify(Object.fromEntries(kept.map((key) => [key, next[key]]))))
    else storage?.removeItem(KEY)
    user.set(next)
  }

  return {
    get user() {
      return user.get()
    },
    signIn: (next: SessionUser) => set(next),
    signOut: () => set(guest),
    update: (some: Partial<SessionUser>) => set({ ...user.get(), ...some }),
    /** Applies a change from another tab (sign-in, sign-out, new scopes) without writing to storage. */
    follow(key: string | null, value: string | null) {
      if (key !== KEY && key !== null) return
      const next = read(value)
      user.set(next.jwt === user.get().jwt ? { ...user.get(), ...next } : next)
    },
    subscribe: user.subscribe,
  }
}

/** Reads the stored fields over the guest's defaults; invalid text yields the guest. */
function read(text: string | null | undefined): SessionUser {
  if (!text) return guest
  try {
    const found: unknown = JSON.parse(text)
    if (typeof found !== 'object' || found === null || !('jwt' in found) || typeof found.jwt !== 'string') return guest
    const scopes = 'scopes' in found && Array.isArray(found.scopes) ? found.scopes.filter(isText) : []
    return {
      ...guest,
      jwt: found.jwt,
      scopes,
      isAdmin: 'isAdmin' in found && found.isAdmin === true,
      id: 'id' in found && typeof found.id === 'number' ? found.id : 0,
      name: 'name' in found && isText(found.name) ? found.name : guest.name,
      profileImage: 'profileImage' in found && isText(found.profileImage) ? found.profileImage : null,
    }
  } catch {
    return guest // truncated or foreign text: the person signs in again
  }
}
const isText = (value: unknown): value is string => typeof value === 'string'

export const session = createSession(globalThis.localStorage)
globalThis.addEventListener?.('storage', (event) => session.follow(event.key, event.newValue))

export const useSession = (): SessionUser => useStore({ subscribe: session.subscribe, get: () => session.user })
