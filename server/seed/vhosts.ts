import type { PhpParameters } from '@innkeeper/contract/hosting/phpParameters'
import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../kit/db/db.ts'
import * as tables from '../tables.ts'
import type { Dice } from './dice.ts'

const DAY = 86_400_000
const QUARTER = 900_000
/** Rows per insert statement. */
const BATCH = 500
const at = (ms: number) => new Date(ms).toISOString()

/** Typical PHP parameters, the most usual first. */
const allWanted: readonly PhpParameters[] = [
  { memory_limit: 512 },
  { upload_max_filesize: 256, post_max_size: 256, max_execution_time: 120 },
  { max_input_vars: 5000 },
  { memory_limit: 256, max_input_vars: 10_000, 'date.timezone': 'Europe/Oslo' },
  { display_errors: true, 'opcache.enable': false },
]

/**
 * Sets PHP parameters for one website in twenty, and puts one in thirty behind an edge. Answers the number behind
 * edges.
 */
export async function seedVhosts(db: Db, d: Dice, now: number): Promise<number> {
  const websites = await db
    .select({ id: tables.websites.id })
    .from(tables.websites)
    .where(and(eq(tables.websites.status, 'active'), eq(tables.websites.kind, 'main')))
    .orderBy(tables.websites.id)
  const own = websites
    .filter(() => d.chance(1 / 20))
    .map(({ id: websiteId }): typeof tables.originVhosts.$inferInsert => {
      const seenAt = at(now - d.below(30 * DAY))
      const looked = d.chance(0.6) ? { seenAt, seen: d.chance(0.03) ? ('differs' as const) : ('same' as const) } : {}
      return { websiteId, phpParameters: allWanted[d.below(allWanted.length)]!, ...looked }
    })
  for (const batch of batches(own)) await db.insert(tables.originVhosts).values(batch)
  const edges = await seedEdges(db, now)
  const behind = websites
    .filter(() => d.chance(1 / 30))
    .map(({ id: websiteId }): typeof tables.vhosts.$inferInsert => ({
      websiteId,
      status: 'active',
      cdn: !d.chance(0.05),
      minutes: d.pick([10, 10, 10, 60, 1440]),
      stale: !d.chance(0.1),
      createdAt: at(now - d.below(300 * DAY)),
      updatedAt: at(now - d.below(30 * DAY)),
    }))
  const made: (typeof tables.vhosts.$inferSelect)[] = []
  for (const batch of batches(behind)) made.push(...(await db.insert(tables.vhosts).values(batch).returning()))
  await seedPlaces(db, d, now, made, edges)
  await db
    .update(tables.websites)
    .set({ cdn: true })
    .where(
      inArray(
        tables.websites.id,
        made.filter(({ cdn }) => cdn).map(({ websiteId }) => websiteId),
      ),
    )
  return made.length
}

/** Two CDN edges and one XDN edge. They are not real servers. */
const seedEdges = (db: Db, now: number) =>
  db
    .insert(tables.servers)
    .values(
      ['cdn-osl-01', 'cdn-fra-01', 'xdn-hel-01'].map((name, i) => ({
        name,
        type: name.slice(0, 3),
        address: `192.0.2.${60 + i}`, // documentation addresses are never routed
        note: 'Sample data: not a real server',
        status: 'up' as const,
        provisionedAt: at(now - 300 * DAY),
        createdAt: at(now - 310 * DAY),
        updatedAt: at(now - 310 * DAY),
      })),
    )
    .returning()

type Vhost = typeof tables.vhosts.$inferSelect
type Server = typeof tables.servers.$inferSelect

/** Adds edges and traffic of the last two days: little at night, mostly from the cache. */
async function seedPlaces(db: Db, d: Dice, now: number, vhosts: Vhost[], servers: Server[]): Promise<void> {
  const [first, second, other] = servers
  if (!first || !second || !other) throw new Error('edges were not inserted')
  const places = vhosts.flatMap(({ id: vhostId }) => {
    const seen = d.chance(0.03) ? ('differs' as const) : ('same' as const)
    const edge = { vhostId, state: 'live' as const, seen, seenAt: at(now - d.below(DAY)) }
    const own = { ...edge, network: 'cdn' as const, serverId: d.chance(0.5) ? first.id : second.id }
    return d.chance(0.2) ? [own, { ...edge, network: 'xdn' as const, serverId: other.id }] : [own]
  })
  for (const batch of batches(places)) await db.insert(tables.vhostEdges).values(batch)
  const last = Math.floor(now / QUARTER) * QUARTER
  const traffic = vhosts.flatMap(({ id: vhostId, cdn }) => {
    const busy = 20 + d.below(2000)
    return Array.from({ length: 192 }, (_, n) => {
      const from = last - n * QUARTER
      const hour = new Date(from).getUTCHours()
      const requests = Math.floor(
        busy * (0.15 + Math.sin((Math.PI * ((hour + 18) % 24)) / 24) ** 2) * (0.7 + d.next() * 0.6),
      )
      const passed = cdn ? Math.floor(requests * 0.1) : requests
      const hits = Math.floor((requests - passed) * (0.75 + d.next() * 0.2))
      const misses = requests - passed - hits
      return {
        vhostId,
        network: 'cdn' as const,
        at: at(from),
        hits,
        misses,
        passed,
        bytes: requests * (20_000 + d.below(9000)),
      }
    })
  })
  for (const batch of batches(traffic, 5000)) await db.insert(tables.vhostTraffic).values(batch)
}

function batches<T>(all: T[], size = BATCH): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size))
}
