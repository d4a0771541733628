import * as z from 'zod'
import {
  address,
  databaseEngine,
  databaseHost,
  databaseName,
  databaseUsername,
  domain,
  phpVersion,
  sitePath,
  spoolFile,
  transferKey,
  transferName,
  username,
} from '../kit/values.ts'
import { place, sha256 } from './shapes.ts'

/** A transfer that the agent of another server has opened: its address, port and shared key. */
export const openedTransfer = { transfer: transferName, token: transferKey, address, port: z.int().min(1).max(65_535) }

/** Milliseconds since the epoch by the clock of a server. */
const clock = z.int().min(0).max(9_999_999_999_999)

const logKind = z.enum(['access', 'error'])

/** Operations that transfer a website from one server to another. */
export const movesOperations = {
  /**
   * Lets clients with the key read these folders and dumps over TLS, one client at a time. Answers the port. The
   * transfer stays open for the given minutes, even if the agent restarts. Undo closes it.
   */
  'transfer.open': z.object({
    transfer: transferName,
    token: transferKey,
    minutes: z.int().min(1).max(1440),
    folders: z.array(z.object(place)).max(100),
    /** Mail domains whose mail is read. */
    mail: z.array(z.int().min(1).max(2_147_483_647)).max(1).optional(),
    files: z.array(spoolFile).max(400),
  }),
  /** `clear`: nobody goes back behind this step, so the spool files of the transfer are deleted: dumps, logs, keys. */
  'transfer.close': z.object({ transfer: transferName, clear: z.boolean().optional() }),
  /**
   * Copies the folder `from` of the other server into `path`. `delta` also deletes files that are missing there. Can be
   * interrupted at any point and repeated.
   */
  'transfer.pull': z.object({
    ...openedTransfer,
    ...place,
    from: z.object(place),
    mode: z.enum(['seed', 'delta']),
    /** Time of the comparison by this server's clock. If a file here was written after it, all checksums are compared. */
    untouchedSince: clock.optional(),
  }),
  /**
   * While visitors still write: compares checksums of all files at both ends and copies those that differ. Answers the
   * time of this comparison by both clocks, `since` of the source and `here` of this server. Later changes must be
   * compared again.
   */
  'transfer.compare': z.object({ ...openedTransfer, ...place, from: z.object(place) }),
  /**
   * Compares all names, sizes, times and rights at both ends, and checksums: of all files, or only of those that have
   * changed at the source `since` a comparison. Files written since the last copy are copied once more; any difference
   * after that is an error.
   */
  'transfer.verify': z.object({ ...openedTransfer, ...place, from: z.object(place), since: clock.optional() }),
  /** Fetches a dump into the spool folder under the same name, and compares its sha256. */
  'transfer.fetch': z.object({ ...openedTransfer, file: spoolFile, sha256 }),
  /** Packs all logs of a website into one file of the spool folder. Answers the sha256 of the file. */
  'website-logs.pack': z.object({ domain, kind: logKind, file: spoolFile }),
  /** Unpacks the fetched file as the oldest rotated log of the website. */
  'website-logs.take': z.object({ domain, kind: logKind, file: spoolFile }),
  /**
   * Moves cron jobs of an account into a file of the spool folder: those that name one of these folders, or with
   * `everything` all of them. Answers the sha256 of the file. Undo restores the jobs.
   */
  'crontab.rest': z.object({
    username,
    folders: z.array(sitePath).max(100),
    everything: z.boolean(),
    file: spoolFile,
  }),
  /** Installs these cron jobs for this account. `from`: their former account, whose home is replaced in the paths. */
  'crontab.take': z.object({ username, from: username, file: spoolFile }),
  /**
   * Preflight of a move: bytes and files of each folder, free space below /home, and the modules of a PHP version (none
   * if that version is not installed). `sites`: each is requested over HTTP, and its status answered. `newcomers`: names
   * that the move would create; answers as `taken` those that the server has already. `homes`: accounts and the names of
   * their websites; answers as `beside` what else their homes contain, as `username/entry`, at most 100, and as `jobs` the
   * number of their cron jobs and of those that name no folder of a website.
   */
  'migration.look': z.object({
    phpVersion,
    folders: z.array(z.object(place)).max(100),
    sites: z.array(domain).max(100).optional(),
    homes: z
      .array(z.object({ username, websites: z.array(domain).max(1000) }))
      .max(100)
      .optional(),
    newcomers: z
      .object({
        accounts: z.array(username).max(100),
        databases: z.array(z.object({ engine: databaseEngine, name: databaseName })).max(1000),
        databaseUsers: z
          .array(z.object({ engine: databaseEngine, user: databaseUsername, host: databaseHost }))
          .max(1000),
      })
      .optional(),
  }),
} as const
