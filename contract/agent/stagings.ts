import * as z from 'zod'
import { databaseName, databasePassword, databaseUsername, username } from '../values.ts'
import { keepDays, place, taken } from './shapes.ts'

/** The number of a copy: the website that it is. */
const copy = z.int().min(1).max(2_147_483_647)

/** Copies of websites, and what becomes of them. */
export const stagingsOperations = {
  /**
   * The folder of a website becomes what another one is, each read and written as its own account. Symlinks that lead out
   * of it, and what is neither file nor folder, are left out and named. What there was is kept under the number of the copy.
   */
  'document-root.copy': z.object({ ...place, copy, from: z.object(place) }),
  /** The databases in the files of known applications become others; what else names them is found and left. */
  'site-config.adapt': z.object({
    ...place,
    databases: z
      .array(z.object({ was: databaseName, name: databaseName, user: databaseUsername, password: databasePassword }))
      .max(50),
  }),
  /** The folder takes what another one has, but its own configuration; what it was goes into the trash, whole. */
  'document-root.merge': z.object({ ...place, from: z.object(place), keepDays }),
  /** What it was before a merge, out of the trash. */
  'document-root.revert': z.object({ ...place, taken, keepDays }),
  /** Since a copy was made of it: which files came, went and are others. */
  'document-root.changes': z.object({ ...place, copy }),
  /** What PHP mailed and was held, newest first. */
  'held-mail.list': z.object({ username }),
} as const
