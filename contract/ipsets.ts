import * as z from 'zod'
import {
  csv,
  del,
  filter,
  get,
  id,
  instant,
  line,
  listQuery,
  pageOf,
  patch,
  post,
  stored,
  version,
  whole,
} from './kit.ts'
import { ipSetKey, ipSetName, network } from './values.ts'

/** Maximum number of entries that nftables handles well. A set can have a lower limit. */
export const MOST_BANS = 500_000

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
const Asked = z.object({ serverId: z.int(), name: z.string(), answered: z.boolean(), problem: z.string().nullable() })

/** A typed address that is not yet validated. */
const typedIp = z.string().trim().min(1, 'Required').max(64)
const expiresAt = instant.nullable().optional()
const Judged = z.object({
  /** Canonical form; null if the text is no address. */
  ip: z.string().nullable(),
  /** Why the address cannot be banned. */
  problem: z.string().nullable(),
  /** Overlapping bans. */
  notes: z.array(z.string()),
})

export const setFields = {
  description: line(200).nullable().optional(),
  everywhere: z.boolean().optional(),
  serverIds: z.array(id).max(1000).optional(),
  maxElements: whole(1, MOST_BANS).optional(),
}
const sets = '/ipset/sets'
const ofSet = { set: ipSetKey }
const ofBan = { set: ipSetKey, ip: network }

export const ipsets = {
  sets: get(sets, 'ipset:set:read', {
    summary: 'IP sets',
    query: {
      ...listQuery(['name', 'bans', 'createdAt']),
      search: filter(z.string().trim().max(120)),
      server: filter(csv(id)),
    },
    returns: pageOf(IpSet),
  }),
  create: post(sets, 'ipset:set:create', {
    summary: 'Create an IP set on all or chosen servers',
    body: { name: ipSetName, ...setFields },
    returns: IpSetView,
  }),
  set: get(`${sets}/:id`, 'ipset:set:read', {
    summary: 'One IP set with its state on each server',
    params: { id: ipSetKey },
    returns: IpSetView,
  }),
  update: patch(`${sets}/:id`, 'ipset:set:update', {
    summary: 'Change servers, limit and description of an IP set',
    params: { id: ipSetKey },
    body: { ...setFields, version },
    returns: IpSetView,
  }),
  remove: del(`${sets}/:id`, 'ipset:set:delete', {
    summary: 'Delete an IP set and lift its bans',
    params: { id: ipSetKey },
    body: { version },
    status: [202, 204],
    returns: z.object({ workflowIds: z.array(z.int()) }).optional(),
  }),
  ips: get(`${sets}/:id/ips`, 'ipset:set:read', {
    summary: 'Bans of an IP set; cache=false reads the servers',
    params: { id: ipSetKey },
    query: {
      ...listQuery(['at', 'ip', 'expiresAt']),
      /** An address finds covering and covered bans; other text matches part of an address or a reason. */
      search: filter(z.string().trim().max(120)),
      state: filter(z.enum(['live', 'ended'])),
      cache: filter(z.enum(['true', 'false'])),
    },
    live: true,
    returns: pageOf(Ban).extend({ asked: z.array(Asked).optional() }),
  }),
  ban: post(`${sets}/:set/ips`, 'ipset:set:update', {
    summary: 'Ban an address or a network, permanently or until a time',
    params: ofSet,
    body: { ip: typedIp, reason: line(300).optional(), expiresAt },
    returns: Ban.extend({ notes: z.array(z.string()), workflowIds: z.array(z.int()) }),
  }),
  change: patch(`${sets}/:set/ips/:ip`, 'ipset:set:update', {
    summary: 'Change the reason or the end of a ban',
    params: ofBan,
    body: { reason: line(300).nullable().optional(), expiresAt, version },
    returns: Ban,
  }),
  unban: del(`${sets}/:set/ips/:ip`, 'ipset:set:unban', {
    summary: 'Lift a ban',
    params: ofBan,
    body: { version },
    status: 204,
  }),
  check: post(`${sets}/:set/check`, 'ipset:set:update', {
    summary: 'Preview a ban: overlaps and refusals',
    effect: 'read',
    status: 200,
    params: ofSet,
    body: { ip: typedIp, expiresAt },
    returns: Judged,
  }),
  bring: post(`${sets}/:set/import`, 'ipset:set:update', {
    summary: 'Ban many addresses, one per line; lines with errors are reported and skipped',
    status: 200,
    params: ofSet,
    body: { text: z.string().min(1, 'Required').max(1_000_000), reason: line(300).optional(), expiresAt },
    returns: z.object({
      banned: z.int(),
      skipped: z.array(z.object({ line: z.int(), text: z.string(), why: z.string() })),
      /** Number of lines with errors beyond those listed. */
      unsaid: z.int(),
      workflowIds: z.array(z.int()),
    }),
  }),
  sync: post(`${sets}/:set/sync`, 'ipset:set:update', {
    summary: 'Compare an IP set with its servers, and repair differences',
    params: ofSet,
    body: { serverId: id.optional() },
    status: 202,
    returns: z.object({ workflowIds: z.array(z.int()), servers: z.int() }),
  }),
}
