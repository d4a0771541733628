import * as z from 'zod'
import { phpVersion, username } from '../values.ts'
import { websiteId } from './shapes.ts'

/** The cache of a website. */
export const redisOperations = {
  /** The own Redis of a website, by a socket that its account alone may open. Undo goes back to the one before, or to none. */
  'redis.ensure': z.object({
    websiteId,
    username,
    memoryMb: z.int().min(16).max(1_048_576),
    /** `suspended`: kept, and not running. */
    state: z.enum(['active', 'suspended']),
    /** Its websites ask this one, which learns of an extension that has just come. */
    phpVersion: phpVersion.optional(),
    /** What it holds goes: it is of files and databases that are others by now. */
    empty: z.literal(true).optional(),
  }),
  'redis.remove': z.object({ websiteId, username }),
  /** What the Redis of a website says of itself, asked as its account. */
  'redis.status': z.object({ websiteId, username }),
} as const
