import * as z from 'zod'
import { Finding } from '../../hosting/moves/shapes.ts'
import { MOST_HOURLY } from '../../hosting/plans.ts'
import {
  csv,
  del,
  filter,
  get,
  id,
  instant,
  line,
  listQuery,
  pageOf,
  patch,
  post,
  stored,
  version,
  whole,
} from '../../kit/endpoint.ts'
import { password } from '../../kit/passwords.ts'
import { domain } from '../../kit/values.ts'
import { MailServer } from '../../machines/ipsets/guessers.ts'
import {
  autoReply,
  localPart,
  MOST_APP_PASSWORDS,
  MOST_QUOTA_MB,
  MOST_TARGETS,
  mailAddress,
  mailStatus,
  REFUSED_SPAM_SCORE,
} from './mail.ts'
import { csvCalls } from './mailCsv.ts'
import { mailSource, sourcePassword, typedFingerprint } from './mailImport.ts'
import { MailMove } from './mailMove.ts'
import { MailKey, MailRecord } from './mailRecords.ts'
import { traceCalls } from './mailTrace.ts'
import { reportCalls } from './reports.ts'
import { senderCalls } from './senders.ts'

/** Whether the server has the settings of the database. `failed`: the workflow stopped or was rolled back. */
export const mailState = z.enum(['applying', 'applied', 'failed', 'deleting', 'deleted'])

/** A mail domain. The specification calls it a mailbox, and its mailboxes users. */
export const Mailbox = z.object({
  ...stored,
  domain: z.string(),
  websiteId: z.int().nullable(),
  websiteDomain: z.string().nullable(),
  ownerId: z.int().nullable(),
  ownerName: z.string().nullable(),
  serverId: z.int(),
  serverName: z.string(),
  /** The host that mail programs connect to; absent until the address of the server is known. */
  host: z.string().nullable(),
  status: mailStatus,
  reason: z.string(),
  /** When the status ends by itself and the domain is active again. */
  until: instant.nullable(),
  /** True: the website is suspended, which disables the domain regardless of its status. */
  suspended: z.boolean(),
  catchAll: z.string().nullable(),
  /** Mail with this score or a higher one goes into Junk; null: the usual threshold. */
  spamScore: z.int().nullable(),
  hourlyLimit: z.int().nullable(),
  /** Certificate of the mail host; null: the server's own certificate, which mail programs do not trust. */
  certificate: z.object({ fingerprint: z.string(), issuer: z.string().nullable(), notAfter: instant }).nullable(),
  /** Why the latest certificate of the website could not be installed. Innkeeper tries again at `nextTry`. */
  certificateProblem: z.object({ why: z.string(), nextTry: instant }).nullable(),
  state: mailState,
  /** The move to another server, until the old server is retired; null: none. */
  move: MailMove.nullable(),
  users: z.int(),
  quotaMb: z.number(),
  usedMb: z.number(),
  workflowId: z.int().nullable(),
})
export type Mailbox = z.output<typeof Mailbox>

export const AppPassword = z.object({ id: z.int(), name: z.string(), addedBy: z.string(), createdAt: instant })

/** A mailbox with its address. Its password is never answered after it was set. */
export const MailboxUser = z.object({
  ...stored,
  mailboxId: z.int(),
  domain: z.string(),
  localPart: z.string(),
  address: z.string(),
  name: z.string(),
  quotaMb: z.int(),
  /** Null: not measured yet. */
  usedMb: z.number().nullable(),
  messages: z.int().nullable(),
  usedSeenAt: instant.nullable(),
  /** True: the website of the domain is suspended, which disables the mailbox. */
  suspended: z.boolean(),
  status: mailStatus,
  reason: z.string(),
  until: instant.nullable(),
  forwards: z.array(z.string()),
  keepCopy: z.boolean(),
  autoReply: autoReply.nullable(),
  hourlyLimit: z.int().nullable(),
  /** Recipients an hour of all mailboxes and websites of its account together. It rules where it is below `hourlyLimit`. */
  accountLimit: z.int(),
  /** When its server stopped the mailbox from sending, for too much outgoing mail. */
  stoppedAt: instant.nullable(),
  spamScore: z.int().nullable(),
  passwordSetAt: instant.nullable(),
  appPasswords: z.array(AppPassword),
})
export type MailboxUser = z.output<typeof MailboxUser>

export const MailAlias = z.object({
  id: z.int(),
  localPart: z.string(),
  address: z.string(),
  targets: z.array(z.string()),
})
export type MailAlias = z.output<typeof MailAlias>

/** A mail domain with its mailboxes and aliases. */
export const MailboxDetails = Mailbox.extend({ items: z.array(MailboxUser), aliases: z.array(MailAlias) })
export type MailboxDetails = z.output<typeof MailboxDetails>

/** A deleted mail domain or mailbox. Its mail stays in the trash of its server until `purgeAfter`. */
export const TrashedMail = z.object({
  id: z.int(),
  kind: z.enum(['domain', 'mailbox']),
  name: z.string(),
  version: z.int(),
  serverName: z.string(),
  deletedAt: instant,
  purgeAfter: instant,
})
export type TrashedMail = z.output<typeof TrashedMail>

