import { globSync } from 'node:fs'
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

/** Every screen of the web, as web/routes.tsx joins them. Paths with parameters need values: see `fill`. */
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

type PathValues = Record<string, string | number>
type Fixture = (ground: object) => Promise<Record<string, PathValues>>

/**
 * Runs the fixture of each web domain (see web/test/screenFixture.ts), one after another, and answers the values of all paths.
 * `ground` is the `Ground` of that file.
 */
export async function addFixtures(ground: object): Promise<Record<string, PathValues>> {
  const values: Record<string, PathValues> = {}
  for (const file of globSync(join(repository, 'web/*/*/test/fixture.ts')).sort()) {
    const { fixture } = (await import(file)) as { fixture: Fixture }
    Object.assign(values, await fixture(ground))
  }
  return values
}

/** Replaces `$names` in a path. Throws for a path without values, so that every new screen gets a fixture. */
export const fill = (path: string, values: Record<string, PathValues>): string =>
  path.replace(/\$(\w+)/g, (_, name: string) => {
    const value = values[path]?.[name]
    if (value === undefined) throw new Error(`No fixture.ts below web/ has the ${name} of ${path}`)
    return String(value)
  })
