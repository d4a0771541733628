import { lstat, readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Driver } from '../../kit/driver.ts'
import {
  absent,
  bringBack,
  notes,
  probe,
  read,
  shortName,
  type Thrown,
  throwAway,
  thrownLike,
  tlsProbe,
} from '../../kit/host.ts'
import { kept } from '../files/restored.ts'
import { oldWorkersEnd } from '../nginx/nginxConfig.ts'
import { requestsEnd } from '../php/phpRequests.ts'
import { fingerprintIn } from '../tls/tlsFiles.ts'
import { mark, markPath, poolOf, type Site, type State, stateIn } from './siteFile.ts'
import { writePages } from './sitePages.ts'
import type { Changes, Dump, Voice } from './webConfig.ts'
import { siteFile, tlsFile } from './webPaths.ts'
import type { WebServer } from './webServer.ts'
import { checkHere } from './webServers.ts'

const removed = ({ name }: WebServer) => `${name}-site-removed`

/** One website. Undo returns to the state before, or takes the website out where there was none. */
export const ensureSite = (web: WebServer): Driver<'nginx-site.ensure' | 'apache-site.ensure'> => ({
  run: (c) => serve(web, c, c.input),
  async undo(c) {
    const { before, domain } = c.input
    if (before) return serve(web, c, { ...c.input, ...earlier(c.input, before) })
    checkHere(web)
    await web.apply(c, { [siteFile(web, domain)]: undefined })
    await throwLogs(web, c.actionId, domain)
  },
  async inspect({ input, task }) {
    const site = task === 'run' ? input : input.before && { ...input, ...earlier(input, input.before) }
    const text = site && web.siteText(site)
    return (await web.isServed({ [siteFile(web, input.domain)]: text })) ? 'yes' : 'no'
  },
})

const earlier = (site: Site, before: State) => ({
  state: before,
  phpVersion: site.beforePhp ?? site.phpVersion,
  own: site.beforeOwn === undefined ? site.own : (site.beforeOwn ?? undefined),
  root: site.beforeRoot ?? site.root,
  aliases: site.aliases,
  redirects: site.redirects,
  ...site.beforeNames,
})

/** The website is served no more; its logs go into the trash. Undo serves it again, in the state that it had. */
export const removeSite = (web: WebServer): Driver<'nginx-site.remove' | 'apache-site.remove'> => ({
  async run(c) {
    const { domain } = c.input
    checkHere(web)
    const text = await read(siteFile(web, domain))
    if (text !== undefined)
      await notes.keep(removed(web), shortName(domain), c.actionId, { state: stateIn(text) ?? 'active' })
    await web.apply(c, { [siteFile(web, domain)]: undefined })
    await throwLogs(web, c.actionId, domain, kept(c.input))
    c.say(`${domain} is served no more`)
  },
  async undo(c) {
    const note = await notes.find(removed(web), shortName(c.input.domain))
    if (note?.by !== c.actionId) return c.say(`${c.input.domain} was not served before: nothing to bring back`)
    const state = stateIn(`# state: ${note.about.state}`) ?? 'active'
    await bringLogs(c.actionId, c.input.domain)
    await serve(web, c, { ...c.input, state })
    await notes.forget(removed(web), shortName(c.input.domain))
  },
  async inspect({ input, task, actionId }) {
    if (task === 'run') return (await web.isServed({ [siteFile(web, input.domain)]: undefined })) ? 'yes' : 'no'
    return (await notes.find(removed(web), shortName(input.domain)))?.by === actionId ? 'no' : 'yes'
  },
})

/** `others`: files that come or go in the same moment. */
export async function serve(
  web: WebServer,
  c: Voice,
  site: Site,
  others: Changes = {},
): Promise<{ state: Site['state']; generation: number; stillRunning?: number }> {
  if (!site.root.startsWith(`/home/${site.username}/`))
    throw new Error(`${site.root} is not below the home of ${site.username}`)
  checkHere(web)
  const file = siteFile(web, site.domain)
  // a server that was set up by an older agent has not all of them
  await writePages()
  const { generation, changed } = await web.apply(
    c,
    { [file]: web.siteText(site), ...others },
    { judge: (dump) => refuseDuplicates(dump, site, file), check: () => answersAs(web, site, c) },
  )
  if (!changed) c.say(`${site.domain} is ${site.state} already`)
  if (site.state !== 'moving' && site.state !== 'maintenance') return { state: site.state, generation }
  // what its PHP still writes has to be there before the last of it is copied, or kept
  if (web.name === 'nginx') await oldWorkersEnd()
  const stillRunning = await requestsEnd(poolOf(site))
  if (stillRunning)
    c.say(
      `${stillRunning} requests of its PHP still run: what they write from now on ${site.state === 'moving' ? 'stays here' : 'may be lost'}`,
    )
  return { state: site.state, generation, stillRunning }
}

