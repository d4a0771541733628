import * as z from 'zod'
import { MOST_HOURLY } from '../hosting/plans.ts'
import { address, certificateChain, domain, privateKey, spoolFile, username } from '../kit/values.ts'
import {
  autoReply,
  dkimSelector,
  localPart,
  MOST_QUOTA_MB,
  MOST_TARGETS,
  mailAddress,
  mailSender,
  mailStatus,
  queueId,
  REFUSED_SPAM_SCORE,
} from '../net/mailboxes/mail.ts'
import { mailSource, sourcePassword } from '../net/mailboxes/mailImport.ts'
import { openedTransfer } from './moves.ts'
import { keepDays, privateTargets, taken } from './shapes.ts'

/** Id of a mail domain or mailbox. Mail folders are named by ids, because names can change. */
const rowId = z.int().min(1).max(2_147_483_647)
const targets = z.array(mailAddress).max(MOST_TARGETS)
const recipients = z.int().min(1).max(MOST_HOURLY)
const hourly = { own: recipients, together: recipients }

/** Hash of a password in a scheme of Dovecot. Innkeeper makes PBKDF2; others come with moved mailboxes and archives. */
export const mailHash = z
  .string()
  .regex(
    /^(?:\{PBKDF2\}\$1\$[A-Za-z0-9+/=]{8,64}\$[0-9]{1,7}\$[0-9a-f]{40}|\{SSHA512\}[A-Za-z0-9+/=]{80,140}|\{CRYPT\}\$(?:1|5|6|y|2[aby])\$[./A-Za-z0-9$=]{20,200}|\{ARGON2ID\}\$argon2id\$[A-Za-z0-9+/=,$]{10,200})$/,
  )
const digits = z.string().regex(/^[0-9]{1,10}$/)
/** Hashes by the id of the mailbox, then by password: 0 is its own, others are ids of application passwords. */
export const mailHashes = z.record(digits, z.record(digits, mailHash))

