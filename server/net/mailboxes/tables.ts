import type { AutoReply } from '@innkeeper/contract/net/mailboxes/mail'
import { mailStatuses } from '@innkeeper/contract/net/mailboxes/mail'
import type { MailReport } from '@innkeeper/contract/net/mailboxes/reports'
import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { systemUsers } from '../../hosting/systemUsers/tables.ts'
import { websites } from '../../hosting/websites/tables.ts'
import { deletable, identity, instant, stored } from '../../kit/db/columns.ts'
import { workflows } from '../../kit/work/tables.ts'
import { servers } from '../../machines/servers/tables.ts'

/** A status with its reason. At `until` the status becomes `active` again. */
const status = () => ({
  status: text({ enum: mailStatuses }).notNull().default('active'),
  reason: text().notNull().default(''),
  until: instant(),
})
/** Until when the server keeps the mail of a mail domain or mailbox that was deleted alone. */
const trash = () => ({ ...deletable(), purgeAfter: instant() })

/** Mail domains. The row contains the settings that people chose; `state` shows whether the server has applied them. */
export const mailboxes = pgTable(
  'mailboxes',
  {
    id: identity('mailbox_id'),
    domain: text().notNull(),
    websiteId: integer().references(() => websites.id),
    serverId: integer()
      .notNull()
      .references(() => servers.id),
    ...status(),
    catchAll: text(),
    spamScore: integer(),
    /** Maximum number of recipients per hour for all mailboxes of the account. */
    hourlyLimit: integer(),
    /** The certificate that the mail host uses; null: the server's own. */
    tlsFingerprint: text(),
    tlsIssuer: text(),
    tlsNotAfter: instant(),
    /** The certificate that was installed last, with or without success. */
    tlsTried: text(),
    /** When the certificate is compared with those of the website again. */
    tlsLookAt: instant().notNull().default(sql`now()`),
    /** Why the last certificate could not be installed. */
    tlsProblem: text(),
    state: text({ enum: ['applying', 'applied', 'failed', 'deleting', 'deleted'] })
      .notNull()
      .default('applying'),
    /** When Innkeeper applies the rows again after its own attempt failed. */
    applyAt: instant(),
    /** True: deleted together with its website, and restored with it. */
    deletedWithWebsite: boolean().notNull().default(false),
    workflowId: integer().references(() => workflows.id),
    ...stored(),
    ...trash(),
  },
  (t) => [
    uniqueIndex('mailboxes_domain').on(t.domain).where(sql`${t.deletedAt} is null`),
    index('mailboxes_by_domain').on(t.domain, t.id).where(sql`${t.deletedAt} is null`),
    index('mailboxes_created').on(t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('mailboxes_website').on(t.websiteId),
    index('mailboxes_server').on(t.serverId).where(sql`${t.deletedAt} is null`),
    index('mailboxes_tls_look').on(t.tlsLookAt).where(sql`${t.deletedAt} is null and ${t.websiteId} is not null`),
    index('mailboxes_apply').on(t.applyAt).where(sql`${t.deletedAt} is null and ${t.applyAt} is not null`),
    index('mailboxes_until').on(t.until).where(sql`${t.deletedAt} is null and ${t.until} is not null`),
    index('mailboxes_search').using('gin', sql`${t.domain} gin_trgm_ops`).where(sql`${t.deletedAt} is null`),
  ],
)

export const mailboxUsers = pgTable(
  'mailbox_users',
  {
    id: identity('mailbox_user_id'),
    mailboxId: integer()
      .notNull()
      .references(() => mailboxes.id),
    localPart: text().notNull(),
    /** The full address, for searching and sorting. */
    address: text().notNull(),
    name: text().notNull().default(''),
    quotaMb: integer().notNull(),
    ...status(),
    forwards: text().array().notNull().default(sql`'{}'`),
    keepCopy: boolean().notNull().default(true),
    autoReply: jsonb().$type<AutoReply>(),
    hourlyLimit: integer(),
    /** Null: the threshold of the mail domain. */
    spamScore: integer(),
    /** Measured on the server. */
    used: bigint({ mode: 'number' }),
    messages: integer(),
    usedSeenAt: instant(),
    passwordSetAt: instant(),
    /** True: deleted together with its mail domain, and restored with it. */
    deletedWithDomain: boolean().notNull().default(false),
    ...stored(),
    ...trash(),
  },
  (t) => [
    uniqueIndex('mailbox_users_address').on(t.address).where(sql`${t.deletedAt} is null`),
    index('mailbox_users_by_address').on(t.address, t.id).where(sql`${t.deletedAt} is null`),
    index('mailbox_users_created').on(t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    // with the column itself, PostgreSQL skips pages of the list in the index alone
    index('mailbox_users_used').on(sql`coalesce(${t.used}, -1)`, t.id, t.used).where(sql`${t.deletedAt} is null`),
    index('mailbox_users_quota').on(t.quotaMb, t.id).where(sql`${t.deletedAt} is null`),
    index('mailbox_users_mailbox').on(t.mailboxId),
    index('mailbox_users_status')
      .on(t.status, t.address, t.id)
      .where(sql`${t.deletedAt} is null and ${t.status} <> 'active'`),
    index('mailbox_users_trash').on(t.purgeAfter).where(sql`${t.deletedAt} is not null`),
    index('mailbox_users_until').on(t.until).where(sql`${t.deletedAt} is null and ${t.until} is not null`),
    index('mailbox_users_search')
      .using('gin', sql`lower(${t.address} || ' ' || ${t.name}) gin_trgm_ops`)
      .where(sql`${t.deletedAt} is null`),
  ],
)

/** Passwords of single applications. The hashes are in the secret of the mail domain. */
export const mailAppPasswords = pgTable(
  'mail_app_passwords',
  {
    id: identity('mail_app_password_id'),
    mailboxUserId: integer()
      .notNull()
      .references(() => mailboxUsers.id),
    name: text().notNull(),
    addedBy: text().notNull(),
    createdAt: instant().notNull().default(sql`now()`),
  },
  (t) => [index('mail_app_passwords_user').on(t.mailboxUserId)],
)

export const mailAliases = pgTable(
  'mail_aliases',
  {
    id: identity('mail_alias_id'),
    mailboxId: integer()
      .notNull()
      .references(() => mailboxes.id),
    localPart: text().notNull(),
    address: text().notNull(),
    targets: text().array().notNull(),
    createdAt: instant().notNull().default(sql`now()`),
  },
  (t) => [
    uniqueIndex('mail_aliases_local_part').on(t.mailboxId, t.localPart),
    index('mail_aliases_address').on(t.address),
  ],
)

/** Moves of mail domains from one server to another. A domain has at most one open move. */
export const mailMoves = pgTable(
  'mail_moves',
  {
    id: identity('mail_move_id'),
    mailboxId: integer()
      .notNull()
      .references(() => mailboxes.id),
    sourceId: integer()
      .notNull()
      .references(() => servers.id),
    targetId: integer()
      .notNull()
      .references(() => servers.id),
    state: text({ enum: ['moving', 'failed', 'passing', 'retiring', 'done', 'rolled-back'] }).notNull(),
    /** When the new server took over. */
    movedAt: instant(),
    /** Condition that delays the retirement of the old server. */
    waitsFor: text(),
    /** Since when no name has pointed to the old server. */
    clearAt: instant(),
    /** When the name servers are asked again. */
    lookAt: instant(),
    workflowId: integer().references(() => workflows.id),
    ...stored(),
  },
  (t) => [
    uniqueIndex('mail_moves_open').on(t.mailboxId).where(sql`${t.state} not in ('done', 'rolled-back')`),
    index('mail_moves_look').on(t.lookAt).where(sql`${t.state} = 'passing'`),
  ],
)

/** DKIM keys. The private keys never leave the server. */
export const mailKeys = pgTable(
  'mail_keys',
  {
    id: identity('mail_key_id'),
    mailboxId: integer()
      .notNull()
      .references(() => mailboxes.id),
    selector: text().notNull(),
    /** Base64, as the DNS record has it; null until the server answered. */
    publicKey: text(),
    /** True: outgoing mail is signed with this key. */
    signs: boolean().notNull().default(false),
    /** When a newer key replaced this one. The record may be removed some days later. */
    retiredAt: instant(),
    createdAt: instant().notNull().default(sql`now()`),
  },
  (t) => [uniqueIndex('mail_keys_selector').on(t.mailboxId, t.selector)],
)

/** Who sent mail from a server in the last day, as the server counts it. */
export const mailSenders = pgTable(
  'mail_senders',
  {
    id: identity('mail_sender_id'),
    serverId: integer()
      .notNull()
      .references(() => servers.id),
    /** The address of a mailbox, or the user of a website's account. */
    sender: text().notNull(),
    mailboxUserId: integer().references(() => mailboxUsers.id, { onDelete: 'set null' }),
    systemUserId: integer().references(() => systemUsers.id, { onDelete: 'set null' }),
    /** Recipients of the last hour and day, and those that were refused in the last hour. */
    hour: integer().notNull(),
    day: integer().notNull(),
    refused: integer().notNull(),
    /** Since when the server refuses everything of the sender, and the recipients that it had tried in that hour. */
    stoppedAt: instant(),
    tried: integer().notNull().default(0),
    /** When the queued mail of the stopped sender was held. */
    heldAt: instant(),
    /** When people were told that the sender reached its limit. */
    toldAt: instant(),
  },
  (t) => [
    uniqueIndex('mail_senders_sender').on(t.serverId, t.sender),
    index('mail_senders_day').on(t.day, t.id),
    index('mail_senders_hour').on(t.hour, t.id),
    index('mail_senders_refused').on(t.refused, t.id),
    index('mail_senders_name').on(t.sender, t.id),
    index('mail_senders_user').on(t.mailboxUserId),
    index('mail_senders_account').on(t.systemUserId),
    index('mail_senders_stopped').on(t.stoppedAt).where(sql`${t.stoppedAt} is not null`),
  ],
)

/** Reports of other mail servers: DMARC, and TLS of incoming connections. */
export const mailReports = pgTable(
  'mail_reports',
  {
    id: identity('mail_report_id'),
    mailboxId: integer()
      .notNull()
      .references(() => mailboxes.id),
    kind: text({ enum: ['dmarc', 'tls'] }).notNull(),
    organisation: text().notNull(),
    reportId: text().notNull(),
    from: instant().notNull(),
    until: instant().notNull(),
    passed: bigint({ mode: 'number' }).notNull(),
    failed: bigint({ mode: 'number' }).notNull(),
    sources: jsonb().$type<MailReport['sources']>().notNull(),
    receivedAt: instant().notNull().default(sql`now()`),
  },
  (t) => [
    uniqueIndex('mail_reports_once').on(t.mailboxId, t.kind, t.organisation, t.reportId),
    index('mail_reports_until').on(t.mailboxId, t.until),
    index('mail_reports_received').on(t.receivedAt),
  ],
)

/** Mailboxes whose mail is still fetched from their former server, each hour until a date. */
export const mailFetches = pgTable(
  'mail_fetches',
  {
    mailboxUserId: integer()
      .primaryKey()
      .references(() => mailboxUsers.id, { onDelete: 'cascade' }),
    host: text().notNull(),
    port: integer().notNull(),
    login: text().notNull(),
    fingerprint: text(),
    /** What arrived there before this is here already. */
    since: instant().notNull(),
    until: instant().notNull(),
    nextAt: instant().notNull().default(sql`now()`),
    /** Begin of the last successful fetch. */
    fetchedAt: instant(),
    /** Messages that came in all fetches. */
    added: integer().notNull().default(0),
    /** Why the last fetch failed, and how many failed in a row. */
    problem: text(),
    failures: integer().notNull().default(0),
    /** Null: goes on. */
    endedAt: instant(),
    startedById: integer().notNull(),
  },
  (t) => [index('mail_fetches_due').on(t.nextAt).where(sql`${t.endedAt} is null`)],
)

/** When the senders of a server and the reports that arrived there were read. */
export const mailSenderReads = pgTable('mail_sender_reads', {
  serverId: integer()
    .primaryKey()
    .references(() => servers.id),
  readAt: instant().notNull(),
  reportsAt: instant(),
})

/** Servers whose failed sign-ins are read. */
export const mailServers = pgTable('mail_servers', {
  serverId: integer()
    .primaryKey()
    .references(() => servers.id),
  /** End of the period that was read, by the clock of the server. */
  readUntil: instant().notNull(),
  readAt: instant().notNull(),
})
