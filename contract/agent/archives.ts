import * as z from 'zod'
import {
  blobKey,
  databaseName,
  domain,
  dumpFile,
  sitePath,
  spoolFile,
  transferKey,
  transferName,
  username,
} from '../kit/values.ts'
import { localPart } from '../net/mailboxes/mail.ts'
import { openedTransfer } from './moves.ts'
import { sha256, websiteId } from './shapes.ts'

const rowId = z.int().min(1).max(2_147_483_647)
/**
 * An archive that lies on the server. Only folders in which people put archives; the agent follows no link on the way.
 */
export const archivePath = z
  .string()
  .trim()
  .regex(
    /^\/(?:backup|backups|home|media|mnt|opt|root|srv|tmp|var\/backups|var\/lib\/innkeeper\/imports|var\/tmp)(?:\/(?!\.{1,2}(?:\/|$))[^/\p{C}\p{Zl}\p{Zp}\ufffd]{1,255}){1,20}$/u,
    'A file below /backup, /home, /mnt, /root, /srv, /tmp, /var/backups or /var/lib/innkeeper/imports',
  )
/**
 * Where an archive lies elsewhere: `https://old.example/a.tar.gz` or `sftp://user@old.example:22/backup/a.tar`. Neither a
 * password nor characters that a program could take for anything else.
 */
export const archiveAddress = z
  .string()
  .trim()
  .max(2000)
  .regex(
    /^(?:https:\/\/[a-z0-9.-]{1,253}(?::\d{1,5})?\/[A-Za-z0-9._~!$&'()*+,;=:@%/?-]{1,1500}|sftp:\/\/[a-z_][a-z0-9_.-]{0,31}@[a-z0-9.-]{1,253}(?::\d{1,5})?(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~+,=@ -]{1,255}){1,20})$/,
    'https://old.example/alice.tar.gz or sftp://user@old.example/backup/alice.tar',
  )
/** The fingerprint of a host key, as `ssh-keygen -l` shows it. */
export const hostKeyPrint = z
  .string()
  .trim()
  .regex(/^SHA256:[A-Za-z0-9+/]{43}$/, 'A fingerprint such as SHA256:…, with 43 characters')
const network = z.string().regex(/^[0-9a-fA-F:.]{2,45}(?:\/\d{1,3})?$/)

/** Absent: the archive that people uploaded for this import. */
const archive = { importId: rowId, archive: archivePath.optional() }

/** Milliseconds since the epoch by the clock of a server. */
const clock = z.int().min(0).max(9_999_999_999_999)

/** A name as a machine has it. The agent compares it with what it finds, and uses no other name. */
const foundName = z.string().regex(/^[^\p{C}]{1,253}$/u)

/** Operations on archives of other hosting panels. */
export const archivesOperations = {
  /** Brings an uploaded archive to the server. Undo deletes it there. */
  'archive.fetch': z.object({ importId: rowId, blob: z.object({ key: blobKey, size: z.int().min(1), sha256 }) }),
  /** Fetches an archive over HTTPS or SFTP. Undo deletes it here. */
  'archive.download': z.object({
    importId: rowId,
    from: archiveAddress,
    /** Private addresses that the operator allows. */
    privateTargets: z.array(network).max(100),
    /** Password or private key of SFTP. */
    login: z.string().min(1).max(20_000).optional(),
    /** Absent: the first host key is taken, and said. */
    hostKey: hostKeyPrint.optional(),
  }),
  /**
   * Reads an archive to its end, writes nothing outside of the agent's own folder, and answers its `Inventory`. Hashes
   * and keys stay on the server, readable by root.
   */
  'archive.look': z.object({
    ...archive,
    /** Name of the website in a plain folder, which does not say it. */
    domain: domain.optional(),
  }),
  /** Answers hashes and keys of an archive that was looked at, encrypted for the holder of `reader` (X25519). */
  'archive.secrets': z.object({ importId: rowId, reader: z.string().regex(/^[A-Za-z0-9+/]{43}=$/) }),
  /**
   * Unpacks the files of websites into their new folders, as their accounts; dumps and cron jobs into the spool folder.
   * Answers what was written. Undo deletes the spool files: the folders go with their websites.
   */
  'archive.unpack': z.object({
    ...archive,
    /** `from`: the name of the website in the archive. */
    sites: z.array(z.object({ websiteId, from: domain, username, path: sitePath, domain })).max(1000),
    dumps: z.array(z.object({ database: databaseName, file: dumpFile })).max(1000),
    crontab: z.object({ username, spool: spoolFile }).optional(),
  }),
  /** Adds the mail of an archive to new mailboxes. Undo moves this mail into the trash. */
  'archive.mail': z.object({
    ...archive,
    from: domain,
    mailboxId: rowId,
    users: z.array(z.object({ localPart, userId: rowId })).max(5000),
  }),
  /**
   * Brings what is new or changed in an archive of an account that was imported before. A file or message that was changed
   * or deleted here since then stays as it is, and is counted and named. Undo brings the former files back.
   */
  'archive.again': z.object({
    ...archive,
    /**
     * `since`: when the former import ended, by the clock of this server: what changed later was changed here. `packed`: the time
     * of the newest file or message in its archive: what is newer was not in it. Absent: `since`.
     */
    sites: z
      .array(
        z.object({ websiteId, from: domain, username, path: sitePath, domain, since: clock, packed: clock.optional() }),
      )
      .max(1000),
    mail: z
      .array(
        z.object({
          from: domain,
          mailboxId: rowId,
          since: clock,
          users: z.array(z.object({ localPart, userId: rowId, packed: clock.optional() })).max(5000),
        }),
      )
      .max(1000),
  }),
  /**
   * Counts what lies on the server, without reading the archive. `sums`: reads all files, too, for the sum of names and contents that
   * `archive.unpack` answers.
   */
  'archive.compare': z.object({
    sites: z.array(z.object({ websiteId, username, path: sitePath })).max(1000),
    databases: z.array(databaseName).max(1000),
    mailboxes: z.array(rowId).max(1000),
    sums: z.literal(true).optional(),
  }),
  /**
   * Looks at a machine that somebody else has set up: websites, databases, mail, cron jobs and what else runs there. Changes
   * nothing on it.
   */
  'machine.look': z.object({}),
  /**
   * Lets another server read what is chosen of one account, as an archive that is packed while it is read. Answers the port.
   * Undo ends it.
   */
  'machine.open': z.object({
    transfer: transferName,
    token: transferKey,
    minutes: z.int().min(1).max(1440),
    account: foundName,
    websites: z.array(foundName).max(1000).optional(),
    databases: z.array(foundName).max(1000).optional(),
    mailDomains: z.array(foundName).max(1000).optional(),
  }),
  /** Fetches what another server has opened by `machine.open`. Undo deletes the archive here. */
  'archive.pull': z.object({ importId: rowId, ...openedTransfer }),
  /** Deletes what the look kept, and the uploaded archive. */
  'archive.drop': z.object({ importId: rowId }),
} as const

/** Hashes and private keys of an archive, by the names that the inventory has. */
export const ArchiveSecrets = z.object({
  /** By address. */
  mailboxes: z.record(z.string(), z.string()),
  /** By user. */
  databases: z.record(z.string(), z.string()),
  /** By login name. */
  ftp: z.record(z.string(), z.string()),
  /** PKCS #8, by website. */
  certificates: z.record(z.string(), z.string()),
  /** PKCS #8, by mail domain. */
  dkim: z.record(z.string(), z.string()).default({}),
})
export type ArchiveSecrets = z.output<typeof ArchiveSecrets>
