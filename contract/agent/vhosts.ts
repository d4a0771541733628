import * as z from 'zod'
import { address, certificateChain, pageAddress, servedName } from '../kit/values.ts'
import { passwordFile, rulesOnEdge } from '../net/edgeRules/rules.ts'
import { sha256, vhostId } from './shapes.ts'
import { poolKey, poolShape, siteShape } from './websites.ts'

/** Configuration of a website on an edge. The first of `names` is its domain. */
const edgeSite = z.object({
  vhostId,
  names: z.array(servedName).min(1).max(700),
  /** Address of the origin server. */
  origin: address,
  /** False: requests are passed on and nothing is cached. */
  cache: z.boolean(),
  /** Lifetime of a page without a lifetime of its own, in minutes. */
  keepMinutes: z.int().min(1).max(43_200),
  /** Cached pages are served while the origin fails. */
  stale: z.boolean(),
  rules: rulesOnEdge.optional(),
  /** Accounts of the visitors who may open locked paths. */
  passwords: passwordFile.optional(),
})

/** Operations on edges, and comparisons of a website's files with the desired state. */
export const vhostsOperations = {
  /** Serves a website on an edge. Undo restores the previous file, or removes the site. */
  'edge-site.ensure': edgeSite,
  'edge-site.remove': z.object({ vhostId }),
  /** Purges these addresses or prefixes. Neither: all pages of the website. */
  'edge-cache.clear': z.object({
    vhostId,
    urls: z.array(pageAddress).max(100).optional(),
    prefixes: z.array(pageAddress).max(20).optional(),
  }),
  /** Answers the files that differ from the desired state, with both texts, and edge sites that should not exist. */
  'edge-sites.compare': z.object({
    sites: z
      .array(
        edgeSite.extend({
          /** sha256 of the file of passwords, instead of the passwords; empty: no file. */
          passwordsSum: z
            .string()
            .regex(/^(?:[0-9a-f]{64})?$/)
            .optional(),
          /** Desired https configuration; null: http alone. */
          tls: z.object({ fingerprint: sha256, redirect: z.boolean() }).nullable().optional(),
        }),
      )
      .max(500),
  }),
  /**
   * Answers why the edge distrusts a certificate; null: the edge trusts the certificate. Without `chain`, the certificate
   * is the one that the origin shows, and an edge that fetches over http distrusts none.
   */
  'edge-site.trust': z.object({ vhostId, chain: certificateChain.optional() }),
  /** Answers requests and bytes of each website since a time (seconds since the epoch), per quarter of an hour. */
  'edge-traffic.read': z.object({ since: z.int().min(0) }),
  /** Compares the files of a website on its server with the desired ones. `gone`: pools that should not exist. */
  'vhost-files.compare': z.object({
    site: siteShape,
    pools: z.array(poolShape).max(4),
    gone: z.array(poolKey).max(4),
  }),
} as const
