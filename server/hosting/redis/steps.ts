import type { OperationInput } from '@innkeeper/contract/agent/operations'
import { inArray } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { type PlanStep, step } from '../../kit/work/action.ts'
import { packagesEnsure } from '../../machines/servers/actions.ts'
import { DEBIAN_PHP } from '../../machines/servers/services.ts'
import type { Site } from '../websites/siteSteps.ts'
import { redisEnsure, redisRemove } from './actions.ts'
import { redisCaches } from './tables.ts'

/** Memory limit in MiB for the cache of one website, from the memory of its account. */
export const cacheMb = (memoryMb: number): number => Math.max(16, Math.min(1024, Math.floor(memoryMb / 8)))
export const socketOf = (websiteId: number): string => `/run/innkeeper-redis/${websiteId}/redis.sock`

type More = Pick<OperationInput<'redis.ensure'>, 'phpVersion' | 'empty'>
type Cached = Pick<Site, 'id' | 'domain' | 'server' | 'systemUser'> & { plan: { memoryMb: number } }
const on = ({ id, domain, server }: Cached) => ({ server: server.id, resource: { type: 'redis', id, name: domain } })

/** Step that configures the instance: running if the website is active, stopped if it is suspended. */
export const cacheStep = (site: Cached, state: 'active' | 'suspended', more: More = {}): PlanStep =>
  step(
    redisEnsure,
    {
      websiteId: site.id,
      username: site.systemUser.username,
      memoryMb: cacheMb(site.plan.memoryMb),
      state,
      ...more,
    },
    on(site),
  )

/**
 * Installs Redis and, for Debian's PHP, the PHP extension; then configures the instance. Other PHP versions have their
 * own extension or none.
 */
export const enabling = (site: Site, state: 'active' | 'suspended' = 'active', more: More = {}): PlanStep[] => [
  step(
    packagesEnsure,
    { packages: ['redis-server', ...(site.phpVersion === DEBIAN_PHP ? [`php${DEBIAN_PHP}-redis`] : [])] },
    on(site),
  ),
  cacheStep(site, state, { phpVersion: site.phpVersion, ...more }),
]
export const disabling = (site: Cached): PlanStep[] => [
  step(redisRemove, { websiteId: site.id, username: site.systemUser.username }, on(site)),
]

/** The subset of websites with a cache. */
export async function cachedOf(db: Db, websiteIds: number[]): Promise<number[]> {
  if (!websiteIds.length) return []
  const found = await db
    .select({ id: redisCaches.websiteId })
    .from(redisCaches)
    .where(inArray(redisCaches.websiteId, websiteIds))
  return found.map(({ id }) => id)
}
