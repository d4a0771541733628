import type { RedisStatus } from '@innkeeper/contract/hosting/redis'
import { RedisSeen } from '@innkeeper/contract/hosting/redis'
import { eq } from 'drizzle-orm'
import { liveRead } from '../../kit/agents/liveRead.ts'
import type { App } from '../../kit/app/app.ts'
import type { Db } from '../../kit/db/db.ts'
import { Refusal } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { readSite } from '../websites/site.ts'
import { readWebsite } from '../websites/view.ts'
import { cacheMb, socketOf } from './steps.ts'
import { redisCaches } from './tables.ts'

/** The cache of a website with its last known status. */
export async function readStatus(db: Db, websiteId: number): Promise<RedisStatus> {
  const website = await readWebsite(db, websiteId)
  const { plan } = await readSite(db, websiteId)
  const [row] = await db.select().from(redisCaches).where(eq(redisCaches.websiteId, websiteId))
  const stopped = row?.state === 'on' && (website.status === 'suspended' || website.status === 'deleted')
  return {
    websiteId,
    state: stopped ? 'stopped' : (row?.state ?? 'off'),
    socket: row ? socketOf(websiteId) : null,
    memoryMb: cacheMb(plan.memoryMb),
    seen: stopped ? null : (row?.seen ?? null),
    seenAt: row?.seenAt ?? null,
    problem: row?.problem ?? null,
  }
}

/** Reads the status from the server, stores it and notifies open screens. */
export async function refresh(app: App, websiteId: number): Promise<void> {
  const { db } = app
  const { serverId, username } = await readWebsite(db, websiteId)
  const found = await liveRead(app, serverId, 'redis.status', { websiteId, username }).then(
    (said) => ({ seen: RedisSeen.parse(said), problem: null }),
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error
      return { problem: [error.body.message].flat().join('\n') }
    },
  )
  await db
    .update(redisCaches)
    .set({ ...found, seenAt: new Date().toISOString() })
    .where(eq(redisCaches.websiteId, websiteId))
  await changed(db, 'redis', websiteId)
}
