import { lstat, readdir } from 'node:fs/promises'
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
  until,
} from '../../kit/host.ts'
import { kept } from '../files/restored.ts'
import { oldWorkersEnd } from '../nginx/nginxConfig.ts'
import { requestsEnd } from '../php/phpRequests.ts'
import { fingerprintIn } from '../tls/tlsFiles.ts'
import { mark, markPath, poolOf, type Site, type State, stateIn } from './siteFile.ts'
import { makeLogs } from './siteLogs.ts'
import { writePages } from './sitePages.ts'
import { refuseRules, sentBelow } from './siteRules.ts'
import type { Changes, Dump, Voice } from './webConfig.ts'
import { acmeFile, mailFile, siteFile, tlsFile } from './webPaths.ts'
import type { WebServer } from './webServer.ts'
import { checkHere } from './webServers.ts'

const removed = ({ name }: WebServer) => `${name}-site-removed`

/** Serves a website. Undo restores its former state, or removes a website that was not served. */
export const ensureSite = (web: WebServer): Driver<'nginx-site.ensure' | 'apache-site.ensure'> => ({
  async run(c) {
    await makeLogs(web, c.input.domain)
    return serve(web, c, c.input)
  },
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
  rules: site.beforeRules === undefined ? site.rules : (site.beforeRules ?? undefined),
  root: site.beforeRoot ?? site.root,
  aliases: site.aliases,
  redirects: site.redirects,
  ...site.beforeNames,
})

/** Stops serving a website; its logs go into the trash. Undo serves it again in its former state. */
export const removeSite = (web: WebServer): Driver<'nginx-site.remove' | 'apache-site.remove'> => ({
  async run(c) {
    const { domain } = c.input
    checkHere(web)
    const text = await read(siteFile(web, domain))
    if (text !== undefined)
      await notes.keep(removed(web), shortName(domain), c.actionId, { state: stateIn(text) ?? 'active' })
    await web.apply(c, { [siteFile(web, domain)]: undefined })
    await throwLogs(web, c.actionId, domain, kept(c.input))
    c.say(`${domain} is no longer served`)
  },
  async undo(c) {
    const note = await notes.find(removed(web), shortName(c.input.domain))
    if (note?.by !== c.actionId) return c.say(`${c.input.domain} was not served before: nothing to restore`)
    const state = stateIn(`# state: ${note.about.state}`) ?? 'active'
    await bringLogs(c.actionId, c.input.domain)
    await serve(web, c, { ...c.input, state })
    await notes.drop(removed(web), shortName(c.input.domain))
  },
  async inspect({ input, task, actionId }) {
    if (task === 'run') return (await web.isServed({ [siteFile(web, input.domain)]: undefined })) ? 'yes' : 'no'
    return (await notes.find(removed(web), shortName(input.domain)))?.by === actionId ? 'no' : 'yes'
  },
})

/**
 * `others`: further files to write or remove in the same reload, by what is there when nobody else writes.
 * `also`: a further check of what is served then.
 */
export async function serve(
  web: WebServer,
  c: Voice,
  site: Site,
  others: () => Changes | Promise<Changes> = () => ({}),
  also?: () => Promise<void>,
): Promise<{ state: Site['state']; generation: number; stillRunning?: number }> {
  if (!site.root.startsWith(`/home/${site.username}/`))
    throw new Error(`${site.root} is not below the home of ${site.username}`)
  checkHere(web)
  refuseRules(web, site)
  const file = siteFile(web, site.domain)
  // an older agent may have written fewer pages
  await writePages()
  const { generation, changed } = await web.apply(
    c,
    async () => ({ [file]: web.siteText(site), ...(await others()) }),
    {
      judge: (dump) => refuseDuplicates(dump, site, file, mailFile(web)),
      check: () => answersAs(web, site, c).then(also),
    },
  )
  if (!changed) c.say(`${site.domain} is ${site.state} already`)
  if (site.state !== 'moving' && site.state !== 'maintenance') return { state: site.state, generation }
  // The former PHP requests must end before the last copy of the files or database.
  if (web.name === 'nginx') await oldWorkersEnd()
  const stillRunning = await requestsEnd(poolOf(site))
  if (stillRunning)
    c.say(
      `${stillRunning} requests of its PHP still run: what they write from now on ${site.state === 'moving' ? 'stays here' : 'may be lost'}`,
    )
  return { state: site.state, generation, stillRunning }
}

/**
 * Refuses names that another file claims: both web servers would serve the first, nginx with a warning, Apache
 * silently. `settings`: the file with the names for settings of mail programs; a website may take a name of it.
 */
function refuseDuplicates({ names }: Dump, site: Site, file: string, settings: string): void {
  for (const name of [site.domain, ...site.aliases, ...(site.redirects ?? [])]) {
    const other = names.get(name)?.find((claims) => claims !== file && claims !== settings)
    if (other) throw new Error(`${name} is claimed by ${other} already. Nothing was changed`)
  }
}

