import * as z from 'zod'
import {
  databaseHash,
  databaseName,
  databasePassword,
  databaseUsername,
  domain,
  pathWithin,
  spoolFile,
  username,
} from '../kit/values.ts'
import { keepDays, place, sha256, taken } from './shapes.ts'

/** Website id of the staging copy. */
const copy = z.int().min(1).max(2_147_483_647)

/** Id of a merge, which names its files on the server. */
const merge = z.int().min(1).max(2_147_483_647)
/** True: this is the revert of the merge. */
const back = z.boolean().optional()

/** Only these paths, each with everything below. Absent: the whole folder. */
const paths = z.array(pathWithin).min(1).max(200).optional()

/** Operations on staging copies. */
export const stagingsOperations = {
  /**
   * Copies the folder of a website into another one, each accessed as its own account. Symlinks that leave the folder,
   * and anything other than files and folders, are left out and listed. The previous contents are kept under the id of
   * the copy.
   */
  'document-root.copy': z.object({ ...place, copy, from: z.object(place) }),
  /**
   * Replaces databases and the domain in the configuration files of known applications. Other files that name these
   * databases are listed and stay unchanged.
   */
  'site-config.adapt': z.object({
    ...place,
    databases: z
      .array(
        z.object({
          was: databaseName,
          /** Database account. Only files that name it are changed. Absent: any account. */
          wasUser: databaseUsername.optional(),
          name: databaseName,
          user: databaseUsername,
          /** A hash, of an account that came with an archive: the password in the files stays. */
          password: z.union([databasePassword, databaseHash]),
        }),
      )
      .max(50),
    /** Absent: the domain stays. */
    names: z.object({ from: domain, to: domain }).optional(),
    /** Where the files were: paths below this folder lead below the present one. Absent: they stay. */
    from: z.object(place).optional(),
  }),
  /**
   * Copies the folder `from`, or only its `paths`, into a folder beside this one, except configuration files. `seen` is
   * the digest of the live files that people confirmed.
   */
  'merge.prepare': z.object({ ...place, merge, copy, from: z.object(place), paths, seen: sha256, keepDays }),
  /**
   * Exchanges the prepared files with the live ones. Changes that visitors made since `seen` are carried over; if that
   * is impossible, the operation fails and changes nothing. `back`: exchanges the files that `merge.bring` prepared.
   */
  'merge.swap': z.object({ ...place, merge, back, paths }),
  /** Moves the former files into the trash. */
  'merge.keep': z.object({ ...place, merge, back, paths, keepDays }),
  /**
   * Prepares the revert of a merge: checks that all former data exists, and moves the former files out of the trash
   * into a folder beside the live ones. Without `taken`, the merge had no files. `files`: dumps that the revert will
   * load.
   */
  'merge.bring': z.object({ ...place, merge, taken: taken.optional(), files: z.array(spoolFile).max(50), keepDays }),
  /**
   * Lists the files that were added, removed or changed since a copy was made, with a digest of the current state.
   * `from` is the copy: the answer then includes what a merge would change. `keep`: a merge of this state follows, so
   * the agent keeps the listing.
   */
  'document-root.changes': z.object({
    ...place,
    copy,
    from: z.object(place).optional(),
    paths,
    keep: z.boolean().optional(),
  }),
  /** Lists captured mail of PHP and the sendmail program, newest first. */
  'held-mail.list': z.object({ username }),
} as const
