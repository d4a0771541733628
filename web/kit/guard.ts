import { type Access, missing } from '@innkeeper/contract/access'
import { type AnyRouter, redirect } from '@tanstack/react-router'
import { ownPath } from '../paths.ts'
import { validSession } from './account.ts'
import { session } from './session.ts'

/** What a screen says about itself, in routes.tsx. */
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

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    place?: Place
  }
  interface HistoryState {
    denied?: Denied
  }
}

/** RP2-006: who holds a session has nothing to do at the sign-in page. */
export async function guestOnly({ search }: { search: Record<string, string> }): Promise<void> {
  if (await validSession()) throw redirect(location(ownPath(search.to) ?? '/'))
}

/** RP6-006: without a session to the sign-in page, which leads back here. */
export async function signedIn(at: { location: { href: string } }): Promise<void> {
  if (!(await validSession())) throw redirect(login(at.location.href))
}

/** RP6-005: a screen needs every scope it lists; who lacks one goes home and reads which. */
export function mayOpen({ matches }: { matches: { staticData: { place?: Place } }[] }): void {
  const place = matches.at(-1)?.staticData.place
  const lacks = missing(session.user, place?.scope ?? 'signedIn')
  if (place && lacks.length)
    throw redirect({ to: '/', state: { denied: { title: place.title, lacks } }, replace: true })
}

/** Signing in or out, here or in another tab, moves every tab along; new scopes run the guards again. */
export function followSession(router: AnyRouter): void {
  let jwt = session.user.jwt
  let rights = session.user.scopes
  // one look after a log-out and log-in in one go (updateCredentials)
  const look = () => {
    const { user } = session
    const at = router.history.location
    const onLogin = at.pathname === '/login'
    if (!user.jwt && !onLogin) router.navigate(login(at.href))
    else if (user.jwt && onLogin && user.jwt !== jwt) {
      router.navigate(location(ownPath(new URLSearchParams(at.search).get('to')) ?? '/'))
    } else if (user.jwt && user.scopes !== rights) router.invalidate()
    jwt = user.jwt
    rights = user.scopes
  }
  session.subscribe(() => queueMicrotask(look))
}

const login = (from: string) => ({ to: '/login', search: from === '/' ? {} : { to: from }, replace: true })

function location(path: string) {
  const url = new URL(path, 'http://here')
  return { to: url.pathname, search: Object.fromEntries(url.searchParams), replace: true }
}
