import * as z from 'zod'
import { csv, del, filter, get, id, instant, listQuery, pageOf, patch, post, stored, version, whole } from './kit.ts'
import { servedName } from './values.ts'

export const certificateKind = z.enum(['custom', 'self-signed', 'lets-encrypt'])
export type CertificateKind = z.output<typeof certificateKind>
/** `expiring`: in its last quarter, two weeks at most; renewal should have come before. */
export const certificateStatus = z.enum(['ordering', 'active', 'expiring', 'expired', 'failed', 'revoked'])
/** Why an authority is to take a certificate back: those of RFC 5280 §5.3.1 that its owner may name. */
export const revocationReason = z.enum([
  'unspecified',
  'keyCompromise',
  'affiliationChanged',
  'superseded',
  'cessationOfOperation',
])
export type RevocationReason = z.output<typeof revocationReason>
/** What a certificate authority takes in one order. */
export const MOST_NAMES = 100

/** A website that answers with it. */
const Use = z.object({ websiteId: z.int(), domain: z.string() })
/** A name that an order left out, and why. */
const Missing = z.object({ name: z.string(), reason: z.string() })

/** A private key is in no answer. */
export const Certificate = z.object({
  ...stored,
  websiteId: z.int(),
  domain: z.string(),
  kind: certificateKind,
  names: z.array(z.string()),
  issuer: z.string().nullable(),
  notBefore: instant.nullable(),
  notAfter: instant.nullable(),
  /** SHA-256 of the certificate, 64 hex digits. */
  fingerprint: z.string().nullable(),
  autoRenew: z.boolean(),
  /** Aliases of its website come into it by themselves. */
  vhostAliases: z.boolean(),
  email: z.string().nullable(),
  status: certificateStatus,
  uses: z.array(Use),
  /** When it is renewed by itself; null: never. */
  renewAt: instant.nullable(),
  /** How often in a row that failed, and what was said last. */
  failures: z.int(),
  reason: z.string().nullable(),
  missing: z.array(Missing),
  workflowId: z.int().nullable(),
})
export type Certificate = z.output<typeof Certificate>

/** One link of a chain, the certificate itself first. */
export const Link = z.object({
  subject: z.string(),
  issuer: z.string(),
  notBefore: instant,
  notAfter: instant,
  fingerprint: z.string(),
})
export type Link = z.output<typeof Link>

/** What became of one order, renewal or upload. */
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
  /** The whole chain, as a web server sends it. */
  pem: z.string().nullable(),
  /** What an order would ask for now: aliases may have come since. */
  wanted: z.array(z.string()),
  /** When its authority would have it renewed, where that says so (ARI). */
  window: z.object({ start: instant, end: instant }).nullable(),
  attempts: z.array(Attempt),
})
export type CertificateView = z.output<typeof CertificateView>

/** How a website answers over https. */
export const SiteHttps = z.object({
  certificateId: z.int(),
  /** http leads to https. */
  redirect: z.boolean(),
  /** Days that browsers refuse to come back by http; 0: none. */
  hstsDays: z.int(),
  installedAt: instant,
})
export type SiteHttps = z.output<typeof SiteHttps>

