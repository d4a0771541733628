import * as z from 'zod'
import { instant, stored } from '../../kit/endpoint.ts'
import { EdgeRules } from '../edgeRules/rules.ts'
import { FileDiff } from '../originVhosts/shapes.ts'

/** Networks of edge servers, named after their server types. */
export const network = z.enum(['cdn', 'xdn'])
export type Network = z.output<typeof network>
/** A website on one edge. */
export const VhostEdge = z.object({
  network,
  serverId: z.int(),
  serverName: z.string(),
  address: z.string().nullable(),
  state: z.enum(['coming', 'live', 'going']),
  /** Result of the last comparison; null: never compared. */
  seen: z.enum(['same', 'differs']).nullable(),
  seenAt: instant.nullable(),
})
export type VhostEdge = z.output<typeof VhostEdge>
/** A website behind edges, which cache its pages. */
export const Vhost = z.object({
  ...stored,
  websiteId: z.int(),
  domain: z.string(),
  unicode: z.string().nullable(),
  ownerName: z.string(),
  /** Server id of the first edge. */
  serverId: z.int(),
  serverName: z.string(),
  /** The origin server. */
  originAddress: z.string().nullable(),
  originName: z.string(),
  /** False: edges pass requests on and cache nothing. */
  cdn: z.boolean(),
  /** True: the website is also on an edge of the XDN. */
  xdn: z.boolean(),
  /** Lifetime in minutes of pages without a lifetime of their own. */
  minutes: z.int(),
  /** True: edges serve cached pages while the origin fails. */
  stale: z.boolean(),
  rules: EdgeRules,
  status: z.enum(['creating', 'active', 'deleting']),
  edges: z.array(VhostEdge),
  /** Numbers of the last 24 hours. */
  hits: z.int(),
  misses: z.int(),
  bytes: z.int(),
  workflowId: z.int().nullable(),
})
export type Vhost = z.output<typeof Vhost>
/** Requests and bytes of a quarter of an hour. `passed`: requests that are never cached. */
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
