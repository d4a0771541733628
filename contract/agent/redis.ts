import * as z from 'zod'
import { phpVersion, username } from '../kit/values.ts'
import { websiteId } from './shapes.ts'

/** Operations on the Redis cache of a website. */
export const redisOperations = {
  /**
   * A Redis instance of the website's own, on a socket that only its account can open. Undo restores the previous
   * configuration, or removes the instance.
   */
  'redis.ensure': z.object({
    websiteId,
    username,
    memoryMb: z.int().min(16).max(1_048_576),
    /** `suspended`: the data stays and the instance is stopped. */
    state: z.enum(['active', 'suspended']),
    /**
     * The PHP version of the websites that use the cache. Its php-fpm is reloaded, because the Redis extension was just
     * installed.
     */
    phpVersion: phpVersion.optional(),
    /** Clears the cache, because the website's files and databases were replaced. */
    empty: z.literal(true).optional(),
  }),
  'redis.remove': z.object({ websiteId, username }),
  /** Answers the statistics of the instance, read as the account. */
  'redis.status': z.object({ websiteId, username }),
} as const
