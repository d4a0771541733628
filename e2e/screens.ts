import { join } from 'node:path'
import { repository } from './innkeeper.ts'

export interface ScreenPlace {
  /** Path such as `/websites/$id`. */
  path: string
  title: string
  /** Permissions of the route and its calls; none: every signed-in person. */
  scopes: string[]
}
interface Route {
  fullPath: string
  options: { staticData?: { place?: { title: string; scope: Scopes; needs?: Scopes } } }
}
type Scopes = string | readonly string[]

const routes = join(repository, 'web/routes.tsx')

/** Only the development server has this screen. */
const DEVELOPERS = '/kit'

/** Every screen of web/routes.tsx. Paths with parameters need values: see `fill`. */
export async function readScreens(): Promise<ScreenPlace[]> {
  // imported by name, because web has its own compiler configuration
  const { createAppRouter } = (await import(routes)) as { createAppRouter: () => { routesById: Record<string, Route> } }
  return Object.values(createAppRouter().routesById).flatMap(({ fullPath, options }) => {
    const place = options.staticData?.place
    if (!place || fullPath === '/$' || fullPath === DEVELOPERS) return []
    const scopes = [place.scope, place.needs ?? []].flat().filter((scope) => scope !== 'signedIn' && scope !== 'public')
    return { path: fullPath, title: place.title, scopes: [...new Set(scopes)].sort() }
  })
}

/** Replaces `$names` in a path. Throws for unknown names, so that a new screen gets a value here. */
export const fill = (path: string, values: Record<string, string | number>): string =>
  path.replace(/\$(\w+)/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${path}: this test has no value for ${name}`)
    return String(value)
  })
