import * as z from 'zod'
import { instant } from '../../kit/endpoint.ts'
import { Website } from '../websites.ts'

/** Result of creating a copy. */
export const CopyReport = z.object({
  files: z.int(),
  bytes: z.number(),
  /** Paths that were not copied: symlinks that leave the website, and special files. */
  leftOut: z.int(),
  left: z.array(z.object({ path: z.string(), why: z.string() })),
  /** Configuration files that were changed to the copy's own database. */
  changed: z.array(z.object({ file: z.string(), application: z.string(), was: z.string() })),
  /** Lines that still name the live database, left for people to change. */
  proposals: z.array(z.object({ file: z.string(), line: z.int(), what: z.string() })),
})
export type CopyReport = z.output<typeof CopyReport>

export const mergeStatus = z.enum(['merging', 'merged', 'failed', 'undone', 'reverting', 'reverted'])
/** One merge of a copy into the live website. */
export const Merge = z.object({
  id: z.int(),
  stagingId: z.int(),
  stagingDomain: z.string(),
  websiteId: z.int(),
  status: mergeStatus,
  files: z.boolean(),
  /** Merged files and folders; null: all, or none. */
  paths: z.array(z.string()).nullable(),
  /** Per live database: `all` or the names of tables. */
  tables: z.array(
    z.object({ databaseId: z.int(), name: z.string(), tables: z.union([z.literal('all'), z.array(z.string())]) }),
  ),
  by: z.string(),
  at: instant,
  /** Until then the previous state is kept and can be restored. */
  keptUntil: instant,
  /** Why it cannot be reverted now; null if it can. */
  notRevertible: z.string().nullable(),
  /** The name of the live website at the merge, if it was renamed since: a revert brings it back in files and tables. */
  formerDomain: z.string().nullable(),
  workflowId: z.int().nullable(),
})
export type Merge = z.output<typeof Merge>
/** A staging copy with a name, an account and databases of its own. */
export const Staging = z.object({
  website: Website,
  liveId: z.int(),
  liveDomain: z.string(),
  /** When the copy was complete; null until then. */
  copiedAt: instant.nullable(),
  report: CopyReport.nullable(),
  /** Databases of the copy with the live databases that they were copied from. */
  databases: z.array(z.object({ id: z.int(), name: z.string(), liveId: z.int(), liveName: z.string() })),
})
export type Staging = z.output<typeof Staging>
const ChangedFile = z.object({ path: z.string(), what: z.enum(['changed', 'added', 'gone']), bytes: z.number() })
/** A file that differs between the live website and the copy. */
const MergedFile = ChangedFile.extend({
  /** Bytes on the live website; null: not there. */
  liveBytes: z.number().nullable(),
  /** False: the name has a line break or is not UTF-8, so that the file is only merged together with its folder. */
  nameable: z.boolean(),
})
/** Effect of merging the files of a copy. */
export const Differences = z.object({
  added: z.int(),
  changed: z.int(),
  gone: z.int(),
  /** Sorted by path, at most 2,000. */
  files: z.array(MergedFile),
})
export type Differences = z.output<typeof Differences>
/** Changes on the live website since the copy was made, read from the server now. */
export const LiveChanges = z.object({
  /** Digest of the current state, which a merge sends back as `seen`. */
  digest: z.string(),
  /** False: the server no longer has the state at the time of the copy. */
  known: z.boolean(),
  at: instant.nullable(),
  /** The name of the live website at the copy, if it was renamed since: files and tables of the copy contain it. */
  formerDomain: z.string().nullable(),
  added: z.int(),
  changed: z.int(),
  gone: z.int(),
  /** At most 200. */
  files: z.array(ChangedFile),
  tables: z.array(
    z.object({
      databaseId: z.int(),
      database: z.string(),
      name: z.string(),
      what: z.enum(['changed', 'added', 'gone']),
      rowsThen: z.int().nullable(),
      rows: z.int().nullable(),
    }),
  ),
  /** Effect of a merge on the files. */
  differences: Differences,
  /** Tables that can be merged, per live database. */
  choices: z.array(z.object({ databaseId: z.int(), database: z.string(), tables: z.array(z.string()) })),
})
export type LiveChanges = z.output<typeof LiveChanges>

export const HeldMail = z.object({
  total: z.int(),
  /** The newest 25. */
  items: z.array(z.object({ at: instant, bytes: z.number(), to: z.string(), subject: z.string() })),
})
export type HeldMail = z.output<typeof HeldMail>
