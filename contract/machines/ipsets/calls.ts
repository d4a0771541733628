import * as z from 'zod'
import { csv, del, filter, get, id, line, listQuery, pageOf, patch, post, version, whole } from '../../kit/endpoint.ts'
import { ipSetKey, ipSetName, network } from '../../kit/values.ts'
import { Asked, Ban, expiresAt, IpSet, IpSetView, Judged, MOST_BAN_TEXT, MOST_BANS, typedIp } from './shapes.ts'

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
    body: { text: z.string().min(1, 'Required').max(MOST_BAN_TEXT), reason: line(300).optional(), expiresAt },
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
