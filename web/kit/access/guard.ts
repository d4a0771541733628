import { type Access, missing } from '@innkeeper/contract/kit/access'
import { redirect } from '@tanstack/react-router'
import { ownPath } from '../frame/address.ts'
import { validSession } from './account.ts'
import { session } from './session.ts'

/** Title and access rules of a route, from the domain.ts of its domain. */
export interface Place {
  /** Scopes of the specification; the guard refuses the route without all of them. */
  scope: Access
  /** Scopes of the screen's calls; without all of them the screen names the missing ones. */
  needs?: Access
  title: string
  /** Other words that people search the screen by. */
  words?: string
  /** Search parameters that name what the screen is about, as the parameters of the path do. */
  about?: readonly string[]
  /** The screen itself goes on from one row to the next. Others begin anew: nothing typed for a row reaches the next one. */
  stays?: true
}

/** A refused route and the missing scopes, shown on the home screen. */
export interface Denied {
  title: string
  lacks: string[]
  /** Path of the route, to ask for it and to open it again. */
  path: string
}

interface Opening {
  location: { href: string; pathname: string }
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

/** RP2-006: redirects a signed-in person from /login to the requested page. */
export async function guestOnly({ search }: { search: Record<string, string> }): Promise<void> {
  if (!(await validSession())) return // the gate shows the sign-in page
  const url = new URL(ownPath(search.to) ?? '/', 'http://here')
  throw redirect({ to: url.pathname, search: Object.fromEntries(url.searchParams), replace: true })
}

/** RP6-006, RP4-008: checks the stored session before the first screen opens. */
export async function signedIn({ location, matches }: Opening): Promise<void> {
  if (await validSession()) return
  if (matches.at(-1)?.staticData.place?.scope === 'public') return
  throw redirect({ to: '/login', search: location.href === '/' ? {} : { to: location.href }, replace: true })
}

/** RP6-005: redirects a person who lacks a scope of the route to the home screen, which names the missing scopes. */
export function mayOpen({ location, matches }: Opening): void {
  const place = matches.at(-1)?.staticData.place
  const lacks = missing(session.user, place?.scope ?? 'signedIn')
  if (place && lacks.length)
    throw redirect({
      to: '/',
      state: { denied: { title: place.title, lacks, path: location.pathname } },
      replace: true,
    })
}
