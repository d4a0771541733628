import * as z from 'zod'
import { filter, get, id, instant, patch, post } from '../kit/endpoint.ts'
import { Website } from './websites.ts'

/** Statistics of a Redis instance. */
export const RedisSeen = z.object({
  up: z.boolean(),
  /** Error message if the instance is not running. */
  problem: z.string().nullable(),
  redisVersion: z.string().nullable(),
  usedBytes: z.int(),
  maxBytes: z.int(),
  keys: z.int(),
  hits: z.int(),
  misses: z.int(),
  /** Keys that were removed for lack of memory. */
  evicted: z.int(),
  uptimeSeconds: z.int(),
})
export type RedisSeen = z.output<typeof RedisSeen>

/** `stopped`: the website is suspended or in the trash; the cache starts again with the website. */
export const redisState = z.enum(['off', 'enabling', 'on', 'stopped', 'disabling'])

export const RedisStatus = z.object({
  websiteId: z.int(),
  state: redisState,
  /** Path of the socket for applications. A rename or a move does not change it. */
  socket: z.string().nullable(),
  /** MiB: one eighth of the plan's memory, from 16 to 1,024. */
  memoryMb: z.int(),
  seen: RedisSeen.nullable(),
  seenAt: instant.nullable(),
  /** Error of the last refresh. */
  problem: z.string().nullable(),
})
export type RedisStatus = z.output<typeof RedisStatus>

const started = z.object({ data: Website, workflowId: z.int() })

/** The Redis cache of a website, on a socket that only its account can open. */
export const redis = {
  enable: post('/redis-cache/enable', 'website:redis-cache:enable', {
    summary: 'Turn on the Redis cache of a website',
    body: { website_id: id },
    status: 202,
    returns: started,
  }),
  disable: patch('/redis-cache/disable', 'website:redis-cache:disable', {
    summary: 'Turn off the Redis cache of a website and delete its contents',
    body: { website_id: id },
    status: 202,
    returns: started,
  }),
  status: get('/redis-cache/status', 'website:redis-cache:read', {
    summary: 'State of the Redis cache of a website; sync=true starts a refresh, announced by a `changed` event',
    query: { website_id: id, sync: filter(z.enum(['true', 'false'])) },
    status: [200, 204],
    returns: RedisStatus.optional(),
  }),
}
