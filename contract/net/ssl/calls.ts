import * as z from 'zod'
import {
  csv,
  del,
  filter,
  get,
  id,
  instant,
  listQuery,
  pageOf,
  patch,
  post,
  version,
  whole,
} from '../../kit/endpoint.ts'
import {
  Certificate,
  CertificateView,
  certificateKind,
  certificateStatus,
  https,
  Limit,
  Link,
  MOST_NAMES,
  NameCheck,
  revocationReason,
  SiteHttps,
} from './shapes.ts'

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
    effect: 'stream', // the server asks edges before its transaction
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
    effect: 'stream', // the server asks edges before its transaction
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
