import * as z from 'zod'
import { csv, del, filter, get, id, instant, listQuery, pageOf, patch, post, stored, version, whole } from './kit.ts'
import { servedName } from './values.ts'

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

const https = {
  redirect: z.boolean().optional(),
  hstsDays: whole(0, 730).optional(),
}
const email = z
  .union([z.email('An address such as name@example.org').max(254), z.literal('')])
  .transform((text) => text || null)
  .nullable()
  .optional()
const renewal = { email, autoRenew: z.boolean().optional(), vhostAliases: z.boolean().optional() }
/** Selected names; `www` stands for `www.` with the domain of the website. */
const names = z.array(z.string().trim().min(1).max(253)).max(MOST_NAMES).optional()
const pem = (most: number) => z.string().trim().max(most)
const started = z.object({ data: Certificate, workflowId: z.int() })

const base = '/ssl-controller/certificate'

export const ssl = {
  list: get(base, 'ssl:cert:read', {
    summary: 'Certificates by name, kind, status, website and expiry',
    query: {
      ...listQuery(['createdAt', 'notAfter', 'domain']),
      search: filter(z.string().trim().max(253)),
      kind: filter(csv(certificateKind)),
      status: filter(csv(certificateStatus)),
      website: filter(csv(id)),
      /** Expires within this number of days. */
      within: filter(whole(1, 3650)),
      used: filter(z.enum(['true', 'false'])),
    },
    returns: pageOf(Certificate),
  }),
  one: get(`${base}/:id`, 'ssl:cert:read', {
    summary: 'One certificate with its chain and history',
    returns: CertificateView,
  }),
  ofWebsite: get('/ssl-controller/certificates/:id', 'ssl:cert:read', {
    summary: 'Certificates of a website and its https settings',
    returns: z.object({
      items: z.array(Certificate),
      total: z.int(),
      https: SiteHttps.nullable(),
      /** Names that a new certificate would contain. */
      wanted: z.array(z.string()),
    }),
  }),
  order: post(`${base}/:id`, 'ssl:cert:create', {
    summary: 'Order a Let’s Encrypt certificate for all names of a website, with automatic renewal',
    returns: started,
  }),
  custom: post(`${base}/custom`, 'ssl:cert:create', {
    summary: 'Upload a certificate with its private key and install it',
    body: {
      websiteId: id,
      certificate: pem(100_000),
      key: pem(20_000),
      /** Intermediate certificates in any order, in addition to those in `certificate`. */
      ca: pem(100_000).optional(),
      ...https,
    },
    returns: started,
  }),
  selfSigned: post(`${base}/self-signed`, 'ssl:cert:create', {
    summary: 'Create a self-signed certificate and install it',
    body: { websiteId: id, altNames: names, ...renewal, ...https },
    returns: started,
  }),
  letsEncrypt: post(`${base}/lets-encrypt`, 'ssl:cert:create', {
    summary: 'Order a certificate through ACME and install it',
    body: {
      websiteId: id,
      subDomains: names,
      ...renewal,
      ...https,
      /** True: orders despite blockers of the preflight. */
      force: z.boolean().optional(),
    },
    returns: started,
  }),
  renew: patch(`${base}/:id`, 'ssl:cert:renew', {
    summary: 'Renew a certificate now, with the current names of the website',
    body: { version, force: z.boolean().optional() },
    status: 202,
    returns: started,
  }),
  settings: patch(`${base}/:id/settings`, 'ssl:cert:renew', {
    summary: 'Change automatic renewal and automatic aliases of a certificate',
    body: { version, ...renewal },
    returns: Certificate,
  }),
  install: post(`${base}/:id/install`, 'ssl:cert:create', {
    summary: 'Install a certificate; the previous one stays until the new one is verified over TLS',
    body: { websiteId: id.optional(), ...https },
    status: 202,
    returns: started,
  }),
  uninstall: del('/ssl-controller/websites/:id', 'ssl:cert:delete', {
    summary: 'Turn https off for a website and keep its certificates',
    status: 202,
    returns: started,
  }),
  remove: del(`${base}/:id`, 'ssl:cert:delete', {
    summary: 'Delete a certificate and its key, optionally after revoking it; refused while a website uses it',
    body: { version, revoke: revocationReason.optional() },
    status: [202, 204],
    returns: z.object({ workflowId: z.int() }).optional(),
  }),
  check: post('/ssl-controller/check', 'ssl:cert:create', {
    summary: 'Check a certificate for upload without storing it',
    effect: 'read',
    status: 200,
    body: {
      websiteId: id.optional(),
      certificate: pem(100_000),
      key: pem(20_000).optional(),
      ca: pem(100_000).optional(),
    },
    returns: z.object({
      problems: z.record(z.string(), z.string()),
      warnings: z.array(z.string()),
      names: z.array(z.string()),
      notAfter: instant.nullable(),
      issuer: z.string().nullable(),
      chain: z.array(Link),
    }),
  }),
  preflight: post('/ssl-controller/preflight', 'ssl:cert:create', {
    summary: 'Preflight of an order: DNS, CAA and the challenge of each name',
    effect: 'read',
    status: 200,
    body: { websiteId: id, subDomains: names, vhostAliases: z.boolean().optional() },
    returns: z.object({
      items: z.array(NameCheck),
      limits: z.array(Limit),
      directory: z.string(),
      /** Problems with the authority itself. */
      authority: z.string().nullable(),
    }),
  }),
  limits: get('/ssl-controller/limits', 'ssl:cert:read', {
    summary: 'Remaining rate limits of the authority',
    returns: z.object({ directory: z.string(), isStaging: z.boolean(), limits: z.array(Limit) }),
  }),
}

/** A name in a certificate form: `www` or `www.shop.example`. */
export function readName(text: string, domain: string): string | undefined {
  const typed = text.trim().replace(/\.$/, '')
  const whole = /^(\*|[^.]+)$/.test(typed) ? `${typed}.${domain}` : typed
  const read = servedName.safeParse(whole)
  return read.success ? read.data : undefined
}

/** Whether a certificate for these names covers a name: `*.x` covers `a.x`, but neither `x` nor `a.b.x`. */
export const covers = (names: readonly string[], name: string): boolean =>
  names.includes(name) || names.includes(name.replace(/^[^.]+/, '*'))
