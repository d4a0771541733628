import * as z from 'zod'
import { address, pageAddress, servedName } from '../values.ts'
import { sha256, vhostId } from './shapes.ts'
import { poolKey, poolShape, siteShape } from './websites.ts'

/** What an edge's file for one website is made from. `names`: the website's own first. */
const edgeSite = z.object({
  vhostId,
  names: z.array(servedName).min(1).max(700),
  /** The server that it is fetched from. */
  origin: address,
  /** Off: everything is handed on, and nothing kept. */
  cache: z.boolean(),
  /** How long a page is kept whose server does not say. */
  keepMinutes: z.int().min(1).max(43_200),
  /** What is kept is shown while its server fails. */
  stale: z.boolean(),
})

/** Edges that keep what websites answer, and how a website's own files on its server differ from what is wanted. */
export const vhostsOperations = {
  /** An edge answers for a website. Undo goes back to the file before, or to none where there was none. */
  'edge-site.ensure': edgeSite,
  'edge-site.remove': z.object({ vhostId }),
  /** It forgets these pages, those that begin so, or, where neither is named, all of the website. */
  'edge-cache.clear': z.object({
    vhostId,
    urls: z.array(pageAddress).max(100).optional(),
    prefixes: z.array(pageAddress).max(20).optional(),
  }),
  /** Which files of an edge are not as they should be, with both texts; and edges of which nobody knows. */
  'edge-sites.compare': z.object({
    sites: z
      .array(
        edgeSite.extend({
          /** What it is to answer with over https; null: nothing. */
          tls: z.object({ fingerprint: sha256, redirect: z.boolean() }).nullable().optional(),
        }),
      )
      .max(500),
  }),
  /** Requests and bytes of each website since then, in quarters of an hour. */
  'edge-traffic.read': z.object({ since: z.int().min(0) }),
  /** What is in a website's files on its server, and what would be. `gone`: pools that are to go. */
  'vhost-files.compare': z.object({
    site: siteShape,
    pools: z.array(poolShape).max(4),
    gone: z.array(poolKey).max(4),
  }),
} as const
