import { eq, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import type { PlanStep } from '../../kit/work/action.ts'
import type { Part } from '../websites/parts/parts.ts'
import type { Site } from '../websites/siteSteps.ts'
import { stateBefore } from '../websites/stateBefore.ts'
import { websites } from '../websites/tables.ts'
import { cachedOf, cacheStep, disabling, enabling } from './steps.ts'

const ifCached = async (db: Db, site: Site, steps: () => PlanStep[]): Promise<PlanStep[]> =>
  (await cachedOf(db, [site.id])).length ? steps() : []

export const cachePart: Part = {
  kind: 'redis',
  title: 'Redis cache',
  order: 50,
  along: {
    backup: 'The setting of the Redis cache is in no backup',
    newWebsite: 'The Redis cache is enabled anew',
    copy: 'A copy has no Redis cache',
    move: true,
  },
  async list(db, websiteIds) {
    const ids = await cachedOf(db, websiteIds)
    if (!ids.length) return []
    return rows(
      db,
      sql`select w.website_id as "websiteId", 'redis' as type, w.website_id as id, w.domain as name, s.name as where,
          '/run/innkeeper-redis/' || w.website_id || '/redis.sock' as detail
        from websites w join servers s on s.server_id = w.server_id where w.website_id in ${ids} order by w.website_id`,
    )
  },
  suspend: (db, site) => ifCached(db, site, () => [cacheStep(site, 'suspended')]),
  activate: (db, site) => ifCached(db, site, () => [cacheStep(site, 'active')]),
  remove: (db, site) => ifCached(db, site, () => disabling(site)),
  async forget(db, site) {
    const [found] = await db.select({ status: websites.status }).from(websites).where(eq(websites.id, site.id))
    const state = found?.status === 'suspended' ? 'suspended' : 'active' // the cache of a suspended website stays off
    return ifCached(db, site, () => [cacheStep(site, state, { empty: true })])
  },
  /** Starts an empty cache on the target server, also in a move back, because applications refill it. */
  move: async (db, { to, state }) => ({
    files: [],
    prepare: await ifCached(db, to, () => enabling(to, state, { empty: true })),
    frozen: [],
  }),
  leave: (db, site) => ifCached(db, site, () => disabling(site)),
  async restore(db, site) {
    const state = await stateBefore(db, site.id)
    return ifCached(db, site, () => enabling(site, state))
  },
}
