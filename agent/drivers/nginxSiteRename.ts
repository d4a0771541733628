import { lstat, readdir, rename } from 'node:fs/promises'
import type { OperationInput } from '@innkeeper/contract/agent'
import type { Driver } from '../kit/driver.ts'
import { absent, shortName, throwAway } from '../kit/host.ts'
import { type Changes, isServed } from './nginxConfig.ts'
import { logsOf, serve } from './nginxSite.ts'
import { type Site, siteFile, siteText } from './siteFile.ts'
import { httpsFile, tlsFile, tlsNow } from './tlsFiles.ts'

type Input = OperationInput<'nginx-site.rename'>

/** A website under another name: one change of nginx in which the new file comes and the old one goes. */
export const renameNginxSite: Driver<'nginx-site.rename'> = {
  run: (c) => move(c, { domain: c.input.from }, after(c.input)),
  undo: (c) => move(c, { domain: c.input.domain }, before(c.input)),
  async inspect({ input, task }) {
    const [gone, there] = task === 'run' ? [input.from, after(input)] : [input.domain, before(input)]
    const served = await isServed({ [siteFile(gone)]: undefined, [siteFile(there.domain)]: siteText(there) })
    return served && (await logsUnder(gone)).length === 0 ? 'yes' : 'no'
  },
}

const after = ({ from: _, beforeNames: __, beforeRoot: ___, ...site }: Input): Site => site
const before = ({ from, beforeNames, beforeRoot, ...input }: Input): Site => ({
  ...after({ from, beforeNames, beforeRoot, ...input }),
  domain: from,
  redirects: undefined,
  ...beforeNames,
  root: beforeRoot,
})

type Voice = Parameters<typeof serve>[0] & { actionId: number }

/** Logs first: nginx goes on writing into what it has open, whatever that is called, until it opens the new names. */
async function move(c: Voice, from: Pick<Site, 'domain'>, to: Site) {
  c.fence()
  await moveLogs(c.actionId, from.domain, to.domain)
  try {
    return await serve(c, to, { [siteFile(from.domain)]: undefined, ...(await tlsMoved(from.domain, to.domain)) })
  } catch (error) {
    await moveLogs(c.actionId, to.domain, from.domain)
    throw error
  }
}

/** Its certificate goes along; which names that is for was seen to before. A later attempt finds it there already. */
async function tlsMoved(from: string, to: string): Promise<Changes> {
  const now = await tlsNow(from)
  if (now[tlsFile(from)] === undefined) return {}
  return {
    [tlsFile(from)]: undefined,
    [httpsFile(from)]: undefined,
    [tlsFile(to)]: now[tlsFile(from)],
    [httpsFile(to)]: now[httpsFile(from)],
  }
}

/** What was written under the old name meanwhile, beside a log that has moved already, goes into the trash. */
async function moveLogs(actionId: number, from: string, to: string): Promise<void> {
  for (const log of await logsUnder(from)) {
    const target = `/var/log/nginx/${shortName(to)}${log.slice(shortName(from).length)}`
    if (await lstat(target).catch(absent)) await throwAway(actionId, `/var/log/nginx/${log}`, log)
    else await rename(`/var/log/nginx/${log}`, target)
  }
}

const logsUnder = async (domain: string) =>
  (await readdir('/var/log/nginx').catch(absent))?.filter((log) => logsOf(domain).test(log)) ?? []