/** Operations on mail domains and their mailboxes. */
export const mailboxesOperations = {
  /** rspamd on loopback: marks spam and signs outgoing mail. */
  'mail-filter.ensure': z.object({}),
  /** A mail domain with exactly these mailboxes and aliases. Undo restores the former ones. Mail stays. */
  'mail-domain.ensure': z.object({
    mailboxId: rowId,
    domain,
    state: mailStatus,
    /** Receives mail for addresses that do not exist. */
    catchAll: mailAddress.optional(),
    users: z
      .array(
        z.object({
          userId: rowId,
          localPart,
          quotaMb: z.int().min(1).max(MOST_QUOTA_MB),
          state: mailStatus,
          forwards: targets.optional(),
          /** Forwarded mail is kept in the mailbox too. */
          keepCopy: z.boolean().optional(),
          autoReply: autoReply.optional(),
          /** Recipients an hour; absent: the usual limit of its account. */
          hourlyLimit: z.int().min(1).max(MOST_HOURLY).optional(),
          /** Mail of this score goes into Junk; absent: the usual threshold. */
          spamScore: z.int().min(1).max(REFUSED_SPAM_SCORE).optional(),
        }),
      )
      .max(5000),
    aliases: z.array(z.object({ localPart, targets: targets.min(1) })).max(5000),
    /** Mail domains and websites of one account share its hourly limit. Absent: the domain counts alone. */
    accountId: rowId.optional(),
    /** Recipients an hour of the account; absent: its usual limit. */
    accountLimit: z.int().min(1).max(MOST_HOURLY).optional(),
    /** `mailHashes` as JSON, from a secret. Absent: the hashes stay. */
    passwords: z.string().max(4_000_000).optional(),
    /** Signs outgoing mail with the key of this selector. */
    selector: dkimSelector.optional(),
    /**
     * The domain moves to another server. `held`: incoming mail waits in the queue, nobody can sign in. `moved`: mail
     * and sign-ins of mail programs are forwarded to the new server.
     */
    moving: z
      .discriminatedUnion('phase', [
        z.object({ phase: z.literal('held') }),
        z.object({ phase: z.literal('moved'), to: address }),
      ])
      .optional(),
    /** Servers that had the domain before. Mail that they forward has already been filtered. */
    relays: z.array(address).max(10).optional(),
  }),
  /** Removes the domain. Its mail goes into the trash of the server. Undo restores both. */
  'mail-domain.remove': z.object({ mailboxId: rowId, domain, keepDays }),
  'mail-domain.restore': z.object({ mailboxId: rowId, domain, taken, keepDays }),
  /** Moves the mail of a mailbox into the trash, after `mail-domain.ensure` without the mailbox. */
  'mail-folder.remove': z.object({ mailboxId: rowId, userId: rowId, keepDays }),
  'mail-folder.restore': z.object({ mailboxId: rowId, userId: rowId, taken, keepDays }),
  /** Makes a DKIM key on the server unless it exists. Answers the public key as base64. Undo removes the new key. */
  'mail-key.ensure': z.object({
    domain,
    selector: dkimSelector,
    /** A key that comes from another server; absent: the server makes one. */
    privateKey: privateKey.optional(),
  }),
  /** Uses this certificate for the mail host, `mail.<domain>`. Undo restores the former certificate. */
  'mail-tls.ensure': z.object({ mailboxId: rowId, domain, chain: certificateChain, privateKey }),
  /**
   * Copies the mail of a domain from the server that opened the transfer. `delta` also deletes mail that is missing
   * there.
   */
  'mail-folder.pull': z.object({ ...openedTransfer, mailboxId: rowId, mode: z.enum(['seed', 'delta']) }),
  /** Packs the DKIM keys of a domain into a file of the spool folder. Answers its sha256. */
  'mail-keys.pack': z.object({ domain, selectors: z.array(dkimSelector).min(1).max(10), file: spoolFile }),
  /** Installs fetched DKIM keys. Undo restores those that were here. */
  'mail-keys.take': z.object({ domain, selectors: z.array(dkimSelector).min(1).max(10), file: spoolFile }),
  /**
   * Copies the mail of an account of another server into a mailbox over IMAP with TLS: folders, flags and dates. A
   * repetition copies what is missing. Answers folders, new messages and all messages.
   */
  'mail-import.run': z.object({
    mailboxId: rowId,
    userId: rowId,
    ...mailSource,
    /** SHA-256 of the certificate that somebody accepted. */
    fingerprint: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional(),
    /** The password at the other server. */
    key: sourcePassword,
    /** Seconds since the epoch: what arrived there earlier stays there. */
    since: z.int().min(0).max(253_402_300_799).optional(),
    privateTargets,
  }),
  /** Tries to deliver the queued messages of a domain at once. Answers how many are queued. */
  'mail-queue.flush': z.object({ domain }),
  /**
   * Answers failed sign-ins since a time of the server's clock (at most the last hour), by address: fingerprints of the
   * different pairs of user and password, and `until`, the next `since`.
   */
  'mail-guesses.read': z.object({ since: z.int().min(0).max(253_402_300_799) }),
  /** Answers bytes and messages of each mailbox of the server, or of one domain. */
  'mail-usage.read': z.object({ mailboxId: rowId.optional() }),
  /** Answers the log lines of messages that match, grouped by message. */
  'mail-trace.read': z.object({
    /** An address or a domain. */
    about: z.union([mailAddress, domain]).optional(),
    messageId: z
      .string()
      .regex(/^[\x21-\x7e]{3,250}$/)
      .optional(),
    /** Seconds since the epoch. */
    from: z.int().min(0).max(4_102_444_800),
    until: z.int().min(0).max(4_102_444_800),
    most: z.int().min(1).max(200),
  }),
  /** Answers who sent how much in the last hour and day, stopped senders, and the `mark` of the usual limits. */
  'mail-senders.read': z.object({}),
  /** The usual limits of accounts, in recipients an hour: of a mailbox or a website, and of all together. Their owners. */
  'mail-limits.ensure': z.object({
    accounts: z
      .array(z.object({ accountId: rowId, ...hourly, username: username.optional(), ownerId: rowId.optional() }))
      .max(20_000),
    /** Of mail domains without an account. */
    others: z.object(hourly),
    /** Programs of a website send as mail domains of their owner only. Without an owner: no program does. */
    domains: z
      .array(z.object({ domain, ownerId: rowId.optional() }))
      .max(20_000)
      .optional(),
  }),
  /**
   * Acts on a stopped sender, a mailbox or the account of a website: holds its queued mail, or ends the stop and sends
   * or deletes what is held. Answers how many messages there were.
   */
  'mail-sender.act': z.object({ sender: mailSender, act: z.enum(['hold', 'send', 'delete']) }),
  /**
   * Answers reports of other mail servers that arrived, at most 20, and why other mail to their address was thrown away.
   * Removes the files of `taken`, which are stored by now.
   */
  'mail-reports.read': z.object({ taken: z.array(z.string().regex(/^\d{1,12}-\d{1,12}$/)).max(100) }),
  'mail-queue.read': z.object({ most: z.int().min(1).max(500) }),
  /** Acts on a queued message. Deleting is final. */
  'mail-queue.act': z.object({ queueId, act: z.enum(['retry', 'hold', 'release', 'delete']) }),
} as const
