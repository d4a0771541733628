import * as z from 'zod'
import { blobKey, databaseName, domain, dumpFile, sitePath, spoolFile, username } from '../kit/values.ts'
import { localPart } from '../net/mailboxes/mail.ts'
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
/** Absent: the archive that people uploaded for this import. */
const archive = { importId: rowId, archive: archivePath.optional() }

/** Operations on archives of other hosting panels. */
export const archivesOperations = {
  /** Brings an uploaded archive to the server. Undo deletes it there. */
  'archive.fetch': z.object({ importId: rowId, blob: z.object({ key: blobKey, size: z.int().min(1), sha256 }) }),
  /**
   * Reads an archive to its end, writes nothing outside of the agent's own folder, and answers its `Inventory`. Hashes
   * and keys stay on the server, readable by root.
   */
  'archive.look': z.object(archive),
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
  /** Counts what lies on the server, without reading the archive. */
  'archive.compare': z.object({
    sites: z.array(z.object({ websiteId, username, path: sitePath })).max(1000),
    databases: z.array(databaseName).max(1000),
    mailboxes: z.array(rowId).max(1000),
  }),
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
})
export type ArchiveSecrets = z.output<typeof ArchiveSecrets>
