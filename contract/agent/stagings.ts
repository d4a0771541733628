import * as z from 'zod'
import { databaseName, databasePassword, databaseUsername, domain, pathWithin, username } from '../values.ts'
import { keepDays, place, taken } from './shapes.ts'

/** The number of a copy: the website that it is. */
const copy = z.int().min(1).max(2_147_483_647)

/** These alone, each with all that is below it. Absent: everything. */
const paths = z.array(pathWithin).min(1).max(200).optional()

/** Copies of websites, and what becomes of them. */
export const stagingsOperations = {
  /**
   * The folder of a website becomes what another one is, each read and written as its own account. Symlinks that lead out
   * of it, and what is neither file nor folder, are left out and named. What there was is kept under the number of the copy.
   */
  'document-root.copy': z.object({ ...place, copy, from: z.object(place) }),
  /**
   * The databases in the files of known applications become others, and there the website's name with them; what else names
   * those databases is found and left.
   */
  'site-config.adapt': z.object({
    ...place,
    databases: z
      .array(z.object({ was: databaseName, name: databaseName, user: databaseUsername, password: databasePassword }))
      .max(50),
    /** Absent: the name stays. */
    names: z.object({ from: domain, to: domain }).optional(),
  }),
  /**
   * The folder takes what another one has, but its own configuration; what it was goes into the trash, whole. `paths`: it
   * takes these alone, and nothing else in it is touched.
   */
  'document-root.merge': z.object({ ...place, from: z.object(place), keepDays, paths }),
  /** What it was before a merge, out of the trash. */
  'document-root.revert': z.object({ ...place, taken, keepDays }),
  /**
   * Since a copy was made of it: which files came, went and are others, and a digest of what is there now. `from`: the copy,
   * to say what a merge would make of it.
   */
  'document-root.changes': z.object({ ...place, copy, from: z.object(place).optional(), paths }),
  /** What was mailed and held, by PHP or by the sendmail program, newest first. */
  'held-mail.list': z.object({ username }),
} as const
