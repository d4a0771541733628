import { and, eq, inArray } from 'drizzle-orm'
import { cacheMb } from '../hosting/redis/steps.ts'
import { chunks } from '../kit/db/chunks.ts'
import type { Db } from '../kit/db/db.ts'
import * as tables from '../tables.ts'
import type { Dice } from './dice.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
const MB = 1_048_576

/**
 * Adds a Redis cache to one website in twelve; one cache in a hundred did not answer when last read. Answers the number
 * of caches.
 */
export async function seedCaches(db: Db, d: Dice, now: number): Promise<number> {
  const websites = await db
    .select({ id: tables.websites.id, memoryMb: tables.plans.memoryMb })
    .from(tables.websites)
    .innerJoin(tables.plans, eq(tables.plans.id, tables.websites.planId))
    .where(and(eq(tables.websites.status, 'active'), eq(tables.websites.kind, 'main')))
    .orderBy(tables.websites.id)
  const caches = websites
    .filter(() => d.chance(1 / 12))
    .map(({ id: websiteId, memoryMb }): typeof tables.redisCaches.$inferInsert => {
      const since = new Date(now - d.below(300 * DAY)).toISOString()
      const row = { websiteId, state: 'on' as const, createdAt: since, updatedAt: since }
      const seenAt = new Date(now - d.below(72) * HOUR).toISOString()
      if (d.chance(0.01)) return { ...row, seenAt, problem: 'The server has not answered within 10 s' }
      const maxBytes = cacheMb(memoryMb) * MB
      const isFull = d.chance(0.15)
      const usedBytes = isFull ? maxBytes : Math.floor(maxBytes * d.next())
      const hits = d.below(4_000_000)
      return {
        ...row,
        seenAt,
        seen: {
          ...{ up: true, problem: null, redisVersion: '7.0.15', usedBytes, maxBytes, hits },
          keys: Math.floor(usedBytes / (800 + d.below(4000))),
          misses: Math.floor(hits * (0.02 + d.next() * 0.4)),
          evicted: isFull ? d.below(90_000) : 0,
          uptimeSeconds: 3600 + d.below(60 * 86_400),
        },
      }
    })
  for (const batch of chunks(caches, 500)) {
    await db.insert(tables.redisCaches).values(batch)
    const ids = batch.map(({ websiteId }) => websiteId)
    await db.update(tables.websites).set({ redisCache: true }).where(inArray(tables.websites.id, ids))
  }
  return caches.length
}
