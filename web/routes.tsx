import { createRootRoute, createRoute, createRouter, Outlet } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { guestOnly, mayOpen, type Place, signedIn } from './kit/guard.ts'
import { Hosts } from './kit/Hosts.tsx'
import { lazyScreen } from './kit/lazyScreen.tsx'
import { Skeletons } from './kit/Skeletons.tsx'
import { StartError } from './kit/StartError.tsx'

/** Plain text in, plain text out: an address can be read and written by people. Lists parse their own. */
export type Search = Record<string, string>

const root = createRootRoute({
  validateSearch: (search: Record<string, unknown>): Search =>
    Object.fromEntries(Object.entries(search).map(([key, value]) => [key, String(value)])),
  component: () => (
    <>
      <Outlet />
      <Hosts />
    </>
  ),
})

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  beforeLoad: guestOnly,
  staticData: { place: { scope: 'public', title: 'Sign in' } },
  component: lazyScreen(() => import('./login/LoginScreen.tsx')),
})

const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async (context) => {
    await signedIn(context)
    mayOpen(context)
  },
  component: lazyScreen(() => import('./shell/Shell.tsx')),
})

const screen = <const P extends string>(path: P, place: Place, load: () => Promise<{ default: ComponentType }>) =>
  createRoute({ getParentRoute: () => inside, path, staticData: { place }, component: lazyScreen(load) })

/** One line per screen. */
const tree = root.addChildren([
  login,
  inside.addChildren([
    screen('/', { scope: 'signedIn', title: 'Home' }, () => import('./home/HomeScreen.tsx')),
    screen('$', { scope: 'signedIn', title: 'Page not found' }, () => import('./home/NotFound.tsx')),
  ]),
])

export const router = createRouter({
  routeTree: tree,
  defaultPreload: 'intent',
  defaultPendingMs: 300,
  defaultPendingComponent: Skeletons,
  defaultErrorComponent: StartError,
  scrollRestoration: true,
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(Object.entries(search).filter(([, value]) => value !== undefined && value !== ''))
    return text.size ? `?${text}` : ''
  },
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