/**
 * Requests the website itself. Retries, because a worker of the former configuration may accept one more connection.
 */
const answersAs = (web: WebServer, site: Site, { say }: Voice): Promise<void> =>
  until({
    what: `http://${site.domain}/ is ${site.state}`,
    unit: web.unit,
    async look() {
      const wrong = (last: string) => new Error(`http://${site.domain}/ should be ${site.state} and answers ${last}`)
      const marked = await probe('127.0.0.1', 80, site.domain, markPath)
      if (marked.status !== 200 || marked.text !== mark(site))
        throw wrong(`${marked.status ?? marked.text} for its mark`)
      const { status, text } = await probe('127.0.0.1', 80, site.domain)
      if (!fits(web, site.state, status, text)) throw wrong(`${status ?? text}`)
      const last = (await otherNames(site)) || (await overTls(web, site)) || (await challenged(web, site))
      if (last) throw wrong(last)
      say(`http://${site.domain}/ answers ${status ?? text}`)
    },
  })

/** Any answer of the application is fine, and of the new server after a move; a gateway error is not. */
function fits(web: WebServer, state: State, status: number | undefined, text: string): boolean {
  if (state !== 'active' && state !== 'moved') return status === 503
  if (web.isGateway(status, text)) return false
  return state === 'active' || (status !== undefined && status !== 502 && status !== 504)
}

/** Requests all other names; answers the first fault. */
async function otherNames(site: Site): Promise<string> {
  const asked = (name: string, path: string) => probe('127.0.0.1', 80, name.replace(/^\*/, 'any-name'), path)
  for (const name of site.aliases) {
    const { text } = await asked(name, markPath)
    if (text !== mark(site)) return `something else for ${name}`
  }
  const below = sentBelow(site)
  for (const name of site.redirects ?? []) {
    const { status, headers } = await asked(name, '/?innkeeper')
    const to = below.includes(name.slice(2)) ? `any-name.${site.domain}` : site.domain
    if (status !== 301 || headers.location !== `http://${to}/?innkeeper`) return `${status} for ${name}`
  }
  return ''
}

/** Checks that the website shows its certificate; answers what it shows instead. */
async function overTls(web: WebServer, { domain }: Site): Promise<string> {
  const wanted = fingerprintIn(await read(tlsFile(web, domain)))
  if (!wanted) return ''
  const { fingerprint, text } = await tlsProbe('127.0.0.1', 443, domain)
  return fingerprint === wanted ? '' : `over TLS ${fingerprint ? `with another certificate, for ${text}` : text}`
}

/** Checks that own rules leave the challenges of certificates alone; answers what a challenge gets instead. */
async function challenged(web: WebServer, { domain, state, rules }: Site): Promise<string> {
  if (state !== 'active' || !rules?.ownRules || (await read(acmeFile(web))) === undefined) return ''
  const { status, text } = await probe('127.0.0.1', 80, domain, '/.well-known/acme-challenge/innkeeper')
  return status === 200 && text.startsWith('innkeeper.') ? '' : `${status ?? text} for a challenge of its certificate`
}

/** Restores the logs of a removed website and keeps those written meanwhile. */
export const restoreLogs: Driver<'website-logs.restore'> = {
  async run({ input: { domain, taken }, say, fence }) {
    fence()
    let count = 0
    for (const actionId of taken) count += await bringLogs(actionId, domain)
    say(count ? `${count} logs of ${domain} are back` : `${domain} has no logs in the trash`)
  },
  /** The undo of the restored website removes the logs again. */
  undo: async ({ input: { domain }, say }) => say(`the logs of ${domain} stay where they are`),
  async inspect({ input: { domain, taken }, task }) {
    if (task === 'undo') return 'yes'
    for (const actionId of taken) if ((await thrownLike(actionId, logsOf(domain))).length) return 'no'
    return 'yes'
  },
}

/** File names such as `shop.example.access.log` and `shop.example.error.log.2.gz`. */
export function logsOf(domain: string): RegExp {
  return new RegExp(`^${shortName(domain).replaceAll('.', '\\.')}\\.(access|error)\\.log(\\.\\d+(\\.gz)?)?$`)
}

export async function throwLogs(
  { logs }: WebServer,
  actionId: number,
  domain: string,
  about: Thrown['about'] = {},
): Promise<void> {
  for (const log of await readdir(logs))
    if (logsOf(domain).test(log)) await throwAway(actionId, `${logs}/${log}`, log, about)
}

/** Restores logs. If a log exists again, the old one stays in the trash. */
async function bringLogs(actionId: number, domain: string): Promise<number> {
  let count = 0
  for (const log of await thrownLike(actionId, logsOf(domain)))
    if ((await lstat(log.from).catch(absent)) === undefined) {
      await bringBack(log)
      count++
    }
  return count
}
