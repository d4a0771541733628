import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { deletable, identity, instant, stored } from '../kit/db/columns.ts'
import { websites } from '../websites/tables.ts'

/** A certificate of a website, over all its renewals. Its private key is the secret of that name. */
export const certificates = pgTable(
  'certificates',
  {
    id: identity('certificate_id'),
    websiteId: integer()
      .notNull()
      .references(() => websites.id),
    /** The website's name, for lists; it follows a rename. */
    domain: text().notNull(),
    kind: text({ enum: ['custom', 'self-signed', 'lets-encrypt'] }).notNull(),
    state: text({ enum: ['ordering', 'active', 'failed', 'revoked'] }).notNull(),
    /** Those of the certificate that is at work; of one that was never issued, those it was asked for. */
    names: text().array().notNull(),
    /** All that a search finds it by: the website and the names. */
    search: text().notNull(),
    /** Besides the website's own, as somebody typed them. */
    extraNames: text().array().notNull().default(sql`'{}'`),
    /** The chain as a web server sends it; null: nothing was issued yet. */
    chain: text(),
    secret: text(),
    issuer: text(),
    fingerprint: text(),
    notBefore: instant(),
    notAfter: instant(),
    /** From here on it is `expiring`. */
    expiringAt: instant(),
    email: text(),
    autoRenew: boolean().notNull(),
    vhostAliases: boolean().notNull(),
    renewAt: instant(),
    /** The span in which its authority would have it renewed. */
    windowStart: instant(),
    windowEnd: instant(),
    windowAskedAt: instant(),
    failures: integer().notNull().default(0),
    reason: text(),
    missing: jsonb().$type<{ name: string; reason: string }[]>().notNull().default([]),
    /** The workflow at work on it, or the last one. */
    workflowId: integer(),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    index('certificates_website').on(t.websiteId, t.id).where(sql`${t.deletedAt} is null`),
    index('certificates_created').on(t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('certificates_domain').on(t.domain, t.id).where(sql`${t.deletedAt} is null`),
    index('certificates_end').on(sql`coalesce(${t.notAfter}, 'infinity')`, t.id).where(sql`${t.deletedAt} is null`),
    index('certificates_kind').on(t.kind, t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('certificates_state').on(t.state, t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('certificates_renew').on(t.renewAt).where(sql`${t.deletedAt} is null and ${t.autoRenew}`),
    index('certificates_search').using('gin', sql`${t.search} gin_trgm_ops`).where(sql`${t.deletedAt} is null`),
    index('certificates_written')
      .using('gin', sql`as_written(${t.search}) gin_trgm_ops`)
      .where(sql`${t.deletedAt} is null and ${t.search} like '%xn--%'`),
  ],
)

/** Each time that a certificate was asked for, made or uploaded: its history, and what rate limits are counted by. */
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
    /** Where it was ordered; null: made or uploaded here. */
    directory: text(),
    names: text().array().notNull(),
    /** The registered domains of the names, which authorities count by. */
    domains: text().array().notNull().default(sql`'{}'`),
    /** Names that the authority was not convinced of. */
    refusedNames: text().array().notNull().default(sql`'{}'`),
    /** A set of names that had a certificate before: authorities count these apart. */
    renewal: boolean().notNull().default(false),
    /** Whether the authority took it as an order. */
    ordered: boolean().notNull().default(false),
    missing: jsonb().$type<{ name: string; reason: string }[]>().notNull().default([]),
    reason: text(),
    secret: text(),
    chain: text(),
    fingerprint: text(),
    notAfter: instant(),
    /** TXT records of ours that are to go when it ends. */
    planted: jsonb().$type<{ zoneId: number; recordId: number }[]>().notNull().default([]),
  },
  (t) => [
    index('certificate_orders_of').on(t.certificateId, t.id),
    index('certificate_orders_workflow').on(t.workflowId),
    index('certificate_orders_at').on(t.directory, t.at).where(sql`${t.directory} is not null`),
  ],
)

/** How a website answers over https; no row: by http alone. */
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

/** ACME accounts, by directory: the key is one for all of them, and a secret. */
export const acmeAccounts = pgTable(
  'acme_accounts',
  {
    id: identity('acme_account_id'),
    directory: text().notNull(),
    url: text().notNull(),
    /** Of its key: what challenges are answered with. */
    thumbprint: text().notNull(),
    createdAt: instant().notNull().default(sql`now()`),
  },
  (t) => [uniqueIndex('acme_accounts_directory').on(t.directory)],
)
