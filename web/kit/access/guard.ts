import { type Access, missing } from '@innkeeper/contract/access'
import { redirect } from '@tanstack/react-router'
import { ownPath } from '../frame/address.ts'
import { validSession } from './account.ts'
import { session } from './session.ts'

/** What a screen says about itself, in its domain's domain.ts. */
export interface Place {
  /** The spec's guard: without all of it the screen is not opened. */
  scope: Access
  /** Of its calls: without all of it the screen says what is missing. */
  needs?: Access
  title: string
}

/** A screen that was refused: home says what was missing. */
export interface Denied {
  title: string
  lacks: string[]
}

interface Opening {
  location: { href: string }
  matches: { staticData: { place?: Place } }[]
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    place?: Place
    /** Fetches the code of the screen. */
    preload?: () => unknown
  }
  interface HistoryState {
    denied?: Denied
  }
}

/** RP2-006: who holds a session has nothing to do at /login and goes on to where they were going. */
export async function guestOnly({ search }: { search: Record<string, string> }): Promise<void> {
  if (!(await validSession())) return // the gate shows the sign-in page
  const url = new URL(ownPath(search.to) ?? '/', 'http://here')
  throw redirect({ to: url.pathname, search: Object.fromEntries(url.searchParams), replace: true })
}

/** RP6-006, RP4-008: the kept session is asked after before the first screen opens. */
export async function signedIn({ location, matches }: Opening): Promise<void> {
  if (await validSession()) return
  if (matches.at(-1)?.staticData.place?.scope === 'public') return
  throw redirect({ to: '/login', search: location.href === '/' ? {} : { to: location.href }, replace: true })
}

/** RP6-005: a screen needs every scope it lists; who lacks one goes home and reads which. */
export function mayOpen({ matches }: Pick<Opening, 'matches'>): void {
  const place = matches.at(-1)?.staticData.place
  const lacks = missing(session.user, place?.scope ?? 'signedIn')
  if (place && lacks.length)
    throw redirect({ to: '/', state: { denied: { title: place.title, lacks } }, replace: true })
}
