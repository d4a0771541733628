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
} from '../values.ts'
import { engine } from './databases.ts'
import { keepDays, place, sha256, websiteId } from './shapes.ts'

/** Public key of whoever reads an answer. */
const readerKey = z.string().regex(/^[A-Za-z0-9+/]{43}=$/)
const port = z.int().min(1024).max(65_535)
/** A store that speaks S3. Its secret is the `key` of an operation. */
const s3 = z.object({ ...s3Fields, pathStyle: z.boolean() }).optional()
/**
 * A repository as a machine reaches it: over rest-server, where its account can append and read, never delete, or with
 * `s3` in a bucket.
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
  password: databasePassword,
}
/** A repository on the backup server itself, or in a bucket that this server looks after. */
const local = { account: backupAccount, password: databasePassword, s3, key: storeKey.optional() }
/** A repository on the backup server itself alone. */
const own = { account: backupAccount, password: databasePassword }
/** A repository on another backup server that receives a copy of one on this server. */
const copy = { ...remote, from: backupAccount, fromPassword: databasePassword }
/** Id of a backup, by which its snapshots are tagged. */
const backup = z.int().min(1).max(2_147_483_647)
const restore = z.int().min(1).max(2_147_483_647)
/** Kilobytes each second to the backup server; absent: no limit. */
const limit = z.int().min(64).max(10_000_000).optional()

/** Operations on backups. */
export const backupsOperations = {
  /** restic, and on a backup server rest-server: from the package sources of the machine, else from Debian 13. */
  'backup-program.ensure': z.object({ server: z.boolean() }),
  /** rest-server over TLS with accounts of their own that can only append. Answers its certificate. */
  'backup-server.ensure': z.object({ address, port }),
  /** Stops rest-server. Repositories stay. Undo starts it again. */
  'backup-server.remove': z.object({ address, port }),
  /** Writes, reads, lists and removes an object in a bucket. */
  'backup-store.check': z.object({ s3: s3.unwrap(), key: storeKey }),
  /** An account of a machine on the backup server, with this password. */
  'backup-account.ensure': z.object({ account: backupAccount, key: databasePassword }),
  /** A repository with this password; an existing one has to open with it. */
  'backup-repository.ensure': z.object(local),
  /** Moves a repository into the trash of the backup server and removes its account. */
  'backup-repository.remove': z.object({ account: backupAccount, keepDays }),
  /** Removes snapshots, then lists the remaining ones to see that they are gone. */
  'backup-repository.forget': z.object({ ...local, snapshots: z.array(snapshotId).min(1).max(5000) }),
  'backup-repository.prune': z.object(local),
  /** Checks the structure, reads this share of the data, in percent, and answers which of `snapshots` are missing. */
  'backup-repository.check': z.object({
    ...local,
    share: z.int().min(0).max(100),
    snapshots: z.array(snapshotId).min(1).max(5000).optional(),
  }),
  /** Removes locks whose process no longer refreshes them. */
  'backup-repository.unlock': z.object(local),
  /** Answers locks, number of snapshots and bytes on disk. */
  'backup-repository.look': z.object(local),
  /** A repository for a copy, with the chunker parameters of the first; an existing one has to open with the password. */
  'backup-copy.prepare': z.object(copy),
  /** Copies these snapshots with the data that the copy lacks. Answers the id of each in the copy. */
  'backup-copy.run': z.object({ ...copy, snapshots: z.array(snapshotId).min(1).max(5000), limit }),
  /** Keeps a backup of Innkeeper itself, which lies in its storage, unpacked in a repository of this server. */
  'own-backup.store': z.object({
    ...own,
    blob: z.object({ key: blobKey }),
    size: z.int().min(1),
    sha256,
    run: backup,
  }),
  /** Sends a kept backup of Innkeeper back into its storage. */
  'own-backup.fetch': z.object({ ...own, snapshot: snapshotId, key: blobKey, run: backup }),
  /** Answers the entries of a folder of a snapshot. */
  'backup-tree.list': z.object({ ...local, snapshot: snapshotId, path: snapshotPath }),
  /** Answers entries of a snapshot whose name contains the text, in any case. */
  'backup-tree.find': z.object({ ...local, snapshot: snapshotId, text: searchText }),
  /** Answers a file as it is in each of these snapshots, without those that lack it. */
  'backup-tree.versions': z.object({ ...local, snapshots: z.array(snapshotId).min(1).max(500), path: snapshotPath }),
  /**
   * Answers the next piece of a file, or of a folder as an archive, in base64. The session holds the position: a piece
   * is read from where the one before ended. The same piece may be asked for again.
   */
  'backup-archive.read': z.object({
    ...local,
    session: transferName,
    snapshot: snapshotId,
    path: snapshotPath,
    archive: z.enum(['tar', 'zip']),
    piece: z.int().min(0),
  }),
  /** Ends a session before its end. */
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
   * Backs up `text`, the settings of a website as JSON, with the cron jobs of its account that name one of the folders, or
   * `everything`. Answers how many jobs these are.
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
  /** Answers the settings of a snapshot, encrypted for the holder of `reader` (X25519). Runs in the read lane. */
  'backup-settings.read': z.object({ ...local, snapshot: snapshotId, reader: readerKey }),
  /**
   * Gives the account the cron jobs of a snapshot instead of its own that name one of the folders, or `everything`. Paths
   * below `former` become paths below `path`. Undo gives the former ones back.
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
    /** The backup is of another account: access lists are left out, because they would name other accounts. */
    foreign: z.literal(true).optional(),
    snapshot: snapshotId,
    paths: z.array(pathWithin).min(1).max(100).optional(),
    /** Of the whole content: refused without room for it. */
    bytes: z.int().min(0).optional(),
  }),
  /** Exchanges the prepared files with those of the website. Undo exchanges them back. */
  'restore-files.swap': z.object({ ...place, restore, paths: z.array(pathWithin).min(1).max(100).optional() }),
  /** Moves what the website was before into the trash. */
  'restore-files.keep': z.object({ ...place, restore, keepDays }),
  /** Writes the dump of a snapshot into the spool folder, or only these `tables` of it. */
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
   * Restores a website on a machine of drills, loads its databases, requests its page without a network, and deletes all
   * of it. Answers the status of the page; null if the machine lacks the PHP version.
   */
  'backup-drill.serve': z.object({
    ...remote,
    snapshot: snapshotId,
    dumps: z.array(z.object({ snapshot: snapshotId, name: databaseName, engine })).max(50),
    domain,
    /** Within the snapshot; empty for the snapshot itself. */
    documentRoot: z.union([z.literal(''), pathWithin]),
    phpVersion,
  }),
} as const
