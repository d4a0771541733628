import * as z from 'zod'
import { get, id, post } from '../../kit/endpoint.ts'
import { domain, pathWithin, tableName } from '../../kit/values.ts'
import { environment, Website } from '../websites.ts'
import { HeldMail, LiveChanges, Merge, Staging } from './shapes.ts'

const started = z.object({ data: Website, workflowId: z.int() })

/** Parts of a copy to merge. Default: everything. */
const parts = {
  files: z.boolean().optional(),
  /** Only these files and folders of the website. Paths that the copy lacks are deleted. */
  paths: z.array(pathWithin).min(1).max(200).optional(),
  tables: z
    .union([
      z.enum(['all', 'none']),
      /** Per live database. */
      z.array(z.object({ databaseId: id, tables: z.array(tableName).min(1).max(1000) })).max(50),
    ])
    .optional(),
}

export const stagings = {
  ofWebsite: get('/websites/:id/stagings', 'website:website:read', {
    summary: 'Staging copies of a website and their merges; for a copy, the copy itself',
    returns: z.object({ items: z.array(Staging), merges: z.array(Merge), total: z.int() }),
  }),
  create: post('/websites/:id/staging', 'website:staging:create', {
    summary: 'Create a staging copy with files, databases and configuration',
    body: {
      websiteId: id.optional(),
      websiteEnvironment: environment.optional(),
      /** Owner of the copy. Default: the owner of the live website. */
      userId: id.optional(),
      /** Default: `staging-1.` and the domain of the live website. */
      domain: domain.optional(),
    },
    returns: started,
  }),
  changes: get('/stagings/:id/changes', 'website:website:read', {
    summary: 'Changes on the live website since the copy was made',
    live: true,
    returns: LiveChanges,
  }),
  changesOf: post('/stagings/:id/changes', 'website:website:read', {
    summary: 'Changes on the live website, limited to the parts to merge',
    effect: 'read',
    live: true,
    body: parts,
    status: 200,
    returns: LiveChanges,
  }),
  heldMail: get('/stagings/:id/held-mail', 'website:website:read', {
    summary: 'Captured mail of a staging copy',
    live: true,
    returns: HeldMail,
  }),
  merge: post('/stagings', 'website:staging:merge', {
    summary: 'Merge a staging copy into the live website, keeping the previous state',
    effect: 'stream', // reads the live website first, outside a transaction
    live: true,
    body: {
      /** Website id of the staging copy. */
      websiteId: id,
      userId: id.optional(),
      ...parts,
      /**
       * Digest of the changes on the live website that a person has seen, for the same parts. A missing or outdated
       * digest answers 409 with the changes as `current`, unless there are none.
       */
      seen: z.string().max(100).optional(),
    },
    status: 202,
    returns: started,
  }),
  revert: post('/stagings/merges/:id/revert', 'website:staging:merge', {
    summary: 'Restore the live website from before a merge',
    status: 202,
    returns: started,
  }),
}