/** What was looked at for one name before it is ordered. `unknown`: the workflow itself sets it up and looks then. */
export const NameCheck = z.object({
  name: z.string(),
  ok: z.boolean(),
  /** How the authority will be convinced. */
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

/** What an authority allows in a time, and what is left of it, counted by what we asked for. */
export const Limit = z.object({
  limit: z.enum(['orders', 'domain', 'identical', 'failures']),
  /** The domain, name or set that it is about; null: the whole account. */
  about: z.string().nullable(),
  used: z.int(),
  most: z.int(),
  hours: z.int(),
  /** When the oldest of those used is forgotten. */
  freeAt: instant.nullable(),
})
export type Limit = z.output<typeof Limit>

const https = {
  redirect: z.boolean().optional(),
  hstsDays: whole(0, 730).optional(),
}
const email = z
  .union([z.email('An e-mail address').max(254), z.literal('')])
  .transform((text) => text || null)
  .nullable()
  .optional()
const renewal = { email, autoRenew: z.boolean().optional(), vhostAliases: z.boolean().optional() }
/** `www` stands for `www.` and the website's own name. */
const names = z.array(z.string().trim().min(1).max(253)).max(MOST_NAMES).optional()
const pem = (most: number) => z.string().trim().max(most)
const started = z.object({ data: Certificate, workflowId: z.int() })

const base = '/ssl-controller/certificate'

export const ssl = {
  list: get(base, 'ssl:cert:read', {
    summary: 'Certificates: by name, kind, status, website, and how soon they end',
    query: {
      ...listQuery(['createdAt', 'notAfter', 'domain']),
      search: filter(z.string().trim().max(253)),
      kind: filter(csv(certificateKind)),
      status: filter(csv(certificateStatus)),
      website: filter(csv(id)),
      /** Days: ends within them. */
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
    summary: 'The certificates of a website, and how it answers over https',
    returns: z.object({
      items: z.array(Certificate),
      total: z.int(),
      https: SiteHttps.nullable(),
      /** What a certificate for it would be about. */
      wanted: z.array(z.string()),
    }),
  }),
  order: post(`${base}/:id`, 'ssl:cert:create', {
    summary: 'Order the usual certificate for a website: Let’s Encrypt, all its names, renewed by itself',
    returns: started,
  }),
  custom: post(`${base}/custom`, 'ssl:cert:create', {
    summary: 'Upload a certificate with its private key, and serve a website with it',
    body: {
      websiteId: id,
      certificate: pem(100_000),
      key: pem(20_000),
      /** Intermediate certificates, in any order; those in `certificate` count as well. */
      ca: pem(100_000).optional(),
      ...https,
    },
    returns: started,
  }),
  selfSigned: post(`${base}/self-signed`, 'ssl:cert:create', {
    summary: 'Make a certificate that no browser trusts by itself, and serve a website with it',
    body: { websiteId: id, altNames: names, ...renewal, ...https },
    returns: started,
  }),
  letsEncrypt: post(`${base}/lets-encrypt`, 'ssl:cert:create', {
    summary: 'Order a certificate through ACME, and serve a website with it',
    body: {
      websiteId: id,
      subDomains: names,
      ...renewal,
      ...https,
      /** Ask the authority although the preflight sees a blocker. */
      force: z.boolean().optional(),
    },
    returns: started,
  }),
  renew: patch(`${base}/:id`, 'ssl:cert:renew', {
    summary: 'Renew a certificate now, with the names that its website has by now',
    body: { version, force: z.boolean().optional() },
    status: 202,
    returns: started,
  }),
  settings: patch(`${base}/:id/settings`, 'ssl:cert:renew', {
    summary: 'Whether a certificate renews itself and takes new aliases in',
    body: { version, ...renewal },
    returns: Certificate,
  }),
  install: post(`${base}/:id/install`, 'ssl:cert:create', {
    summary: 'Serve a website with this certificate; the one before stays until the new one was seen to answer',
    body: { websiteId: id.optional(), ...https },
    status: 202,
    returns: started,
  }),
  uninstall: del('/ssl-controller/websites/:id', 'ssl:cert:delete', {
    summary: 'A website answers over http alone; its certificates stay',
    status: 202,
    returns: started,
  }),
  remove: del(`${base}/:id`, 'ssl:cert:delete', {
    summary:
      'Delete a certificate and its key, and have its authority revoke it first; refused while a website answers with it',
    body: { version, revoke: revocationReason.optional() },
    status: [202, 204],
    returns: z.object({ workflowId: z.int() }).optional(),
  }),
  check: post('/ssl-controller/check', 'ssl:cert:create', {
    summary: 'What an uploaded certificate would be, and what is wrong with it; nothing is kept',
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
    summary:
      'Would an authority be convinced of these names: DNS, CAA and the challenge, name by name; nothing is ordered',
    effect: 'read',
    status: 200,
    body: { websiteId: id, subDomains: names, vhostAliases: z.boolean().optional() },
    returns: z.object({
      items: z.array(NameCheck),
      limits: z.array(Limit),
      directory: z.string(),
      /** What is wrong with the authority itself. */
      authority: z.string().nullable(),
    }),
  }),
  limits: get('/ssl-controller/limits', 'ssl:cert:read', {
    summary: 'What is left of the authority’s rate limits',
    returns: z.object({ directory: z.string(), isStaging: z.boolean(), limits: z.array(Limit) }),
  }),
}

/** A name that a certificate may be for, as it is typed for a website: `www` or `www.shop.example`. */
export function readName(text: string, domain: string): string | undefined {
  const typed = text.trim().replace(/\.$/, '')
  const whole = /^(\*|[^.]+)$/.test(typed) ? `${typed}.${domain}` : typed
  const read = servedName.safeParse(whole)
  return read.success ? read.data : undefined
}

/** Whether a certificate for these names is one for that name: `*.x` is for `a.x`, neither for `x` nor for `a.b.x`. */
export const covers = (names: readonly string[], name: string): boolean =>
  names.includes(name) || names.includes(name.replace(/^[^.]+/, '*'))
