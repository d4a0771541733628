import * as z from 'zod'
import { address, ipSetName, network } from '../values.ts'
import { sha256 } from './shapes.ts'

/** Seconds since 1970. */
const second = z.int().min(0).max(4_294_967_295)
/**
 * Everything that a set has from one address to another, each entry with the second at which it ends (0: never); what
 * else lies there goes.
 */
const setPart = z.object({
  first: address,
  last: address,
  elements: z.array(z.object({ first: address, last: address, until: second })).max(5000),
})
/** sha256 of the lines of all entries that end after `at`, or never. */
const setDigest = z.object({ set: ipSetName, sum: sha256 })

/** Whose packets a server drops. */
export const ipsetsOperations = {
  /**
   * A set of banned addresses is so in these parts, in the kernel and after a reboot; other parts stay. `whole`: also where
   * it has passed this change already.
   */
  'ip-set.ensure': z.object({
    set: ipSetName,
    change: z.int().min(0).max(2_147_483_647),
    whole: z.boolean(),
    parts: z.array(setPart).max(5000),
  }),
  'ip-set.remove': z.object({ set: ipSetName }),
  /** Which of these sets this server has otherwise, in the kernel or for its next start. */
  'ip-sets.compare': z.object({ at: second, sets: z.array(setDigest).max(1000) }),
  /** A live look, in the read lane: which of these networks the kernel drops by a set. */
  'ip-set.look': z.object({ set: ipSetName, networks: z.array(network).max(200) }),
} as const
