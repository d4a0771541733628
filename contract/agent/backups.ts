import * as z from 'zod'
import {
  address,
  backupAccount,
  blobKey,
  certificateChain,
  databaseName,
  databasePassword,
  domain,
  excludePattern,
  pathWithin,
  phpVersion,
  repositoryPassword,
  s3Fields,
  searchText,
  sitePath,
  snapshotId,
  snapshotPath,
  spoolFile,
  storeKey,
  tableName,
  transferName,
  username,
} from '../kit/values.ts'
import { engine } from './databases.ts'
import { keepDays, place, privateTargets, sha256, websiteId } from './shapes.ts'

/** Public key (X25519) for which the agent encrypts an answer. */
const readerKey = z.string().regex(/^[A-Za-z0-9+/]{43}=$/)
const port = z.int().min(1024).max(65_535)
/** A bucket of an S3-compatible store. The operation's `key` is the secret of the access key. */
const s3 = z
  .object({
    ...s3Fields,
    pathStyle: z.boolean(),
    /** Private addresses and networks that the operator of Innkeeper allows. */
    privateTargets,
  })
  .optional()
/**
 * A repository as a machine accesses it: through rest-server, where its account can append and read but not delete, or
 * with `s3` in a bucket.
 */
const remote = {
  address: address.optional(),
  port: port.optional(),
  certificate: certificateChain.optional(),
  s3,
  account: backupAccount,
  /** Password of the account on the backup server, or the secret of the bucket. */
  key: storeKey,
  /** Password of the repository, which encrypts it. */
  password: repositoryPassword,
}
/** A repository on the backup server itself, or in a bucket that this server maintains. */
const local = { account: backupAccount, password: repositoryPassword, s3, key: storeKey.optional() }
/** A repository on another backup server or in a bucket, which receives a copy of a repository on this server. */
const copy = { ...remote, from: backupAccount, fromPassword: repositoryPassword }
/** Id of a backup. Its snapshots carry the id as a tag. */
const backup = z.int().min(1).max(2_147_483_647)
/** Ids name the folders of mail. */
const rowId = z.int().min(1).max(2_147_483_647)
/** Mailboxes that receive restored mail: that of `from` goes into `userId`. */
const mailUsers = z
  .array(z.object({ userId: rowId, from: rowId }))
  .min(1)
  .max(5000)
const restore = z.int().min(1).max(2_147_483_647)
/** Maximum transfer rate to the backup server, in kilobytes per second; absent: no limit. */
const limit = z.int().min(64).max(10_000_000).optional()

