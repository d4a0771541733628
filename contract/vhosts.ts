import * as z from 'zod'
import { csv, del, filter, get, id, instant, listQuery, pageOf, patch, post, stored, version, whole } from './kit.ts'
import { FileDiff } from './originVhosts.ts'
import { pageAddress, servedName } from './values.ts'

/** Two networks of edge servers, by the type of their servers. */
export const network = z.enum(['cdn', 'xdn'])
export type Network = z.output<typeof network>

/** A website on one edge server. */
export const VhostEdge = z.object({
  network,
  serverId: z.int(),
  serverName: z.string(),
  address: z.string().nullable(),
  state: z.enum(['coming', 'live', 'going']),
  /** What the edge had when it was last compared; null: never. */
  seen: z.enum(['same', 'differs']).nullable(),
  seenAt: instant.nullable(),
})
export type VhostEdge = z.output<typeof VhostEdge>

/** A website behind edge servers, which keep what its own server answers. */
export const Vhost = z.object({
  ...stored,
  websiteId: z.int(),
  domain: z.string(),
  unicode: z.string().nullable(),
  ownerName: z.string(),
  /** Of the first edge. */
  serverId: z.int(),
  serverName: z.string(),
  /** Where the edges fetch it. */
  originAddress: z.string().nullable(),
  originName: z.string(),
  /** Off: the edge hands everything on and keeps nothing. */
  cdn: z.boolean(),
  /** On an edge of the second network as well. */
  xdn: z.boolean(),
  /** How long a page is kept whose server does not say. */
  minutes: z.int(),
  /** What is kept goes on being shown while the website's server fails. */
  stale: z.boolean(),
  status: z.enum(['creating', 'active', 'deleting']),
  edges: z.array(VhostEdge),
  /** Over the last 24 hours. */
  hits: z.int(),
  misses: z.int(),
  bytes: z.int(),
  workflowId: z.int().nullable(),
})
export type Vhost = z.output<typeof Vhost>

/** Requests and bytes of a quarter of an hour. `passed`: such as are never kept. */
export const TrafficPoint = z.object({
  at: instant,
  hits: z.int(),
  misses: z.int(),
  passed: z.int(),
  bytes: z.int(),
})
export type TrafficPoint = z.output<typeof TrafficPoint>

export const EdgeDiff = FileDiff.extend({
  vhostId: z.int(),
  domain: z.string(),
  network,
  serverName: z.string(),
})
export type EdgeDiff = z.output<typeof EdgeDiff>

const found = {
  differing: z.array(EdgeDiff),
  /** Edges that could not be asked, and why. */
  silent: z.array(z.object({ serverName: z.string(), reason: z.string() })),
}
const started = z.object({ data: Vhost, workflowId: z.int() })
/** What an edge does with a website of which nobody says otherwise. */
export const DEFAULTS = { cdn: true, minutes: 10, stale: true }
const settings = { minutes: whole(1, 43_200).optional(), stale: z.boolean().optional() }
/** A website, by its id or by its domain, and its first edge: the one with the least on it where none is named. */
const place = { websiteId: id.optional(), domain: servedName.optional(), serverId: id.optional() }
const search = filter(z.string().trim().max(253))
/** Edges that one resync looks at. */
export const MOST_EDGES = 500

export const vhosts = {
  list: get('/vhost-management/vhost', 'vhost:vhost:read', {
    summary: 'Websites behind edge servers',
    query: {
      ...listQuery(['domain', 'createdAt', 'updatedAt']),
      search,
      server: filter(csv(id)),
      website: filter(csv(id)),
      cdn: filter(z.enum(['true', 'false'])),
      xdn: filter(z.enum(['true', 'false'])),
      seen: filter(csv(z.enum(['same', 'differs']))),
    },
    returns: pageOf(Vhost),
  }),
  one: get('/vhost-management/vhost/:id', 'vhost:vhost:read', { summary: 'One of them', returns: Vhost }),
  create: post('/vhost-management/vhost', 'vhost:vhost:create', {
    summary: 'Put a website behind an edge server',
    body: { ...place, cdn: z.boolean().optional(), xdn: z.boolean().optional(), ...settings },
    returns: started,
  }),
  search: post('/vhost-management/vhost/search', 'vhost:vhost:read', {
    summary: 'Find some by their domains',
    effect: 'read',
    status: 200,
    body: { search, domain: search, page: filter(whole(1)), itemsPerPage: filter(whole(1, 200)) },
    returns: pageOf(Vhost),
  }),
  batch: get('/vhost-management/vhost/batch', 'vhost:vhost:read', {
    summary: 'So many from an offset on, by domain',
    query: { offset: filter(whole(0, 10_000_000)), limit: filter(whole(1, 200)), search },
    returns: pageOf(Vhost),
  }),
  count: get('/vhost-management/vhost/count', 'vhost:vhost:read', {
    summary: 'How many there are',
    query: { search },
    returns: z.object({ count: z.int() }),
  }),
  remove: del('/vhost-management/vhost/:id', 'vhost:vhost:delete', {
    summary: 'Take a website from its edges, with all that they keep of it',
    body: { version },
    status: 202,
    returns: started,
  }),
  clear: post('/vhost-management/vhost/:id/clear', 'vhost:vhost:clear', {
    summary: 'Have its edges forget pages: these, those that begin so, or all',
    body: {
      urls: z.array(pageAddress).min(1).max(100).optional(),
      prefixes: z.array(pageAddress).min(1).max(20).optional(),
    },
    status: 202,
    returns: started,
  }),
  enableXdn: post('/vhost-management/vhost/:id/xdn', 'vhost:xdn:enable', {
    summary: 'Put it on an edge of the second network too',
    body: { serverId: id.optional(), version },
    status: 202,
    returns: started,
  }),
  disableXdn: del('/vhost-management/vhost/:id/xdn', 'vhost:xdn:disable', {
    summary: 'Take it from the second network',
    body: { version },
    status: 202,
    returns: started,
  }),
  enableCdn: patch('/vhost-management/vhost/:id/cdn', 'vhost:cdn:enable', {
    summary: 'Its edges keep pages, this long and so',
    body: { ...settings, version },
    status: 202,
    returns: started,
  }),
  disableCdn: del('/vhost-management/vhost/:id/cdn', 'vhost:cdn:disable', {
    summary: 'Its edges hand everything on and keep nothing',
    body: { version },
    status: 202,
    returns: started,
  }),
  resync: post('/vhost-management/vhost/resync', 'vhost:vhost:resync', {
    summary: 'Compare edges with what is wanted, and write anew what differs; dryRun only compares',
    effect: 'stream',
    live: true,
    status: 200,
    body: { ids: z.array(id).min(1).max(MOST_EDGES).optional(), dryRun: z.boolean().optional() },
    returns: z.object({
      compared: z.int(),
      ...found,
      workflowIds: z.array(z.int()),
    }),
  }),
  diff: post('/vhost-management/vhost/diff', 'vhost:vhost:read', {
    summary:
      'What a change would write on each edge, asked of them now; of one of them by its id, or of a website that is to come',
    effect: 'read',
    live: true,
    status: 200,
    body: { id: id.optional(), ...place, cdn: z.boolean().optional(), xdn: z.boolean().optional(), ...settings },
    returns: z.object(found),
  }),
  traffic: get('/vhost-management/vhost/:id/traffic', 'vhost:vhost:read', {
    summary: 'Its requests and bytes, in quarters of an hour, oldest first',
    query: { hours: filter(whole(1, 168)) },
    returns: z.object({ items: z.array(TrafficPoint), total: z.int() }),
  }),
}
