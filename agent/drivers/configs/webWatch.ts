import { readdir } from 'node:fs/promises'
import { absent, probe, service, until } from '../../kit/host.ts'
import { markPath } from '../webServer/siteFile.ts'
import { sitesOf } from '../webServer/webPaths.ts'
import type { WebServer } from '../webServer/webServer.ts'

const MOST = 200
/** A name that this web server serves, not a pattern or the default. */
const isName = (name: string) => /^[a-z0-9][a-z0-9.-]*\.[a-z0-9-]+$/.test(name)

interface Seen {
  /** Status and text of Innkeeper's own mark, which shows which file serves the name. */
  mark: string | undefined
  status: number | undefined
}

/**
 * Requests each served name before a change. After the change, each name that is still configured must answer from the
 * same file, and without a new server error.
 */
export const webWatch = (web: WebServer) => async () => {
  const ran = (await service(web.unit).state()) === 'active'
  const before = ran ? await look(await namesOf(web).catch(() => namesInSites(web))) : new Map<string, Seen>()
  return async () => {
    if (!ran) return
    if ((await service(web.unit).settled()) !== 'active') throw new Error(`${web.title} does not run any more`)
    const still = new Set(await namesOf(web))
    const wanted = [...before].filter(([name]) => still.has(name))
    await until({
      what: `${web.title} answers as before`,
      unit: web.unit,
      async look() {
        const after = await look(wanted.map(([name]) => name))
        const worse = wanted.map(([name, was]) => worseOf(name, was, after.get(name))).find(Boolean)
        if (worse) throw new Error(`${web.title} reads the files, but ${worse}`)
      },
    })
  }
}

const namesOf = async (web: WebServer): Promise<string[]> =>
  [...(await web.test()).names.keys()].filter(isName).slice(0, MOST)
/** The names of Innkeeper's websites from their file names, for a configuration that fails the server's check. */
const namesInSites = async (web: WebServer): Promise<string[]> =>
  ((await readdir(sitesOf(web)).catch(absent)) ?? [])
    .flatMap((name) => /^(.+)\.conf$/.exec(name)?.[1] ?? [])
    .filter(isName)
    .slice(0, MOST)

async function look(names: readonly string[]): Promise<Map<string, Seen>> {
  const seen = new Map<string, Seen>()
  for (let from = 0; from < names.length; from += 10)
    await Promise.all(
      names.slice(from, from + 10).map(async (name) => {
        const [page, mark] = [await probe('127.0.0.1', 80, name), await probe('127.0.0.1', 80, name, markPath)]
        seen.set(name, { status: page.status, mark: mark.status === 200 ? mark.text : undefined })
      }),
    )
  return seen
}

function worseOf(name: string, was: Seen, is: Seen | undefined): string | undefined {
  if (!is) return undefined
  if (was.mark?.startsWith(name) && is.mark !== was.mark) return `${name} is no longer served by its own file`
  if (was.status !== undefined && was.status < 500 && (is.status === undefined || is.status >= 500))
    return `${name} answers ${is.status ?? 'nothing'} instead of ${was.status}`
  return undefined
}
