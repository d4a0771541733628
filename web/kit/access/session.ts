import type { SessionUser } from '@innkeeper/contract/auth'
import { createStore, useStore } from '../frame/store.ts'

/** A visitor without a session (spec §3: fixed placeholder defaults). */
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
/** What outlives the page; the dark theme is kept beside it, see colourScheme.ts. */
const kept = ['jwt', 'scopes', 'isAdmin', 'id', 'name', 'profileImage'] as const

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>

export type Session = ReturnType<typeof createSession>

/** Who is signed in, in this tab and in the others. Holds no calls: the client reads the token from here. */
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
    /** Another tab signed in, out, or got new scopes: follow without writing back. */
    follow(key: string | null, value: string | null) {
      if (key !== KEY && key !== null) return
      const next = read(value)
      user.set(next.jwt === user.get().jwt ? { ...user.get(), ...next } : next)
    },
    subscribe: user.subscribe,
  }
}

/** What was kept, over the guest's defaults; anything that is not ours is nobody. */
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
    return guest // cut off or written by somebody else: sign in again
  }
}
const isText = (value: unknown): value is string => typeof value === 'string'

export const session = createSession(globalThis.localStorage)
globalThis.addEventListener?.('storage', (event) => session.follow(event.key, event.newValue))

export const useSession = (): SessionUser => useStore({ subscribe: session.subscribe, get: () => session.user })
