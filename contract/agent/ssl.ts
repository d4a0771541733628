import * as z from 'zod'
import { certificateChain, domain, privateKey, servedName } from '../kit/values.ts'
import { vhostId } from './shapes.ts'

const shown = {
  /** Names whose TLS answers are checked before the previous certificate is removed. */
  names: z.array(servedName).max(300),
  chain: certificateChain,
  privateKey,
  /** http redirects to https. */
  redirect: z.boolean(),
}

/** Operations on certificates of the web server and on ACME challenges. */
export const sslOperations = {
  /**
   * Makes the web server answer HTTP-01 challenges of an ACME account for every name, including names without a
   * website. The answer is the token and the account's thumbprint, so it needs no update per order.
   */
  'acme-answer.ensure': z.object({ thumbprint: z.string().regex(/^[A-Za-z0-9_-]{43}$/) }),
  /** Serves a website over https with this certificate. Undo restores the previous certificate, or http alone. */
  'tls-site.ensure': z.object({
    domain,
    ...shown,
    /** `max-age` of HSTS in seconds; 0: no header. */
    hsts: z.int().min(0).max(63_072_000),
  }),
  /** Serves the website over http alone. Undo restores the certificate. */
  'tls-site.remove': z.object({ domain }),
  /** Serves a website of an edge over https, and checks the names that the edge serves. The origin sends HSTS. */
  'edge-tls.ensure': z.object({ vhostId, domain, ...shown }),
  'edge-tls.remove': z.object({ vhostId, domain }),
} as const
