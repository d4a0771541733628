import * as z from 'zod'
import { address, ipSetName, network } from '../kit/values.ts'
import { sha256 } from './shapes.ts'

const port = z.int().min(1).max(65_535)
/** Seconds since the epoch. */
const second = z.int().min(0).max(4_294_967_295)
/**
 * All entries of a set between two addresses. `until` is the second at which an entry ends (0: never). Other entries in
 * that range are deleted.
 */
const setPart = z.object({
  first: address,
  last: address,
  elements: z.array(z.object({ first: address, last: address, until: second })).max(5000),
})
/** sha256 of the lines of all entries that end after `at`, or never. */
const setDigest = z.object({ set: ipSetName, sum: sha256 })

/** Operations on the addresses and networks whose packets a server drops. */
export const ipsetsOperations = {
  /**
   * Writes these ranges of an IP set to the kernel and to the files for the next boot. Other ranges stay. `whole`
   * writes even if the server already has a later change. `ports`: drops only TCP packets to these ports of the server;
   * absent: all packets. Agents without `mail-guesses.read` ignore the field.
   */
  'ip-set.ensure': z.object({
    set: ipSetName,
    change: z.int().min(0).max(2_147_483_647),
    whole: z.boolean(),
    ports: z.array(port).min(1).max(15).optional(),
    parts: z.array(setPart).max(5000),
  }),
  'ip-set.remove': z.object({ set: ipSetName }),
  /** Answers which of these sets differ, in the kernel or in the files. */
  'ip-sets.compare': z.object({ at: second, sets: z.array(setDigest).max(1000) }),
  /** Answers which of these networks the set drops in the kernel. Runs in the read lane and stores nothing. */
  'ip-set.look': z.object({ set: ipSetName, networks: z.array(network).max(200) }),
} as const
