import type { redis as contract } from '@innkeeper/contract/hosting/redis'
import { eq } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { refused } from '../../kit/http/errors.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { describe, type Outcome, onEnd } from '../../kit/work/workflow.ts'
import { readSite } from '../websites/site.ts'
import { begin } from '../websites/startWorkflow.ts'
import { websites } from '../websites/tables.ts'
import { readWebsite } from '../websites/view.ts'
import { disabling, enabling } from './steps.ts'
import { redisCaches } from './tables.ts'
import { readStatus, refresh } from './view.ts'

export const redisHandlers: Handlers<typeof contract> = {
  async enable({ website_id: id }, context) {
    const { db, staff, audit } = context
    const site = await served(context, id)
    const before = await stateOf(db, id)
    if (before) throw refused(`${site.domain} ${words[before]}`, { website_id: words[before] })
    await db.insert(redisCaches).values({ websiteId: id, state: 'enabling', createdBy: staff.id })
    audit.before({ redisCache: false })
    audit.after({ redisCache: true })
    await changed(db, 'redis', id)
    return begin(context, site, 'website.redis-enable', enabling(site))
  },

  async disable({ website_id: id }, context) {
    const { db, audit } = context
    const site = await served(context, id)
    if ((await stateOf(db, id)) !== 'on')
      throw refused(`${site.domain} has no Redis cache`, { website_id: 'Has no Redis cache' })
    await setState(db, id, 'disabling')
    audit.before({ redisCache: true })
    audit.after({ redisCache: false })
    await changed(db, 'redis', id)
    return begin(context, site, 'website.redis-disable', disabling(site))
  },

  async status({ website_id: id, sync }, { db, app, log, status }) {
    const now = await readStatus(db, id)
    if (sync !== 'true') {
      status(200)
      return now
    }
    if (now.state === 'on')
      refresh(app, id).catch((error: unknown) => log.error({ err: error }, 'a Redis cache could not be looked at'))
    status(204)
    return undefined
  },
}

const words = {
  enabling: 'is already turning on its Redis cache',
  on: 'has its Redis cache already',
  disabling: 'is turning off its Redis cache',
}

/** Locks and reads a website whose cache may be changed. Refuses for a website that is not active. */
async function served({ db }: Context, id: number) {
  const { domain, status } = await readWebsite(db, id)
  if (status !== 'active') throw refused(`${domain} is ${status}: its Redis cache cannot be changed`)
  await db.select({ id: websites.id }).from(websites).where(eq(websites.id, id)).for('update')
  return readSite(db, id)
}

async function stateOf(db: Db, websiteId: number) {
  const [row] = await db.select().from(redisCaches).where(eq(redisCaches.websiteId, websiteId))
  return row?.state
}
const setState = (db: Db, websiteId: number, state: 'on' | 'disabling') =>
  db
    .update(redisCaches)
    .set({ state, ...nextVersion })
    .where(eq(redisCaches.websiteId, websiteId))

/** Whether the cache exists after the workflow, by outcome. A stopped workflow leaves the row unchanged. */
const kinds: Record<string, { title: string; doing: string } & Partial<Record<Outcome, boolean>>> = {
  'website.redis-enable': {
    title: 'Turn on Redis cache',
    doing: 'turning on its Redis cache',
    done: true,
    'rolled-back': false,
  },
  'website.redis-disable': {
    title: 'Turn off Redis cache',
    doing: 'turning off its Redis cache',
    done: false,
    'rolled-back': true,
  },
}

/** Declares the workflows of this file, for domain.ts. */
export function redisWorkflows(): void {
  for (const [kind, { title, doing, ...ends }] of Object.entries(kinds)) {
    describe(kind, { title, doing })
    onEnd(kind, async (tx, { subjectId: id }, outcome) => {
      const isOn = ends[outcome]
      if (isOn !== undefined) {
        if (isOn) await setState(tx, id, 'on')
        else await tx.delete(redisCaches).where(eq(redisCaches.websiteId, id))
        await tx
          .update(websites)
          .set({ redisCache: isOn, ...nextVersion })
          .where(eq(websites.id, id))
      }
      await changed(tx, 'redis', id)
      await changed(tx, 'websites', id)
    })
  }
}
