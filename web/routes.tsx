import { createRootRoute, createRoute, createRouter, type RouterHistory, useMatch } from '@tanstack/react-router'
import { type Domain, type Screen, screen } from './domain.ts'
import * as domains from './domains.ts'
import { guestOnly, mayOpen, signedIn } from './kit/access/guard.ts'
import { session, useSession } from './kit/access/session.ts'
import { cancelQuestions } from './kit/dialogs/dialogs.ts'
import { lazyScreen } from './kit/frame/lazyScreen.tsx'
import { Skeletons } from './kit/frame/Skeletons.tsx'
import { PageError, StartError } from './kit/frame/StartError.tsx'
import { subjectOf } from './kit/frame/subject.ts'
import { state } from './stated.ts'

/** Search parameters as plain text, so that people can read and write addresses. Lists parse their own parameters. */
type Search = Record<string, string>

const root = createRootRoute({
  validateSearch: (search: Record<string, unknown>): Search =>
    Object.fromEntries(Object.entries(search).map(([key, value]) => [key, String(value)])),
})

const Shell = lazyScreen(() => import('./shell/Shell.tsx'))
const VisitorFrame = lazyScreen(() => import('./desk/files/visitors/VisitorFrame.tsx'))
const Around = () => (useSession().jwt ? <Shell /> : <VisitorFrame />)

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  beforeLoad: guestOnly,
  errorComponent: PageError,
})

const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async (context) => {
    // preloads the frame while the session is checked
    void (session.user.jwt ? Shell : VisitorFrame).preload()
    context.matches.at(-1)?.staticData.preload?.()
    await signedIn(context)
    mayOpen(context)
  },
  component: Around,
  errorComponent: PageError,
})

const routeOf = <const P extends string>({ path, place, load }: Screen<P>) => {
  const Shown = lazyScreen(load)
  // the key resets all state, and closes every dialog, when the address names another row
  const Anew = () => <Shown key={useMatch({ strict: false, select: (match) => subjectOf(match, place.about) })} />
  return createRoute({
    getParentRoute: () => inside,
    path,
    staticData: { place, preload: Shown.preload },
    component: place.stays ? Shown : Anew,
  })
}

/** One route per screen of a domain, for typed links: the paths of all screens, each with its parameters. */
type RouteOf<S> = S extends Screen<infer P> ? ReturnType<typeof routeOf<P>> : never
type ScreenOf<D> = D extends { screens: readonly (infer S)[] } ? S : never
type DomainRoute = RouteOf<ScreenOf<(typeof domains)[keyof typeof domains]>>

const stated: readonly Domain[] = Object.values(domains)
state(stated)
// built screen by screen, which the compiler cannot follow
const routes = stated.flatMap((domain) => domain.screens ?? []).map(routeOf) as unknown as DomainRoute[]

/** Tests read this file without Vite, as the production build */
const isDeveloping = import.meta.env?.DEV === true
/** The kit in every state. An empty list for the types: its path is typed by hand. */
const forDevelopers = (
  isDeveloping
    ? [routeOf(screen('/kit', { scope: 'signedIn', title: 'Kit' }, () => import('./showcase/KitScreen.tsx')))]
    : []
) as []

const tree = root.addChildren([login, inside.addChildren([...routes, ...forDevelopers])])

export function createAppRouter(history: RouterHistory) {
  const router = createRouter({
    routeTree: tree,
    history,
    defaultPreload: 'intent',
    defaultPendingMs: 300,
    defaultPendingComponent: Skeletons,
    defaultErrorComponent: StartError,
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const set = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
      const text = new URLSearchParams(set).toString()
      return text && `?${text}`
    },
  })
  // a question is about the page on which it was asked
  router.subscribe('onBeforeLoad', ({ pathChanged }) => pathChanged && cancelQuestions())
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
