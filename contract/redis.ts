import * as z from 'zod'
import { filter, get, id, instant, patch, post } from './kit.ts'
import { Website } from './websites.ts'

/** What its instance said of itself. */
export const RedisSeen = z.object({
  up: z.boolean(),
  /** Why it is not up, in the words of its server. */
  problem: z.string().nullable(),
  redisVersion: z.string().nullable(),
  usedBytes: z.int(),
  maxBytes: z.int(),
  keys: z.int(),
  hits: z.int(),
  misses: z.int(),
  /** Keys that had to make room. */
  evicted: z.int(),
  uptimeSeconds: z.int(),
})
export type RedisSeen = z.output<typeof RedisSeen>

/** `stopped`: its website is suspended or in the trash, and it comes back with that. */
export const redisState = z.enum(['off', 'enabling', 'on', 'stopped', 'disabling'])

export const RedisStatus = z.object({
  websiteId: z.int(),
  state: redisState,
  /** Where the website finds it on its own server; the same after a rename and on another server. */
  socket: z.string().nullable(),
  /** MiB: an eighth of what the plan gives the account, 16 to 1,024. */
  memoryMb: z.int(),
  seen: RedisSeen.nullable(),
  seenAt: instant.nullable(),
  /** Why the last refresh came to nothing. */
  problem: z.string().nullable(),
})
export type RedisStatus = z.output<typeof RedisStatus>

const started = z.object({ data: Website, workflowId: z.int() })

/** Its own Redis for a website, reached by a socket that its account alone may open. */
export const redis = {
  enable: post('/redis-cache/enable', 'website:redis-cache:enable', {
    summary: 'Give a website a Redis cache of its own',
    body: { website_id: id },
    status: 202,
    returns: started,
  }),
  disable: patch('/redis-cache/disable', 'website:redis-cache:disable', {
    summary: 'Take the Redis cache of a website away, with all that is in it',
    body: { website_id: id },
    status: 202,
    returns: started,
  }),
  status: get('/redis-cache/status', 'website:redis-cache:read', {
    summary: 'The Redis cache of a website; sync=true asks its server anew and answers nothing: `changed` tells',
    query: { website_id: id, sync: filter(z.enum(['true', 'false'])) },
    status: [200, 204],
    returns: RedisStatus.optional(),
  }),
}
