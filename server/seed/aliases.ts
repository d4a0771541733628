import { chunks } from '../kit/db/chunks.ts'
import type { Db } from '../kit/db/db.ts'
import * as tables from '../tables.ts'
import type { Dice } from './dice.ts'

type Website = typeof tables.websites.$inferSelect
const DAY = 86_400_000

/** Adds aliases, wildcards, former names and sub-websites to some websites. Returns the number of rows. */
export async function seedNames(db: Db, d: Dice, now: number, websites: Website[]): Promise<number> {
  const taken = new Set(websites.map(({ domain }) => domain))
  const made: (typeof tables.websites.$inferInsert)[] = []
  const add = (of: Website, domain: string, more: Partial<Website>) => {
    if (taken.has(domain)) return
    taken.add(domain)
    const { ownerId, serverId, planId, systemUserId, phpVersion, documentRoot, createdAt, updatedAt } = of
    const common = { ownerId, serverId, planId, systemUserId, phpVersion, documentRoot, createdAt, updatedAt }
    made.push({ ...common, domain, kind: 'alias', mode: 'serve', status: 'active', parentId: of.id, ...more })
  }
  const active = websites.filter(({ status }) => status === 'active')
  for (const [i, site] of active.entries()) {
    const [stem = '', ...rest] = site.domain.split('.')
    if (i % 23 === 3) add(site, `${stem}.eu`, { mode: d.chance(0.5) ? 'redirect' : 'serve' })
    if (i % 61 === 5) add(site, `*.${site.domain}`, {})
    if (i % 47 === 7) {
      const until = new Date(now + (1 + d.below(90)) * DAY).toISOString()
      add(site, `old-${stem}.${rest.join('.')}`, { mode: 'redirect', until })
    }
    if (i % 41 === 11)
      add(site, `blog.${site.domain}`, {
        kind: 'sub',
        mode: null,
        documentRoot: site.documentRoot.replace(site.domain, `blog.${site.domain}`),
      })
  }
  for (const some of chunks(made, 500)) await db.insert(tables.websites).values(some)
  return made.length
}
