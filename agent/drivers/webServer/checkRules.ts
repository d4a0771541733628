import type { Driver } from '../../kit/driver.ts'
import { read, remove, replace, run } from '../../kit/host.ts'
import { ownLineOf, refuseRules } from './siteRules.ts'
import { siteFile } from './webPaths.ts'
import { webServerHere } from './webServers.ts'

/**
 * Asks the web server itself about the rules of a website, beside everything else that it serves, and changes nothing: in a
 * mount namespace of the question alone, another file lies on the file of the website.
 */
export const checkSiteRules: Driver<'site-rules.check'> = {
  async run({ input: site, actionId }) {
    const web = webServerHere()
    refuseRules(web, site)
    const file = siteFile(web, site.domain)
    if ((await read(file)) === undefined) throw new Error(`${site.domain} is not served by this server`)
    const text = web.siteText({ ...site, state: 'active' })
    const aside = `/run/innkeeper-rules-${actionId}.conf`
    await replace(aside, text)
    const script = 'mount --bind "$1" "$2" && shift 2 && exec "$@"'
    const ran = await run(['unshare', '--mount', 'sh', '-c', script, 'sh', aside, file, ...web.check.command])
    await remove(aside)
    // without namespaces the change itself is the check: the web server tests the file before it takes it
    if (ran.code === 0 || /^(?:unshare|mount):/m.test(ran.stderr)) return { problem: null }
    return { problem: inOwnLines(web.check.complaint(ran, [file]), ran.stderr, text) }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // a question: a repeat is harmless
}

/** nginx ends with `in FILE:34`, Apache begins with `Syntax error on line 34 of FILE`. */
function inOwnLines(said: string, all: string, text: string): string {
  const [, found] = all.match(/ on line (\d+) of \S+:/) ?? said.match(/ in \S+:(\d+)$/) ?? []
  const line = found && ownLineOf(text, Number(found))
  return line ? `${said.replace(/ in \S+:\d+$/, '')}, in line ${line}` : said
}
