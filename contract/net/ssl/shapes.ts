import * as z from 'zod'
import { instant, stored, whole } from '../../kit/endpoint.ts'

export const certificateKind = z.enum(['custom', 'self-signed', 'lets-encrypt'])

export type CertificateKind = z.output<typeof certificateKind>
/** `expiring`: in the last quarter of its lifetime, at most two weeks. Renewal should have happened before. */
export const certificateStatus = z.enum(['ordering', 'active', 'expiring', 'expired', 'failed', 'revoked'])
/** Reasons for a revocation: those of RFC 5280 §5.3.1 that the owner may give. */
export const revocationReason = z.enum([
  'unspecified',
  'keyCompromise',
  'affiliationChanged',
  'superseded',
  'cessationOfOperation',
])
export type RevocationReason = z.output<typeof revocationReason>
/** Maximum number of names in one ACME order. */
export const MOST_NAMES = 100
/** A website that uses the certificate. */
const Use = z.object({ websiteId: z.int(), domain: z.string() })
/** A name that an order left out, with the reason. */
const Missing = z.object({ name: z.string(), reason: z.string() })
/** A certificate. No answer contains the private key. */
export const Certificate = z.object({
  ...stored,
  websiteId: z.int(),
  domain: z.string(),
  kind: certificateKind,
  names: z.array(z.string()),
  issuer: z.string().nullable(),
  notBefore: instant.nullable(),
  notAfter: instant.nullable(),
  /** SHA-256 of the certificate: 64 hex digits. */
  fingerprint: z.string().nullable(),
  autoRenew: z.boolean(),
  /** True: new aliases of the website are added automatically. */
  vhostAliases: z.boolean(),
  email: z.string().nullable(),
  status: certificateStatus,
  uses: z.array(Use),
  /** Time of the next automatic renewal; null: never. */
  renewAt: instant.nullable(),
  /** Number of consecutive failed renewals, and the last error. */
  failures: z.int(),
  reason: z.string().nullable(),
  missing: z.array(Missing),
  workflowId: z.int().nullable(),
})
export type Certificate = z.output<typeof Certificate>
/** One certificate of a chain; the first is the site's own. */
export const Link = z.object({
  subject: z.string(),
  issuer: z.string(),
  notBefore: instant,
  notAfter: instant,
  fingerprint: z.string(),
})
export type Link = z.output<typeof Link>
/** Result of one order, renewal or upload. */
const Attempt = z.object({
  id: z.int(),
  at: instant,
  outcome: z.enum(['running', 'issued', 'in-use', 'failed', 'replaced', 'unused']),
  names: z.array(z.string()),
  notAfter: instant.nullable(),
  fingerprint: z.string().nullable(),
  reason: z.string().nullable(),
  workflowId: z.int().nullable(),
})
export type Attempt = z.output<typeof Attempt>

export const CertificateView = Certificate.extend({
  serial: z.string().nullable(),
  key: z.string().nullable(),
  chain: z.array(Link),
  /** The full chain in PEM, as a web server sends it. */
  pem: z.string().nullable(),
  /** Names of an order that would be placed now, including new aliases. */
  wanted: z.array(z.string()),
  /** Renewal window that the authority suggests (ARI), if any. */
  window: z.object({ start: instant, end: instant }).nullable(),
  attempts: z.array(Attempt),
})
export type CertificateView = z.output<typeof CertificateView>
/** https settings of a website. */
export const SiteHttps = z.object({
  certificateId: z.int(),
  /** True: http redirects to https. */
  redirect: z.boolean(),
  /** Days of the HSTS header; 0: no header. */
  hstsDays: z.int(),
  installedAt: instant,
})
export type SiteHttps = z.output<typeof SiteHttps>
/** Preflight of one name. `unknown`: the workflow itself prepares and checks this point. */
export const NameCheck = z.object({
  name: z.string(),
  ok: z.boolean(),
  /** Challenge that will prove the name. */
  challenge: z.enum(['http-01', 'dns-01']).nullable(),
  checks: z.array(
    z.object({
      what: z.enum(['dns', 'caa', 'challenge']),
      level: z.enum(['ok', 'warning', 'blocker', 'unknown']),
      text: z.string(),
    }),
  ),
})
export type NameCheck = z.output<typeof NameCheck>
/** A rate limit of the authority and its remainder, computed from our own orders. */
export const Limit = z.object({
  limit: z.enum(['orders', 'domain', 'identical', 'failures']),
  /** The domain, name or set that the limit applies to; null: the account. */
  about: z.string().nullable(),
  used: z.int(),
  most: z.int(),
  hours: z.int(),
  /** When the oldest counted order no longer counts. */
  freeAt: instant.nullable(),
})
export type Limit = z.output<typeof Limit>
export const https = {
  redirect: z.boolean().optional(),
  hstsDays: whole(0, 730).optional(),
}
