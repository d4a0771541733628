import { visit } from '../sites.ts'
import type { Site } from './world.ts'

export interface Watched {
  visits: number
  /** Longest time in ms between two good answers, over all sites that are not excused. */
  longestGap: number
  /** A line for each wrong answer. */
  failures: string[]
}

/** Visits all sites ten times a second. `excused(site)`: whether the fault currently affects the site's host. */
export function watch(sites: readonly Site[], excused: (site: Site) => boolean): { stop(): Promise<Watched> } {
  const seen: Watched = { visits: 0, longestGap: 0, failures: [] }
  const open = new Set<Promise<void>>()
  const good = new Map<string, number>()

  async function come(site: Site): Promise<void> {
    const { domain } = site.website
    const free = excused(site)
    const { status } = await visit(site.server.host.address, domain)
    seen.visits++
    const now = performance.now()
    if (free || excused(site)) {
      good.delete(domain)
      return
    }
    if (status === (site.state === 'active' ? 200 : 503)) {
      seen.longestGap = Math.max(seen.longestGap, now - (good.get(domain) ?? now))
      good.set(domain, now)
    } else seen.failures.push(`${new Date().toISOString()} ${domain} answered ${status || 'nothing'}`)
  }
  const timer = setInterval(() => {
    for (const site of sites) {
      const visiting = come(site).finally(() => open.delete(visiting))
      open.add(visiting)
    }
  }, 100)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(open)
      return seen
    },
  }
}