const started = z.object({ data: Mailbox, workflowId: z.int() })
/** `workflowId` is null if nothing changed. */
const mayStart = started.extend({ workflowId: z.int().nullable() })
const userStarted = z.object({ data: MailboxUser, workflowId: z.int() })
/** `password` is only answered if Innkeeper chose it. */
const userMade = userStarted.extend({ password: z.string().optional() })

const targets = z
  .array(mailAddress)
  .max(MOST_TARGETS)
  .refine((all) => new Set(all).size === all.length, 'Each address once')
const status = {
  status: mailStatus,
  /** Required for addresses, unless the status is `active`. */
  reason: line(300).optional(),
  /** When the status ends by itself. */
  until: instant.optional(),
}
const quotaMb = whole(1, MOST_QUOTA_MB)
const hourlyLimit = whole(1, MOST_HOURLY).nullable()
const spamScore = whole(1, REFUSED_SPAM_SCORE).nullable()
const READ = 'mailbox:mailbox:read'

export const mailboxes = {
  ...senderCalls,
  ...traceCalls,
  ...reportCalls,
  ...csvCalls,
  importMail: post('/mailbox/users/:id/import', 'mailbox:user:update', {
    summary: 'Copy the mail of an account of another server into a mailbox; a repetition copies what is missing',
    body: {
      ...mailSource,
      port: whole(1, 65_535).default(993),
      password: sourcePassword,
      /** Of a certificate that nobody signed. */
      fingerprint: typedFingerprint.optional(),
      version,
    },
    status: 202,
    returns: userStarted,
  }),
  list: get('/mailbox/mailboxes', READ, {
    summary: 'Mail domains by search and filters',
    query: {
      ...listQuery(['domain', 'createdAt']),
      search: filter(z.string().trim().max(120)),
      websiteIds: z.preprocess((value) => value, csv(id).optional()),
      server: filter(csv(id)),
      owner: filter(csv(id)),
      status: filter(csv(mailStatus)),
    },
    returns: pageOf(Mailbox),
  }),
  users: get('/mailbox/users', READ, {
    summary: 'Mailboxes of all mail domains by search and filters',
    query: {
      ...listQuery(['address', 'createdAt', 'usedMb', 'quotaMb']),
      search: filter(z.string().trim().max(120)),
      mailbox: filter(csv(id)),
      server: filter(csv(id)),
      owner: filter(csv(id)),
      status: filter(csv(mailStatus)),
    },
    returns: pageOf(MailboxUser),
  }),
  one: get('/mailbox/mailboxes/:id', READ, {
    summary: 'One mail domain with its mailboxes and aliases',
    returns: MailboxDetails,
  }),
  trash: get('/mailbox/trash', READ, {
    summary: 'Deleted mail domains and mailboxes that can be restored, latest deletion first',
    query: { websiteId: filter(id) },
    returns: z.object({ items: z.array(TrashedMail), total: z.int() }),
  }),
  create: post('/mailbox/mailboxes', 'mailbox:mailbox:create', {
    summary: 'Create a mail domain, on the server of a website or on a mail server',
    body: {
      /** Default: the domain of the website. */
      domain: domain.optional(),
      websiteId: id.optional(),
      /** Default: the server of the website if it has mail, else the mail server with the fewest mailboxes. */
      serverId: id.optional(),
      /** True: the domain was deleted before. Its mail stays in the trash, and the new domain starts empty. */
      again: z.boolean().optional(),
    },
    returns: started,
  }),
  update: patch('/mailbox/mailboxes/:id', 'mailbox:mailbox:update', {
    summary: 'Change a mail domain: catch-all address, website, spam threshold, limit of its account',
    body: {
      catchAll: mailAddress.nullable().optional(),
      websiteId: id.nullable().optional(),
      spamScore: spamScore.optional(),
      hourlyLimit: hourlyLimit.optional(),
      version,
    },
    status: [200, 202],
    returns: mayStart,
  }),
  toggle: patch('/mailbox/mailboxes/:id/toggle', 'mailbox:mailbox:toggle', {
    summary: 'Set the status of a mail domain, with a reason and an end',
    body: { ...status, version },
    status: 202,
    returns: started,
  }),
  moveCheck: get('/mailbox/mailboxes/:id/move', 'mailbox:mailbox:move', {
    summary: 'Preflight of a move of a mail domain to another mail server',
    query: { serverId: id },
    returns: z.object({ findings: z.array(Finding) }),
  }),
  move: post('/mailbox/mailboxes/:id/move', 'mailbox:mailbox:move', {
    summary: 'Move a mail domain with its mail to another mail server, without interrupting delivery',
    body: { serverId: id, version },
    status: 202,
    returns: started,
  }),
  retire: post('/mailbox/mailboxes/:id/retire', 'mailbox:mailbox:move', {
    summary: 'Clear the former server of a moved mail domain now; its copy of the mail goes into the trash there',
    body: { version },
    status: 202,
    returns: started,
  }),
  apply: post('/mailbox/mailboxes/:id/apply', 'mailbox:mailbox:update', {
    summary: 'Write a mail domain to its server again',
    status: 202,
    returns: started,
  }),
  remove: del('/mailbox/mailboxes/:id', 'mailbox:mailbox:delete', {
    summary: 'Delete a mail domain; the trash of the server keeps its mail',
    /** `domain`: confirmation, as the person typed it. */
    body: { version, domain: domain.optional() },
    status: 202,
    returns: started,
  }),
  restore: post('/mailbox/mailboxes/:id/restore', 'mailbox:trash:restore', {
    summary: 'Restore a deleted mail domain with its mail',
    body: { version },
    status: 202,
    returns: started,
  }),
  createUser: post('/mailbox/mailboxes/:id/users', 'mailbox:user:create', {
    summary: 'Create a mailbox; without a password Innkeeper chooses one, which only this answer contains',
    body: {
      localPart,
      name: line(120).optional(),
      quotaMb: quotaMb.default(1024),
      password: password.optional(),
      /** True: the address was deleted before. Its mail stays in the trash, and the new mailbox starts empty. */
      again: z.boolean().optional(),
    },
    returns: userMade,
  }),
  user: get('/mailbox/users/:id', READ, { summary: 'One mailbox', returns: MailboxUser }),
  updateUser: patch('/mailbox/users/:id', 'mailbox:user:update', {
    summary: 'Change a mailbox: name, quota, status, password, forwards, automatic reply, limit',
    body: {
      name: line(120).optional(),
      quotaMb: quotaMb.optional(),
      ...status,
      status: mailStatus.optional(),
      password: password.optional(),
      forwards: targets.optional(),
      keepCopy: z.boolean().optional(),
      autoReply: autoReply.nullable().optional(),
      hourlyLimit: hourlyLimit.optional(),
      spamScore: spamScore.optional(),
      version,
    },
    status: 202,
    returns: userStarted,
    aliases: ['/mailbox/mailboxes/users/:id'],
  }),
  removeUser: del('/mailbox/users/:id', 'mailbox:user:delete', {
    summary: 'Delete a mailbox; the trash of the server keeps its mail',
    body: { version },
    status: 202,
    returns: userStarted,
    aliases: ['/mailbox/mailboxes/users/:id'],
  }),
  restoreUser: post('/mailbox/users/:id/restore', 'mailbox:trash:restore', {
    summary: 'Restore a deleted mailbox with its mail and password',
    body: { version },
    status: 202,
    returns: userStarted,
  }),
  newPassword: post('/mailbox/users/:id/password', 'mailbox:user:update', {
    summary: 'Set a new random password for a mailbox; only this answer contains it',
    body: { version },
    status: 202,
    returns: userStarted.extend({ password: z.string() }),
  }),
  addAppPassword: post('/mailbox/users/:id/app-passwords', 'mailbox:user:update', {
    summary: `Add a password for one application, at most ${MOST_APP_PASSWORDS} of a mailbox; only this answer contains it`,
    body: { name: line(60) },
    status: 202,
    returns: userStarted.extend({ password: z.string() }),
  }),
  removeAppPassword: del('/mailbox/users/:id/app-passwords/:key', 'mailbox:user:update', {
    summary: 'Remove a password of an application',
    params: { id, key: id },
    status: 202,
    returns: userStarted,
  }),
  setAlias: post('/mailbox/mailboxes/:id/aliases', 'mailbox:alias:update', {
    summary: 'Create an alias or distribution list, or replace the addresses of one; a loop is refused',
    body: {
      localPart,
      targets: targets.min(1, 'At least one address'),
      /** The address was a mailbox that was deleted: its mail stays in the trash. */
      again: z.boolean().optional(),
    },
    status: 202,
    returns: started,
  }),
  removeAlias: del('/mailbox/mailboxes/:id/aliases/:alias', 'mailbox:alias:update', {
    summary: 'Delete an alias',
    params: { id, alias: id },
    status: 202,
    returns: started,
  }),
  dns: get('/mailbox/mailboxes/:id/dns', READ, {
    summary: 'DNS records that a mail domain needs, checked by asking name servers now',
    live: true,
    returns: z.object({ records: z.array(MailRecord), keys: z.array(MailKey), at: instant }),
  }),
  writeDns: post('/mailbox/mailboxes/:id/dns', ['mailbox:mailbox:update', 'dns:record:update'], {
    summary: 'Write the missing records of a mail domain into the zones of Innkeeper; other records stay',
    status: 200,
    returns: z.object({ written: z.array(z.string()), workflowIds: z.array(z.int()) }),
  }),
  newKey: post('/mailbox/mailboxes/:id/keys', 'mailbox:mailbox:update', {
    summary: 'Make another DKIM key, which signs after its record is published',
    status: 202,
    returns: started,
  }),
  signWith: post('/mailbox/mailboxes/:id/keys/:key', 'mailbox:mailbox:update', {
    summary: 'Sign with this DKIM key from now on; the record of the former key must stay for some days',
    params: { id, key: id },
    status: 202,
    returns: started,
  }),
  server: get('/mailbox/servers/:server', READ, {
    summary: 'The mail service of a server, with addresses that guess passwords',
    returns: MailServer,
  }),
}