/** nginx only warns of a second server with the same name, Apache not even that: they serve whichever came first. */
function refuseDuplicates({ names }: Dump, site: Site, file: string): void {
  for (const name of [site.domain, ...site.aliases, ...(site.redirects ?? [])]) {
    const other = names.get(name)?.find((claims) => claims !== file)
    if (other) throw new Error(`${name} is claimed by ${other} already. Nothing was changed`)
  }
}

/**
 * Asks the website itself. A worker of the generation before may take a last connection: hence the patience.
 */
async function answersAs(web: WebServer, site: Site, { say }: Voice): Promise<void> {
  let last = ''
  for (const end = performance.now() + 5000; performance.now() < end; await sleep(100)) {
    const marked = await probe('127.0.0.1', 80, site.domain, markPath)
    last = `${marked.status ?? marked.text} for its mark`
    if (marked.status !== 200 || marked.text !== mark(site)) continue
    const { status, text } = await probe('127.0.0.1', 80, site.domain, '/', 10_000)
    last = `${status ?? text}`
    if (!fits(web, site.state, status, text)) continue
    last = (await otherNames(site)) || (await overTls(web, site))
    if (last) continue
    return say(`http://${site.domain}/ answers ${status ?? text}`)
  }
  throw new Error(`http://${site.domain}/ should be ${site.state} and answers ${last}`)
}

/** What an application answers is its own matter, and so is what the server that it moved to answers; a gateway error is ours. */
function fits(web: WebServer, state: State, status: number | undefined, text: string): boolean {
  if (state !== 'active' && state !== 'moved') return status === 503
  if (web.isGateway(status, text)) return false
  return state === 'active' || (status !== undefined && status !== 502 && status !== 504)
}

/** Asks for all other names; answers what is wrong with the first that does not do what it should. */
async function otherNames(site: Site): Promise<string> {
  const asked = (name: string, path: string) => probe('127.0.0.1', 80, name.replace(/^\*/, 'any-name'), path)
  for (const name of site.aliases) {
    const { text } = await asked(name, markPath)
    if (text !== mark(site)) return `something else for ${name}`
  }
  for (const name of site.redirects ?? []) {
    const { status, headers } = await asked(name, '/?innkeeper')
    if (status !== 301 || headers.location !== `http://${site.domain}/?innkeeper`) return `${status} for ${name}`
  }
  return ''
}

/** A website with a certificate shows that one for its name. Answers what it shows instead. */
async function overTls(web: WebServer, { domain }: Site): Promise<string> {
  const wanted = fingerprintIn(await read(tlsFile(web, domain)))
  if (!wanted) return ''
  const { fingerprint, text } = await tlsProbe('127.0.0.1', 443, domain)
  return fingerprint === wanted ? '' : `over TLS ${fingerprint ? `with another certificate, for ${text}` : text}`
}

/** The logs of a website that was removed: what it wrote meanwhile under its name goes on from there. */
export const restoreLogs: Driver<'website-logs.restore'> = {
  async run({ input: { domain, taken }, say, fence }) {
    fence()
    let count = 0
    for (const actionId of taken) count += await bringLogs(actionId, domain)
    say(count ? `${count} logs of ${domain} are back` : `${domain} has no logs in the trash`)
  },
  /** The removal that comes with a step back takes them again. */
  undo: async ({ input: { domain }, say }) => say(`the logs of ${domain} stay where they are`),
  async inspect({ input: { domain, taken }, task }) {
    if (task === 'undo') return 'yes'
    for (const actionId of taken) if ((await thrownLike(actionId, logsOf(domain))).length) return 'no'
    return 'yes'
  },
}

/** `shop.example.access.log`, `shop.example.error.log.2.gz` */
export function logsOf(domain: string): RegExp {
  return new RegExp(`^${shortName(domain).replaceAll('.', '\\.')}\\.(access|error)\\.log(\\.\\d+(\\.gz)?)?$`)
}

async function throwLogs(
  { logs }: WebServer,
  actionId: number,
  domain: string,
  about: Thrown['about'] = {},
): Promise<void> {
  for (const log of await readdir(logs))
    if (logsOf(domain).test(log)) await throwAway(actionId, `${logs}/${log}`, log, about)
}

/** A log that is there again stays as it is, and the old one in the trash. */
async function bringLogs(actionId: number, domain: string): Promise<number> {
  let count = 0
  for (const log of await thrownLike(actionId, logsOf(domain)))
    if ((await lstat(log.from).catch(absent)) === undefined) {
      await bringBack(log)
      count++
    }
  return count
}
