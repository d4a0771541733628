import * as z from 'zod'
import { instant, stored } from '../../kit/endpoint.ts'

/** Maximum number of entries that nftables handles well. A set can have a lower limit. */
export const MOST_BANS = 500000
/** Maximum number of characters of an imported list. */
export const MOST_BAN_TEXT = 1_000_000
/**
 * State of a set on a server. `waiting`: delivered as soon as the server answers; `failed`: the delivery failed;
 * `different`, `missing`: found by a comparison, and delivered again; `leaving`: being removed from the server.
 */
export const standing = z.enum(['same', 'telling', 'waiting', 'failed', 'different', 'missing', 'leaving'])
export type Standing = z.output<typeof standing>

export const IpSet = z.object({
  ...stored,
  name: z.string(),
  description: z.string().nullable(),
  /** True: on all servers, including future ones. False: only on `serverIds`. */
  everywhere: z.boolean(),
  serverIds: z.array(z.int()),
  maxElements: z.int(),
  /** TCP ports whose packets are dropped; null: all packets. Only sets of Innkeeper itself have ports. */
  ports: z.array(z.int()).nullable(),
  bans: z.int(),
  /** Number of servers that have or should have the set. `applied`: those that are up to date. */
  servers: z.int(),
  applied: z.int(),
})
export type IpSet = z.output<typeof IpSet>
const OnServer = z.object({
  serverId: z.int(),
  name: z.string(),
  standing,
  /** Why the delivery waits or failed. */
  reason: z.string().nullable(),
  /** Entries on the server. Differs from the number of bans when networks overlap. */
  elements: z.int().nullable(),
  /** Dropped packets at the last comparison. */
  packets: z.int().nullable(),
  at: instant.nullable(),
  workflowId: z.int().nullable(),
})
export type OnServer = z.output<typeof OnServer>
export const IpSetView = IpSet.extend({ onServers: z.array(OnServer) })
export type IpSetView = z.output<typeof IpSetView>

export const Ban = z.object({
  id: z.int(),
  version: z.int(),
  ip: z.string(),
  reason: z.string().nullable(),
  /** `innkeeper`: banned by a rule, such as failed sign-ins. */
  origin: z.enum(['person', 'import', 'innkeeper']),
  bannedBy: z.string(),
  at: instant,
  expiresAt: instant.nullable(),
  /** When and by whom the ban was lifted, or when it expired. */
  endedAt: instant.nullable(),
  endedBy: z.string().nullable(),
  /** Servers that drop the address, by their last delivery; with `cache=false`, by their own answer. */
  appliedOn: z.array(z.string()),
  missingOn: z.array(z.string()),
})
export type Ban = z.output<typeof Ban>
/** With `cache=false`: servers that answered, and servers that did not. */
export const Asked = z.object({
  serverId: z.int(),
  name: z.string(),
  answered: z.boolean(),
  problem: z.string().nullable(),
})
/** A typed address that is not yet validated. */
export const typedIp = z.string().trim().min(1, 'Required').max(64)
export const expiresAt = instant.nullable().optional()
export const Judged = z.object({
  /** The entry in canonical form; null if the entry is no IP address. */
  ip: z.string().nullable(),
  /** Why the address cannot be banned. */
  problem: z.string().nullable(),
  /** Overlapping bans. */
  notes: z.array(z.string()),
})
