import { USUAL } from '@innkeeper/contract/net/originVhosts/applications'
import { moduleOf, type OriginVhost } from '@innkeeper/contract/net/originVhosts/shapes'
import { readSites } from '../../../hosting/websites/site.ts'
import { originVhosts } from '../../../hosting/websites/tables.ts'
import { readWebsites } from '../../../hosting/websites/view.ts'
import { byIds } from '../../../kit/db/byIds.ts'
import type { Db } from '../../../kit/db/db.ts'
import { notFound } from '../../../kit/http/errors.ts'

const select = byIds((db, isWanted) => db.select().from(originVhosts).where(isWanted(originVhosts.websiteId)))

/** Websites as origin vhosts, in the order of `ids`; aliases are left out, because they are names of their websites. */
export async function readOrigins(db: Db, ids: number[]): Promise<OriginVhost[]> {
  if (!ids.length) return []
  const sites = new Map((await readSites(db, ids)).map((site) => [site.id, site]))
  const found = await select(db, ids)
  const settings = new Map(found.map((row) => [row.websiteId, row]))
  return (await readWebsites(db, ids)).flatMap((website) => {
    const { id, domain, unicode, kind, ownerName, status, serverId, serverName, username } = website
    const site = sites.get(id)
    if (kind === 'alias' || !site) return []
    const {
      phpParameters = {},
      application = null,
      rulesNumber = null,
      problem = null,
      seen = null,
      seenAt = null,
    } = settings.get(id) ?? {}
    return {
      ...{ id, version: website.version, createdAt: website.createdAt, updatedAt: website.updatedAt, websiteId: id },
      ...{ domain, unicode, kind, ownerName, status, serverId, serverName, username },
      webServer: site.server.webServer,
      documentRoot: website.documentRoot,
      names: [domain, ...site.aliases, ...site.redirects],
      wildcard: site.aliases.includes(`*.${domain}`),
      phpModule: moduleOf(website.phpVersion),
      phpVersion: website.phpVersion,
      phpParameters,
      own: Object.keys(phpParameters).length > 0,
      application: site.rules?.application ?? USUAL,
      applicationBy: application ? 'chosen' : site.rules && site.rules.application !== USUAL ? 'found' : 'usual',
      ownRules: rulesNumber !== null,
      problem,
      seen,
      seenAt,
      workflowId: website.workflowId,
    }
  })
}

/** One origin vhost; throws 404 if it does not exist. */
export async function readOrigin(db: Db, id: number): Promise<OriginVhost> {
  const [found] = await readOrigins(db, [id])
  if (!found) throw notFound('origin vhost', id)
  return found
}
