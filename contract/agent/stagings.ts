import * as z from 'zod'
import { databaseName, databasePassword, databaseUsername, domain, pathWithin, username } from '../values.ts'
import { keepDays, place, taken } from './shapes.ts'

/** Website id of the staging copy. */
const copy = z.int().min(1).max(2_147_483_647)

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
      .array(z.object({ was: databaseName, name: databaseName, user: databaseUsername, password: databasePassword }))
      .max(50),
    /** Absent: the domain stays. */
    names: z.object({ from: domain, to: domain }).optional(),
  }),
  /**
   * Copies the folder `from` into this one, except configuration files, and moves the previous folder into the trash.
   * With `paths`, only these are replaced.
   */
  'document-root.merge': z.object({ ...place, from: z.object(place), keepDays, paths }),
  /** Restores the folder from before a merge out of the trash. */
  'document-root.revert': z.object({ ...place, taken, keepDays }),
  /**
   * Lists the files that were added, removed or changed since a copy was made, with a digest of the current state.
   * `from` is the copy: the answer then includes what a merge would change.
   */
  'document-root.changes': z.object({ ...place, copy, from: z.object(place).optional(), paths }),
  /** Lists captured mail of PHP and the sendmail program, newest first. */
  'held-mail.list': z.object({ username }),
} as const
