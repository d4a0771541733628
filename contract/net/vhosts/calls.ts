import * as z from 'zod'
import { csv, del, filter, get, id, listQuery, pageOf, patch, post, version, whole } from '../../kit/endpoint.ts'
import { pageAddress, servedName } from '../../kit/values.ts'
import { cookieRules, edgeRulesChange, NO_RULES } from '../edgeRules/rules.ts'
import { EdgeDiff, TrafficPoint, Vhost } from './shapes.ts'

const found = {
  differing: z.array(EdgeDiff),
  /** Edges that could not be read, with the reason. */
  silent: z.array(z.object({ serverName: z.string(), reason: z.string() })),
}
const started = z.object({ data: Vhost, workflowId: z.int() })
/** Default settings of a website on an edge. */
export const DEFAULTS = { cdn: true, minutes: 10, stale: true, rules: NO_RULES }
const settings = {
  minutes: whole(1, 43_200).optional(),
  stale: z.boolean().optional(),
  /** Other rules have a call of their own. */
  rules: cookieRules.optional(),
}
/** A website by id or domain, and its first edge. Default: the edge with the fewest websites. */
const place = { websiteId: id.optional(), domain: servedName.optional(), serverId: id.optional() }
const search = filter(z.string().trim().max(253))
/** Maximum number of edges in one resync. */
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
  one: get('/vhost-management/vhost/:id', 'vhost:vhost:read', {
    summary: 'One website behind edge servers',
    returns: Vhost,
  }),
  create: post('/vhost-management/vhost', 'vhost:vhost:create', {
    summary: 'Put a website behind an edge server',
    body: { ...place, cdn: z.boolean().optional(), xdn: z.boolean().optional(), ...settings },
    returns: started,
  }),
  search: post('/vhost-management/vhost/search', 'vhost:vhost:read', {
    summary: 'Find by domains',
    effect: 'read',
    status: 200,
    body: { search, domain: search, page: filter(whole(1)), itemsPerPage: filter(whole(1, 200)) },
    returns: pageOf(Vhost),
  }),
  batch: get('/vhost-management/vhost/batch', 'vhost:vhost:read', {
    summary: 'A batch from an offset on, sorted by domain',
    query: { offset: filter(whole(0, 10_000_000)), limit: filter(whole(1, 200)), search },
    returns: pageOf(Vhost),
  }),
  count: get('/vhost-management/vhost/count', 'vhost:vhost:read', {
    summary: 'Number of websites behind edge servers',
    query: { search },
    returns: z.object({ count: z.int() }),
  }),
  remove: del('/vhost-management/vhost/:id', 'vhost:vhost:delete', {
    summary: 'Remove a website from its edges and purge its pages',
    body: { version },
    status: 202,
    returns: started,
  }),
  clear: post('/vhost-management/vhost/:id/clear', 'vhost:vhost:clear', {
    summary: 'Purge pages on the edges: addresses, prefixes, or everything',
    body: {
      urls: z.array(pageAddress).min(1).max(100).optional(),
      prefixes: z.array(pageAddress).min(1).max(20).optional(),
    },
    status: 202,
    returns: started,
  }),
  rules: patch('/vhost-management/vhost/:id/rules', 'vhost:rule:update', {
    summary: 'Change the rules of the edges: paths, redirects, headers, error pages, passwords, addresses, TLS',
    effect: 'stream', // the server asks edges whether they trust the certificate before its transaction
    body: { rules: edgeRulesChange, version },
    status: 202,
    returns: started,
  }),
  enableXdn: post('/vhost-management/vhost/:id/xdn', 'vhost:xdn:enable', {
    summary: 'Add an edge of the XDN',
    body: { serverId: id.optional(), version },
    status: 202,
    returns: started,
  }),
  disableXdn: del('/vhost-management/vhost/:id/xdn', 'vhost:xdn:disable', {
    summary: 'Remove the edge of the XDN',
    body: { version },
    status: 202,
    returns: started,
  }),
  enableCdn: patch('/vhost-management/vhost/:id/cdn', 'vhost:cdn:enable', {
    summary: 'Turn caching on and set its parameters',
    body: { ...settings, version },
    status: 202,
    returns: started,
  }),
  disableCdn: del('/vhost-management/vhost/:id/cdn', 'vhost:cdn:disable', {
    summary: 'Turn caching off',
    body: { version },
    status: 202,
    returns: started,
  }),
  resync: post('/vhost-management/vhost/resync', 'vhost:vhost:resync', {
    summary: 'Compare edges with the desired state and repair differences; dryRun only compares',
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
    summary: 'Preview the files that a change would write on each edge, for an existing or a new website',
    effect: 'read',
    live: true,
    status: 200,
    body: {
      ...{ id: id.optional(), ...place, cdn: z.boolean().optional(), xdn: z.boolean().optional() },
      ...{ ...settings, rules: edgeRulesChange.optional() },
    },
    returns: z.object(found),
  }),
  traffic: get('/vhost-management/vhost/:id/traffic', 'vhost:vhost:read', {
    summary: 'Requests and bytes per quarter of an hour, oldest first',
    query: { hours: filter(whole(1, 168)) },
    returns: z.object({ items: z.array(TrafficPoint), total: z.int() }),
  }),
}
