import { existsSync } from 'node:fs'
import { lstat, readdir, readFile, readlink, symlink } from 'node:fs/promises'
import type { Driver } from '../../kit/driver.ts'
import {
  absent,
  comesBack,
  ensureDirectory,
  exclusive,
  notes,
  probe,
  read,
  remove,
  replace,
  service,
} from '../../kit/host.ts'
import { isWelcome } from '../nginx/foreign.ts'
import { closeLogs } from './siteLogs.ts'
import { writePages } from './sitePages.ts'
import { sitesOf } from './webPaths.ts'
import type { WebServer } from './webServer.ts'

/** Both web servers use port 80. */
const key = 'the web server'
type Voice = Parameters<Driver<'nginx.ensure'>['run']>[0] | Parameters<Driver<'apache.ensure'>['run']>[0]

/**
 * Sets up a web server with the files that all websites share: refuses unknown names, and shows its generation. If
 * `other` has no websites, stops it to free ports 80 and 443.
 */
export const ensureWebServer = (web: WebServer, other: WebServer): Driver<'nginx.ensure' | 'apache.ensure'> => ({
  run: (c) =>
    exclusive(key, async () => {
      if (!existsSync(web.program)) throw new Error(`${web.title} is not installed: its package comes first`)
      const given = await read(other.main)
      if (given !== undefined) await checkFree(other)
      const welcome = await welcomeOf(web)
      if ((await read(web.main)) === undefined && (await notes.find(web.name, 'base'))?.by !== c.actionId)
        await notes.keep(web.name, 'base', c.actionId, {
          ...(given !== undefined && { given }),
          ...(welcome && { welcome }),
        })
      if (given !== undefined) await letGo(c, other)
      await ensureDirectory(web.folder) // workers read files of other drivers in it
      await ensureDirectory(sitesOf(web), { mode: 0o700 })
      await writePages()
      await closeLogs(web)
      if (welcome) await remove(web.placeholder)
      try {
        const { generation, changed } = await web.apply(c, () => web.base(), { check: () => refusesUnknown(web) })
        await service(web.unit).enable()
        await comesBack(web.unit)
        if (!changed) c.say(`${web.title} is set up already`)
        return { generation }
      } catch (error) {
        if (welcome) await symlink(welcome, web.placeholder)
        if (given !== undefined) await giveBack(c, other, given)
        throw error
      }
    }),
  /** Keeps the web server running, which may serve other content. */
  undo: (c) =>
    exclusive(key, async () => {
      const note = await notes.find(web.name, 'base')
      if (!note || !(note.by === c.actionId || note.about.left))
        return c.say(`${web.title} was set up before: it stays`)
      if ((await sitesIn(web)).length) {
        // whoever takes back the last website takes it back, too
        await notes.keep(web.name, 'base', note.by, { ...note.about, left: 'yes' })
        return c.say(`${web.title} serves websites: it stays`)
      }
      const { given, welcome } = note.about
      const free = (await lstat(web.placeholder).catch(absent)) === undefined
      if (welcome && free) await symlink(welcome, web.placeholder)
      if (given !== undefined) {
        await letGo(c, web)
        await giveBack(c, other, given)
      } else
        await web.leave(c, outside(web)).catch(async (error: unknown) => {
          if (welcome && free) await remove(web.placeholder)
          throw error
        })
      await notes.drop(web.name, 'base')
    }),
  async inspect({ task, actionId }) {
    if (task === 'undo') {
      const note = await notes.find(web.name, 'base')
      return note && (note.by === actionId || note.about.left) ? 'no' : 'yes'
    }
    return (await web.isServed(web.base())) ? 'yes' : 'no'
  },
})

/** Files outside the folder of Innkeeper that the web server reads by itself. */
const outside = (web: WebServer) => Object.keys(web.base()).filter((file) => !file.startsWith(`${web.folder}/`))

const sitesIn = async (web: WebServer) =>
  ((await readdir(sitesOf(web)).catch(absent)) ?? []).filter((name) => name.endsWith('.conf'))

/** Throws if the web server serves a website or anything that Innkeeper did not write. */
async function checkFree(web: WebServer): Promise<void> {
  const [site] = await sitesIn(web)
  if (site)
    throw new Error(`${web.title} serves websites here, ${site.slice(0, -'.conf'.length)} for one: move them first`)
  for (const [name, files] of (await web.test()).names)
    for (const file of files)
      if (file !== web.main && file !== web.placeholder && !file.startsWith(`${web.folder}/`))
        throw new Error(`${web.title} serves ${name} here, by ${file}, which Innkeeper did not write`)
}

/** Removes the main file last: while it exists, a retry starts from the beginning. */
async function letGo({ say, fence }: Voice, web: WebServer): Promise<void> {
  fence()
  await service(web.unit).stop()
  await service(web.unit).disable()
  for (const file of outside(web)) if (file !== web.main) await remove(file)
  await remove(web.main)
  say(`${web.title} has released ports 80 and 443`)
}

async function giveBack({ say }: Voice, other: WebServer, base: string): Promise<void> {
  for (const file of outside(other)) {
    const text = other.base()[file]
    if (file !== other.main && text !== undefined) await replace(file, text)
  }
  await replace(other.main, base)
  await service(other.unit).enable()
  await service(other.unit).start()
  say(`${other.title} serves again`)
}

async function refusesUnknown({ title, refusal, refusesNames }: WebServer): Promise<void> {
  if (!refusesNames()) return
  const { status } = await probe('127.0.0.1', 80, 'unknown.invalid')
  if (status !== refusal)
    throw new Error(`${title} answers ${status} for a name that it does not know, instead of ${refusal ?? 'nothing'}`)
}

/**
 * The target of Debian's symlink to its welcome page, which claims to be the default website. Undefined if the link
 * differs, or if somebody has made a website of it.
 */
async function welcomeOf(web: WebServer): Promise<string | undefined> {
  const { placeholder } = web
  const target = await readlink(placeholder).catch(absent)
  const name = placeholder.slice(placeholder.lastIndexOf('/') + 1)
  const isTheirs = web.name === 'nginx' && !isWelcome(await readFile(placeholder, 'utf8').catch(() => ''))
  return target?.endsWith(`/sites-available/${name}`) && !isTheirs ? target : undefined
}
