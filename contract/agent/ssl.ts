import * as z from 'zod'
import { certificateChain, domain, privateKey, servedName } from '../values.ts'
import { vhostId } from './shapes.ts'

const shown = {
  /** Those that are asked for by TLS before the one before goes. */
  names: z.array(servedName).max(300),
  chain: certificateChain,
  privateKey,
  /** http leads to https. */
  redirect: z.boolean(),
}

/** Certificates in the web server, and the answers that an authority asks for. */
export const sslOperations = {
  /**
   * The web server answers the http-01 challenges of an ACME account for every name that leads to this server, also for one that
   * is no website yet. The answer is the token and the thumbprint of the account's key: no order has to be told here.
   */
  'acme-answer.ensure': z.object({ thumbprint: z.string().regex(/^[A-Za-z0-9_-]{43}$/) }),
  /** A website answers over https with this certificate. Undo returns to the one before, or to http alone. */
  'tls-site.ensure': z.object({
    domain,
    ...shown,
    /** Seconds that browsers are to stay with https; 0: they are not told. */
    hsts: z.int().min(0).max(63_072_000),
  }),
  /** Over http alone. Undo brings the certificate back. */
  'tls-site.remove': z.object({ domain }),
  /** The same on an edge, which asks for as many of the names as it answers to. How long browsers stay, the website says. */
  'edge-tls.ensure': z.object({ vhostId, domain, ...shown }),
  'edge-tls.remove': z.object({ vhostId, domain }),
} as const
