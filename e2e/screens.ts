import { join } from 'node:path'
import { repository } from './innkeeper.ts'

export interface ScreenPlace {
  /** `/websites/$id` */
  path: string
  title: string
  /** Its guard, and what its calls need; none: whoever is signed in. */
  scopes: string[]
}
interface Route {
  fullPath: string
  options: { staticData?: { place?: { title: string; scope: Scopes; needs?: Scopes } } }
}
type Scopes = string | readonly string[]

const routes = join(repository, 'web/routes.tsx')

/** Is in no build: only the development server has it. */
const DEVELOPERS = '/kit'

/** Every screen of web/routes.tsx, as the app itself knows them. Paths with a parameter need one: see `fill`. */
export async function readScreens(): Promise<ScreenPlace[]> {
  // by name, so that these tests' types do not depend on the web's: that has a compiler configuration of its own
  const { createAppRouter } = (await import(routes)) as { createAppRouter: () => { routesById: Record<string, Route> } }
  return Object.values(createAppRouter().routesById).flatMap(({ fullPath, options }) => {
    const place = options.staticData?.place
    if (!place || fullPath === '/$' || fullPath === DEVELOPERS) return []
    const scopes = [place.scope, place.needs ?? []].flat().filter((scope) => scope !== 'signedIn' && scope !== 'public')
    return { path: fullPath, title: place.title, scopes: [...new Set(scopes)].sort() }
  })
}

/** Puts values in the place of `$names`; throws for a name that has none, so that a new screen is not forgotten. */
export const fill = (path: string, values: Record<string, string | number>): string =>
  path.replace(/\$(\w+)/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${path}: this test knows no ${name}`)
    return String(value)
  })
