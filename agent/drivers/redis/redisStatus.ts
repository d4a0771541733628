import type { Driver } from '../../kit/driver.ts'
import { run, until } from '../../kit/host.ts'
import { siteAccount } from '../accounts/systemAccounts.ts'
import { socketOf, unitOf } from './redisUnit.ts'

/** The statistics of a website's Redis; `up: false` with the reason if Redis does not answer. */
export const redisStatus: Driver<'redis.status'> = {
  run: ({ input: { websiteId, username } }) =>
    askOnce(websiteId, username).catch((error: Error) => ({ ...nothing, problem: error.message.slice(0, 300) })),
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

interface Seen {
  up: boolean
  problem: string | null
  redisVersion: string | null
  usedBytes: number
  maxBytes: number
  keys: number
  hits: number
  misses: number
  evicted: number
  uptimeSeconds: number
}
const nothing: Seen = {
  up: false,
  problem: null,
  redisVersion: null,
  usedBytes: 0,
  maxBytes: 0,
  keys: 0,
  hits: 0,
  misses: 0,
  evicted: 0,
  uptimeSeconds: 0,
}

/** Queries a Redis that may still be starting. */
export const askRedis = (websiteId: number, username: string): Promise<Seen> =>
  until({
    what: `the Redis of website ${websiteId} answers`,
    unit: unitOf(websiteId),
    look: () => askOnce(websiteId, username),
  })

/**
 * Queries Redis as the account, over the socket in the account's folder, because root must not talk to whatever is in
 * its place. Throws the error of redis-cli if Redis does not answer.
 */
async function askOnce(websiteId: number, username: string): Promise<Seen> {
  const { uid, gid } = await siteAccount(username)
  const ran = await run(['redis-cli', '-s', socketOf(websiteId), 'INFO'], { as: { uid, gid } })
  if (ran.code === 0 && ran.stdout.startsWith('# Server')) return readInfo(ran.stdout)
  const [said = ''] = (ran.stderr || ran.stdout).trim().split('\n')
  throw new Error(`the Redis of website ${websiteId} does not answer: ${said}`)
}

function readInfo(text: string): Seen {
  const figure = (key: string) => Number(text.match(new RegExp(`^${key}:(\\d{1,15})\\r?$`, 'm'))?.[1] ?? 0)
  const keys = [...text.matchAll(/^db\d+:keys=(\d{1,12}),/gm)].reduce((sum, [, n]) => sum + Number(n), 0)
  return {
    up: true,
    problem: null,
    redisVersion: text.match(/^redis_version:([\w.-]{1,40})\r?$/m)?.[1] ?? null,
    usedBytes: figure('used_memory'),
    maxBytes: figure('maxmemory'),
    keys,
    hits: figure('keyspace_hits'),
    misses: figure('keyspace_misses'),
    evicted: figure('evicted_keys'),
    uptimeSeconds: figure('uptime_in_seconds'),
  }
}
