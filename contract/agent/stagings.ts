import * as z from 'zod'
import { databaseName, databasePassword, databaseUsername, domain, pathWithin, spoolFile, username } from '../values.ts'
import { keepDays, place, sha256, taken } from './shapes.ts'

/** Website id of the staging copy. */
const copy = z.int().min(1).max(2_147_483_647)

/** Id of a merge, which names its files on the server. */
const merge = z.int().min(1).max(2_147_483_647)
/** True for the revert of the merge. */
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
   * Replaces databases, and the domain beside them, in the configuration files of known applications. Other files that
   * name these databases are listed and stay as they are.
   */
  'site-config.adapt': z.object({
    ...place,
    databases: z
      .array(
        z.object({
          was: databaseName,
          /** Changes only files that name this account. Absent: any account. */
          wasUser: databaseUsername.optional(),
          name: databaseName,
          user: databaseUsername,
          password: databasePassword,
        }),
      )
      .max(50),
    /** Absent: the domain stays. */
    names: z.object({ from: domain, to: domain }).optional(),
  }),
  /**
   * Copies the folder `from` beside this one, except configuration files. With `paths`, only these. `seen` is the digest
   * of the live files that people confirmed.
   */
  'merge.prepare': z.object({ ...place, merge, copy, from: z.object(place), paths, seen: sha256, keepDays }),
  /**
   * Exchanges the prepared files with the live ones. Carries over what visitors changed since `seen`, or fails before
   * anything changed. `back`: exchanges what `merge.bring` prepared.
   */
  'merge.swap': z.object({ ...place, merge, back, paths }),
  /** Moves the former files into the trash. */
  'merge.keep': z.object({ ...place, merge, back, paths, keepDays }),
  /**
   * Checks that everything from before a merge is there, and brings its files out of the trash, beside the live ones.
   * Without `taken`, the merge had no files. `files`: dumps that the revert will load.
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
