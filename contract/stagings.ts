import * as z from 'zod'
import { get, id, instant, post } from './kit.ts'
import { domain, pathWithin, tableName } from './values.ts'
import { environment, Website } from './websites.ts'

/** What making a copy came to. */
export const CopyReport = z.object({
  files: z.int(),
  bytes: z.number(),
  /** Symlinks that lead out of the website, and what is no file: not copied. */
  leftOut: z.int(),
  left: z.array(z.object({ path: z.string(), why: z.string() })),
  /** Files of known applications that work with the copy's own database. */
  changed: z.array(z.object({ file: z.string(), application: z.string(), was: z.string() })),
  /** Lines that name the database of the live website still: left to whoever knows them. */
  proposals: z.array(z.object({ file: z.string(), line: z.int(), what: z.string() })),
})
export type CopyReport = z.output<typeof CopyReport>

export const mergeStatus = z.enum(['merging', 'merged', 'failed', 'undone', 'reverting', 'reverted'])

/** One time that a copy became the live website. */
export const Merge = z.object({
  id: z.int(),
  stagingId: z.int(),
  stagingDomain: z.string(),
  websiteId: z.int(),
  status: mergeStatus,
  files: z.boolean(),
  /** The files and folders that it took; null: all of them, or no files. */
  paths: z.array(z.string()).nullable(),
  /** By the live database: `all` or the names of tables. */
  tables: z.array(
    z.object({ databaseId: z.int(), name: z.string(), tables: z.union([z.literal('all'), z.array(z.string())]) }),
  ),
  by: z.string(),
  at: instant,
  /** Until then what the website was before is kept, and can be had back. */
  keptUntil: instant,
  workflowId: z.int().nullable(),
})
export type Merge = z.output<typeof Merge>

/** A copy of a live website, on a name, an account and databases of its own. */
export const Staging = z.object({
  website: Website,
  liveId: z.int(),
  liveDomain: z.string(),
  /** When the copy was whole; null until then. */
  copiedAt: instant.nullable(),
  report: CopyReport.nullable(),
  /** Its databases with the live ones that they are copies of. */
  databases: z.array(z.object({ id: z.int(), name: z.string(), liveId: z.int(), liveName: z.string() })),
})
export type Staging = z.output<typeof Staging>

const ChangedFile = z.object({ path: z.string(), what: z.enum(['changed', 'added', 'gone']), bytes: z.number() })
/** One file of which the live website has another, or none, or alone has one. */
const MergedFile = ChangedFile.extend({
  /** Bytes on the live website; null: it is not there. */
  liveBytes: z.number().nullable(),
  /** False: its name has a line break or is no UTF-8. It is taken with its folder. */
  nameable: z.boolean(),
})
/** What taking the files of a copy would make of the live website. */
export const Differences = z.object({
  added: z.int(),
  changed: z.int(),
  gone: z.int(),
  /** By path, 2,000 at most. */
  files: z.array(MergedFile),
})
export type Differences = z.output<typeof Differences>

/** What is different on the live website since a copy was made of it, asked of its server now. */
export const LiveChanges = z.object({
  /** Of all that was looked at, as it is now: what a merge sends back as `seen`. */
  digest: z.string(),
  /** False: what it was then is not kept on the server any more. */
  known: z.boolean(),
  at: instant.nullable(),
  added: z.int(),
  changed: z.int(),
  gone: z.int(),
  /** 200 at most. */
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
  /** What a merge would do to its files. */
  differences: Differences,
  /** Every table that a merge could take, by live database. */
  choices: z.array(z.object({ databaseId: z.int(), database: z.string(), tables: z.array(z.string()) })),
})
export type LiveChanges = z.output<typeof LiveChanges>

export const HeldMail = z.object({
  total: z.int(),
  /** The newest 25. */
  items: z.array(z.object({ at: instant, bytes: z.number(), to: z.string(), subject: z.string() })),
})
export type HeldMail = z.output<typeof HeldMail>

const started = z.object({ data: Website, workflowId: z.int() })

/** What of a copy is taken. Default: all of it. */
const parts = {
  files: z.boolean().optional(),
  /** Files and folders below the website's own folder: these alone. What the copy has not is taken away. */
  paths: z.array(pathWithin).min(1).max(200).optional(),
  tables: z
    .union([
      z.enum(['all', 'none']),
      /** By live database. */
      z.array(z.object({ databaseId: id, tables: z.array(tableName).min(1).max(1000) })).max(50),
    ])
    .optional(),
}

export const stagings = {
  ofWebsite: get('/websites/:id/stagings', 'website:website:read', {
    summary: 'The staging copies of a website and what was merged from them; of a copy, itself',
    returns: z.object({ items: z.array(Staging), merges: z.array(Merge), total: z.int() }),
  }),
  create: post('/websites/:id/staging', 'website:staging:create', {
    summary: 'Copy a website with files, databases and configuration to a name of its own',
    body: {
      websiteId: id.optional(),
      websiteEnvironment: environment.optional(),
      /** Its owner. Default: that of the live website. */
      userId: id.optional(),
      /** Default: `staging-1.` and the live one's. */
      domain: domain.optional(),
    },
    returns: started,
  }),
  changes: get('/stagings/:id/changes', 'website:website:read', {
    summary: 'What changed on the live website since this copy of it was made',
    live: true,
    returns: LiveChanges,
  }),
  changesOf: post('/stagings/:id/changes', 'website:website:read', {
    summary: 'The same of what is to be taken alone',
    effect: 'read',
    live: true,
    body: parts,
    status: 200,
    returns: LiveChanges,
  }),
  heldMail: get('/stagings/:id/held-mail', 'website:website:read', {
    summary: 'What a staging copy mailed, which was held back',
    live: true,
    returns: HeldMail,
  }),
  merge: post('/stagings', 'website:staging:merge', {
    summary: 'The live website becomes what its staging copy is; what it was is kept',
    effect: 'stream', // the live website is looked at first, and nothing is held meanwhile
    live: true,
    body: {
      /** The staging copy. */
      websiteId: id,
      userId: id.optional(),
      ...parts,
      /**
       * The digest of the changes on the live website that somebody has seen, of the same parts. Without it, or where it is
       * another by now: 409 with them as `current`, unless there are none at all.
       */
      seen: z.string().max(100).optional(),
    },
    status: 202,
    returns: started,
  }),
  revert: post('/stagings/merges/:id/revert', 'website:staging:merge', {
    summary: 'The live website becomes what it was before a merge',
    status: 202,
    returns: started,
  }),
}
