import { lstat, readdir, rename } from 'node:fs/promises'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Driver } from '../../kit/driver.ts'
import { absent, shortName, throwAway } from '../../kit/host.ts'
import { tlsNow } from '../tls/tlsFiles.ts'
import { logsOf, serve } from './site.ts'
import type { Site } from './siteFile.ts'
import type { Changes, Voice } from './webConfig.ts'
import { httpsFile, siteFile, tlsFile } from './webPaths.ts'
import type { WebServer } from './webServer.ts'
import { checkHere } from './webServers.ts'

type Input = OperationInput<'nginx-site.rename'>

/** Renames a website: one reload in which the new file replaces the old one. */
export const renameSite = (web: WebServer): Driver<'nginx-site.rename' | 'apache-site.rename'> => ({
  run: (c) => move(web, c, { domain: c.input.from }, after(c.input)),
  undo: (c) => move(web, c, { domain: c.input.domain }, before(c.input)),
  async inspect({ input, task }) {
    const [gone, there] = task === 'run' ? [input.from, after(input)] : [input.domain, before(input)]
    const served = await web.isServed({
      [siteFile(web, gone)]: undefined,
      [siteFile(web, there.domain)]: web.siteText(there),
    })
    return served && (await logsUnder(web, gone)).length === 0 ? 'yes' : 'no'
  },
})

const after = ({ from: _, beforeNames: __, beforeRoot: ___, beforeState: ____, ...site }: Input): Site => site
const before = ({ from, beforeNames, beforeRoot, beforeState, ...input }: Input): Site => ({
  ...after({ from, beforeNames, beforeRoot, ...input }),
  state: beforeState ?? input.state,
  domain: from,
  redirects: undefined,
  ...beforeNames,
  root: beforeRoot,
})

/** Renames the logs first: the web server keeps writing to open files until it reloads. */
async function move(web: WebServer, c: Voice & { actionId: number }, from: Pick<Site, 'domain'>, to: Site) {
  checkHere(web)
  c.fence()
  await moveLogs(web, c.actionId, from.domain, to.domain)
  try {
    return await serve(web, c, to, async () => ({
      [siteFile(web, from.domain)]: undefined,
      ...(await tlsMoved(web, from.domain, to.domain)),
    }))
  } catch (error) {
    await moveLogs(web, c.actionId, to.domain, from.domain)
    throw error
  }
}

/**
 * Moves the certificate to the new name; an earlier step has made sure that it covers the name. Finds it there on a
 * retry.
 */
async function tlsMoved(web: WebServer, from: string, to: string): Promise<Changes> {
  const now = await tlsNow(web, from)
  if (now[tlsFile(web, from)] === undefined) return {}
  return {
    [tlsFile(web, from)]: undefined,
    [httpsFile(web, from)]: undefined,
    [tlsFile(web, to)]: now[tlsFile(web, from)],
    [httpsFile(web, to)]: now[httpsFile(web, from)],
  }
}

/**
 * Moves logs to the new name. Where the target exists, entries written meanwhile under the old name go into the trash.
 */
async function moveLogs(web: WebServer, actionId: number, from: string, to: string): Promise<void> {
  for (const log of await logsUnder(web, from)) {
    const target = `${web.logs}/${shortName(to)}${log.slice(shortName(from).length)}`
    if (await lstat(target).catch(absent)) await throwAway(actionId, `${web.logs}/${log}`, log)
    else await rename(`${web.logs}/${log}`, target)
  }
}

const logsUnder = async ({ logs }: WebServer, domain: string) =>
  (await readdir(logs).catch(absent))?.filter((log) => logsOf(domain).test(log)) ?? []