/** Operations on backups. */
export const backupsOperations = {
  /**
   * Installs restic, and rest-server on a backup server: from the package sources of the machine, or else from Debian
   * 13.
   */
  'backup-program.ensure': z.object({ server: z.boolean() }),
  /** rest-server over TLS. Each machine has its own account, which can only append. Answers the certificate. */
  'backup-server.ensure': z.object({ address, port }),
  /** Stops rest-server. Repositories stay. Undo starts it again. */
  'backup-server.remove': z.object({ address, port }),
  /** Writes, reads, lists and removes an object in a bucket. */
  'backup-store.check': z.object({ s3: s3.unwrap(), key: storeKey }),
  /** Gives a machine an account with this password on the backup server. */
  'backup-account.ensure': z.object({ account: backupAccount, key: databasePassword }),
  /** Creates a repository with this password. Fails if an existing repository does not open with the password. */
  'backup-repository.ensure': z.object(local),
  /** Opens a repository with this password, and changes nothing. Runs in the read lane. */
  'backup-repository.open': z.object(local),
  /** Moves a repository into the trash of the backup server and removes its account. */
  'backup-repository.remove': z.object({ account: backupAccount, keepDays }),
  /** Removes snapshots, then lists the remaining snapshots to verify the removal. */
  'backup-repository.forget': z.object({ ...local, snapshots: z.array(snapshotId).min(1).max(5000) }),
  'backup-repository.prune': z.object(local),
  /** Checks the structure, reads the given percentage of the data, and answers which of `snapshots` are missing. */
  'backup-repository.check': z.object({
    ...local,
    share: z.int().min(0).max(100),
    snapshots: z.array(snapshotId).min(1).max(5000).optional(),
  }),
  /** Removes locks whose process no longer refreshes them. */
  'backup-repository.unlock': z.object(local),
  /** Answers locks, number of snapshots and bytes on disk. */
  'backup-repository.look': z.object(local),
  /** Creates the repository of a copy with the chunker parameters of the original, or opens an existing one. */
  'backup-copy.prepare': z.object(copy),
  /** Copies these snapshots; sends only data that the copy lacks. Answers the id of each snapshot in the copy. */
  'backup-copy.run': z.object({ ...copy, snapshots: z.array(snapshotId).min(1).max(5000), limit }),
  /** Fetches a backup of Innkeeper itself from its storage and stores it, unpacked, in a repository. */
  'own-backup.store': z.object({
    ...local,
    blob: z.object({ key: blobKey }),
    size: z.int().min(1),
    sha256,
    run: backup,
  }),
  /** Sends a stored backup of Innkeeper back to its storage. */
  'own-backup.fetch': z.object({
    ...local,
    snapshot: snapshotId,
    sent: z.object({ key: blobKey }),
    run: backup,
  }),
  /** Answers entries of a folder of a snapshot from the entry number `from`, and where the next answer continues. */
  'backup-tree.list': z.object({
    ...local,
    snapshot: snapshotId,
    path: snapshotPath,
    from: z.int().min(0).max(10_000).optional(),
  }),
  /** Answers entries of a snapshot whose name contains the text, in any case. */
  'backup-tree.find': z.object({ ...local, snapshot: snapshotId, text: searchText }),
  /** Answers the version of a file in each of these snapshots, except snapshots that lack the file. */
  'backup-tree.versions': z.object({ ...local, snapshots: z.array(snapshotId).min(1).max(500), path: snapshotPath }),
  /**
   * Answers the next piece of a file, or of a folder as an archive, in base64. The session keeps the position, so that
   * each piece starts where the previous one ended. The same piece can be requested again.
   */
  'backup-archive.read': z.object({
    ...local,
    session: transferName,
    snapshot: snapshotId,
    path: snapshotPath,
    archive: z.enum(['tar', 'zip']),
    piece: z.int().min(0),
  }),
  /** Closes a session before everything was read. */
  'backup-archive.end': z.object({ session: transferName }),
  /** Backs up the folder of a website. Reads through no symlink. */
  'backup-files.run': z.object({
    ...remote,
    ...place,
    website: websiteId,
    backup,
    excludes: z.array(excludePattern).max(60),
    limit,
  }),
  /** Backs up a consistent dump of a database. A failed dump leaves no snapshot. */
  'backup-database.run': z.object({ ...remote, engine, name: databaseName, website: websiteId, backup, limit }),
  /**
   * Backs up `text`, the settings of a website as JSON, and cron jobs of its account: those that name one of the
   * folders, or with `everything` all of them. Answers the number of cron jobs.
   */
  'backup-settings.run': z.object({
    ...remote,
    website: websiteId,
    backup,
    username,
    folders: z.array(sitePath).min(1).max(100),
    everything: z.boolean(),
    text: z.string().max(8_000_000),
    limit,
  }),
  /**
   * Backs up the mail of a domain on its mail server, with Sieve scripts and UIDs, in the repository of the website's
   * machine. Answers messages and bytes of each mailbox; none for more than 500.
   */
  'backup-mail.run': z.object({ ...remote, website: websiteId, backup, mailboxId: rowId, domain, limit }),
  /** Restores mail beside the mailboxes. Refuses what would fill a mailbox beyond its quota. */
  'restore-mail.prepare': z.object({
    ...remote,
    restore,
    snapshot: snapshotId,
    mailboxId: rowId,
    domain,
    users: mailUsers,
    bytes: z.int().min(0).optional(),
  }),
  /** Adds the messages, folders and scripts that the mailboxes lack. Undo takes them out again. */
  'restore-mail.merge': z.object({ restore, mailboxId: rowId, domain, users: mailUsers }),
  /** Answers the settings of a snapshot, encrypted for the holder of `reader` (X25519). Runs in the read lane. */
  'backup-settings.read': z.object({ ...local, snapshot: snapshotId, reader: readerKey }),
  /**
   * Replaces the cron jobs of an account that name one of the folders, or with `everything` all of them, by those of a
   * snapshot. Paths below `former` become paths below `path`. Undo restores the former cron jobs.
   */
  'crontab.restore': z.object({
    ...remote,
    snapshot: snapshotId,
    username,
    folders: z.array(sitePath).min(1).max(100),
    everything: z.boolean(),
    former: sitePath,
    path: sitePath,
  }),
  /**
   * Restores files beside the website, as root alone can read them, and gives them to the account. With `paths`, only
   * these.
   */
  'restore-files.prepare': z.object({
    ...remote,
    ...place,
    restore,
    /** True for a backup of another account. Access lists are left out, because they would name other accounts. */
    foreign: z.literal(true).optional(),
    snapshot: snapshotId,
    paths: z.array(pathWithin).min(1).max(100).optional(),
    /** Size of the whole content. The restore is refused if the disk has less free space. */
    bytes: z.int().min(0).optional(),
  }),
  /** Exchanges the prepared files with those of the website. Undo exchanges them back. */
  'restore-files.swap': z.object({ ...place, restore, paths: z.array(pathWithin).min(1).max(100).optional() }),
  /** Moves the former files of the website into the trash. */
  'restore-files.keep': z.object({ ...place, restore, keepDays }),
  /** Writes the dump of a snapshot, or only its `tables`, into the spool folder. */
  'restore-dump.fetch': z.object({
    ...remote,
    snapshot: snapshotId,
    name: databaseName,
    file: spoolFile,
    tables: z.array(tableName).min(1).max(1000).optional(),
  }),
  /** Answers how much is in a folder of a website, and which of `paths` exist. */
  'restore-files.look': z.object({ ...place, paths: z.array(pathWithin).min(1).max(100).optional() }),
  /** Restores snapshots into a scratch folder of the backup server, compares every byte, and deletes them. */
  'backup-drill.run': z.object({
    ...local,
    parts: z
      .array(
        z.object({ snapshot: snapshotId, files: z.int().min(0), bytes: z.int().min(0), dump: databaseName.optional() }),
      )
      .min(1)
      .max(60),
  }),
  /**
   * Restores a website on a machine for drills, loads its databases, requests its page without network access, and
   * deletes everything again. Answers the HTTP status of the page; null if the machine lacks the PHP version.
   */
  'backup-drill.serve': z.object({
    ...remote,
    snapshot: snapshotId,
    dumps: z.array(z.object({ snapshot: snapshotId, name: databaseName, engine })).max(50),
    domain,
    /** Path within the snapshot; empty: the snapshot itself. */
    documentRoot: z.union([z.literal(''), pathWithin]),
    phpVersion,
  }),
} as const
