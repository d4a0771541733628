import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { websites } from '../../hosting/websites/tables.ts'
import { deletable, identity, instant, stored } from '../../kit/db/columns.ts'

/** Certificates of websites; a renewal updates the row. `secret` is the name of the secret with the private key. */
export const certificates = pgTable(
  'certificates',
  {
    id: identity('certificate_id'),
    websiteId: integer()
      .notNull()
      .references(() => websites.id),
    /** The domain of the website, for lists; updated when the website is renamed. */
    domain: text().notNull(),
    kind: text({ enum: ['custom', 'self-signed', 'lets-encrypt'] }).notNull(),
    state: text({ enum: ['ordering', 'active', 'failed', 'revoked'] }).notNull(),
    /** Names of the issued certificate, or the requested names before the first issue. */
    names: text().array().notNull(),
    /** Text that searches match: the domain and the names. */
    search: text().notNull(),
    /** Names that somebody entered in addition to those of the website. */
    extraNames: text().array().notNull().default(sql`'{}'`),
    /** The chain in PEM as web servers send it; null before the first issue. */
    chain: text(),
    secret: text(),
    issuer: text(),
    fingerprint: text(),
    notBefore: instant(),
    notAfter: instant(),
    /** When the status changes to `expiring`. */
    expiringAt: instant(),
    email: text(),
    autoRenew: boolean().notNull(),
    vhostAliases: boolean().notNull(),
    renewAt: instant(),
    /** The window in which the authority suggests renewal. */
    windowStart: instant(),
    windowEnd: instant(),
    windowAskedAt: instant(),
    failures: integer().notNull().default(0),
    reason: text(),
    missing: jsonb().$type<{ name: string; reason: string }[]>().notNull().default([]),
    /** The workflow that is working on the certificate, or the last one. */
    workflowId: integer(),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    index('certificates_website').on(t.websiteId, t.id).where(sql`${t.deletedAt} is null`),
    index('certificates_created').on(t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('certificates_domain').on(t.domain, t.id).where(sql`${t.deletedAt} is null`),
    // both the expression and the column, so that PostgreSQL can skip to a late page with an index-only scan
    index('certificates_end')
      .on(sql`coalesce(${t.notAfter}, 'infinity')`, t.id, t.notAfter)
      .where(sql`${t.deletedAt} is null`),
    index('certificates_kind').on(t.kind, t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('certificates_state').on(t.state, t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('certificates_renew').on(t.renewAt).where(sql`${t.deletedAt} is null and ${t.autoRenew}`),
    index('certificates_search').using('gin', sql`${t.search} gin_trgm_ops`).where(sql`${t.deletedAt} is null`),
    index('certificates_written')
      .using('gin', sql`as_written(${t.search}) gin_trgm_ops`)
      .where(sql`${t.deletedAt} is null and ${t.search} like '%xn--%'`),
  ],
)

/** One row for each order, self-signed issue and upload: the history of certificates, and the count for rate limits. */
export const certificateOrders = pgTable(
  'certificate_orders',
  {
    id: identity('certificate_order_id'),
    certificateId: integer()
      .notNull()
      .references(() => certificates.id),
    workflowId: integer(),
    at: instant().notNull().default(sql`now()`),
    outcome: text({ enum: ['running', 'issued', 'in-use', 'failed', 'replaced', 'unused'] }).notNull(),
    /** The ACME directory of the order; null when self-signed or uploaded. */
    directory: text(),
    names: text().array().notNull(),
    /** Registered domains of the names: authorities count rate limits by these. */
    domains: text().array().notNull().default(sql`'{}'`),
    /** Names that the authority did not validate. */
    refusedNames: text().array().notNull().default(sql`'{}'`),
    /** Whether the same set of names had a certificate before. Authorities count such renewals separately. */
    renewal: boolean().notNull().default(false),
    /** Whether the order was placed at the authority. */
    ordered: boolean().notNull().default(false),
    missing: jsonb().$type<{ name: string; reason: string }[]>().notNull().default([]),
    reason: text(),
    secret: text(),
    chain: text(),
    fingerprint: text(),
    notAfter: instant(),
    /** TXT records to remove from our zones when the order ends. */
    planted: jsonb().$type<{ zoneId: number; recordId: number }[]>().notNull().default([]),
  },
  (t) => [
    index('certificate_orders_of').on(t.certificateId, t.id),
    index('certificate_orders_workflow').on(t.workflowId),
    index('certificate_orders_at').on(t.directory, t.at).where(sql`${t.directory} is not null`),
  ],
)

/** The https settings of a website; no row: the website serves http only. */
export const siteCertificates = pgTable(
  'site_certificates',
  {
    websiteId: integer()
      .notNull()
      .references(() => websites.id),
    certificateId: integer()
      .notNull()
      .references(() => certificates.id),
    redirect: boolean().notNull(),
    hstsDays: integer().notNull().default(0),
    installedAt: instant().notNull().default(sql`now()`),
  },
  (t) => [primaryKey({ columns: [t.websiteId] }), index('site_certificates_of').on(t.certificateId)],
)

/** ACME accounts by directory. All share one key, which is a secret. */
export const acmeAccounts = pgTable(
  'acme_accounts',
  {
    id: identity('acme_account_id'),
    directory: text().notNull(),
    url: text().notNull(),
    /** Thumbprint of the account key, with which challenges are answered. */
    thumbprint: text().notNull(),
    createdAt: instant().notNull().default(sql`now()`),
  },
  (t) => [uniqueIndex('acme_accounts_directory').on(t.directory)],
)

/** The certificate of Innkeeper's own name: which node orders it, when it ends, and why the last order failed. */
export const ownCertificates = pgTable('own_certificates', {
  name: text().primaryKey(),
  notAfter: instant(),
  claimedUntil: instant(),
  failure: text(),
})
