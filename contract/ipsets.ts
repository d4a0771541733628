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
import { ipSetName, network } from './values.ts'

/** What nftables keeps without trouble; a set may be given less. */
export const MOST_BANS = 500_000

/**
 * Where a set stands on a server. `waiting`: it is told as soon as it answers; `failed`: it was told and could not;
 * `different`, `missing`: found so by a comparison, and told anew; `leaving`: it is being taken away there.
 */
export const standing = z.enum(['same', 'telling', 'waiting', 'failed', 'different', 'missing', 'leaving'])
export type Standing = z.output<typeof standing>

export const IpSet = z.object({
  ...stored,
  name: z.string(),
  description: z.string().nullable(),
  /** On every server, those that come included; else on `serverIds`. */
  everywhere: z.boolean(),
  serverIds: z.array(z.int()),
  maxElements: z.int(),
  bans: z.int(),
  /** Servers that it is or is to be on, and how many of them have it as it is here. */
  servers: z.int(),
  applied: z.int(),
})
export type IpSet = z.output<typeof IpSet>

const OnServer = z.object({
  serverId: z.int(),
  name: z.string(),
  standing,
  /** Why it waits or could not be told. */
  reason: z.string().nullable(),
  /** Entries there, which are fewer or more than bans where networks lie in each other. */
  elements: z.int().nullable(),
  /** Packets that were dropped, as counted when it was compared last. */
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
  origin: z.enum(['person', 'import']),
  bannedBy: z.string(),
  at: instant,
  expiresAt: instant.nullable(),
  /** Lifted or run out, and by whom. */
  endedAt: instant.nullable(),
  endedBy: z.string().nullable(),
  /** Servers of the set that drop it by now: by what they were told, or, asked with `cache=false`, as they say. */
  appliedOn: z.array(z.string()),
  missingOn: z.array(z.string()),
})
export type Ban = z.output<typeof Ban>

/** Of a fresh search: who was asked, and who did not answer. */
const Asked = z.object({ serverId: z.int(), name: z.string(), answered: z.boolean(), problem: z.string().nullable() })

/** An address by which somebody may ask what is known of it: typed, as yet not looked at. */
const typedIp = z.string().trim().min(1, 'Required').max(64)
const expiresAt = instant.nullable().optional()
const Judged = z.object({
  /** Canonical; null where it is no address. */
  ip: z.string().nullable(),
  /** Why it cannot be banned. */
  problem: z.string().nullable(),
  /** What is good to know: which bans cover it, or are covered. */
  notes: z.array(z.string()),
})

export const setFields = {
  description: line(200).nullable().optional(),
  everywhere: z.boolean().optional(),
  serverIds: z.array(id).max(1000).optional(),
  maxElements: whole(1, MOST_BANS).optional(),
}
const sets = '/ipset/sets'
const ofSet = { set: ipSetName }
const ofBan = { set: ipSetName, ip: network }

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
    summary: 'Add a set, on all servers or on chosen ones',
    body: { name: ipSetName, ...setFields },
    returns: IpSetView,
  }),
  set: get(`${sets}/:id`, 'ipset:set:read', {
    summary: 'One set, with what each of its servers has',
    params: { id: ipSetName },
    returns: IpSetView,
  }),
  update: patch(`${sets}/:id`, 'ipset:set:update', {
    summary: 'Change where a set is, how many bans it takes, what it is for',
    params: { id: ipSetName },
    body: { ...setFields, version },
    returns: IpSetView,
  }),
  remove: del(`${sets}/:id`, 'ipset:set:delete', {
    summary: 'Delete a set: its addresses get through again',
    params: { id: ipSetName },
    body: { version },
    status: [202, 204],
    returns: z.object({ workflowIds: z.array(z.int()) }).optional(),
  }),
  ips: get(`${sets}/:id/ips`, 'ipset:set:read', {
    summary: 'Bans of a set; with cache=false its servers are asked which of them they have',
    params: { id: ipSetName },
    query: {
      ...listQuery(['at', 'ip', 'expiresAt']),
      /** An address finds what covers it and what lies in it; else part of an address or a reason. */
      search: filter(z.string().trim().max(120)),
      state: filter(z.enum(['live', 'ended'])),
      cache: filter(z.enum(['true', 'false'])),
    },
    live: true,
    returns: pageOf(Ban).extend({ asked: z.array(Asked).optional() }),
  }),
  ban: post(`${sets}/:set/ips`, 'ipset:set:update', {
    summary: 'Ban an address or a network, until a moment or for good',
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
    summary: 'What banning an address would come to; nothing is saved',
    effect: 'read',
    status: 200,
    params: ofSet,
    body: { ip: typedIp, expiresAt },
    returns: Judged,
  }),
  bring: post(`${sets}/:set/import`, 'ipset:set:update', {
    summary: 'Ban many addresses at once, one a line; what is wrong with a line is said, the others are banned',
    status: 200,
    params: ofSet,
    body: { text: z.string().min(1, 'Required').max(1_000_000), reason: line(300).optional(), expiresAt },
    returns: z.object({
      banned: z.int(),
      skipped: z.array(z.object({ line: z.int(), text: z.string(), why: z.string() })),
      /** Of how many lines nothing more is said. */
      unsaid: z.int(),
      workflowIds: z.array(z.int()),
    }),
  }),
  sync: post(`${sets}/:set/sync`, 'ipset:set:update', {
    summary: 'Compare a set with what its servers have, and tell anew what differs',
    params: ofSet,
    body: { serverId: id.optional() },
    status: 202,
    returns: z.object({ workflowIds: z.array(z.int()), servers: z.int() }),
  }),
}
