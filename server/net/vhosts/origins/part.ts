import { and, inArray, sql } from 'drizzle-orm'
import { comesAlong, type Part } from '../../../hosting/websites/parts/parts.ts'
import { readSites } from '../../../hosting/websites/site.ts'
import { ownPool, withoutOwnPool } from '../../../hosting/websites/siteSteps.ts'
import { originVhosts } from '../../../hosting/websites/tables.ts'

/**
 * The PHP pool of a website with its own parameters. It is removed, restored and moved with the website. The part of
 * the web server writes the reference to the pool.
 */
export const ownPoolPart: Part = {
  kind: 'own-php-pool',
  title: 'PHP of its own',
  order: 31,
  along: comesAlong,
  async list(db, ids) {
    const found = await db
      .select({ id: originVhosts.websiteId })
      .from(originVhosts)
      .where(and(inArray(originVhosts.websiteId, ids), sql`${originVhosts.phpParameters} <> '{}'`))
    const sites = await readSites(
      db,
      found.map(({ id }) => id),
    )
    return sites.map(({ id, domain, server, phpVersion, php = {} }) => ({
      websiteId: id,
      type: 'own-php-pool',
      id,
      name: domain,
      where: server.name,
      detail: `PHP ${phpVersion}, ${Object.entries(php)
        .map(([name, value]) => `${name} ${value}`)
        .join(', ')}`,
    }))
  },
  remove: async (_, site) => withoutOwnPool(site),
  restore: async (_, site) => ownPool(site),
  move: async (_, { to }) => ({ files: [], prepare: ownPool(to), frozen: [] }),
  leave: async (_, site) => withoutOwnPool(site),
}
