import * as z from 'zod'
import { seenFile } from '../../agent/websites.ts'
import { filter, get, id, instant, patch, post, version } from '../../kit/endpoint.ts'
import { domain, servedName } from '../../kit/values.ts'
import { environment, PlannedAction, Website } from '../websites.ts'
import { aliasMode, NamedFile, Relative, Renaming, SiteName } from './shapes.ts'

const common = {
  /** Confirmation: the website that the alias belongs to. */
  websiteId: id.optional(),
  /** Confirmation: the owner of the website. */
  userId: id.optional(),
  websiteEnvironment: environment.optional(),
  excludeActions: z.array(z.string().max(64)).max(50).optional(),
}
/** A folder in the root of the parent website: `blog`, `shop/en`. */
const folder = z
  .string()
  .trim()
  .regex(/^(?:(?!\.)[A-Za-z0-9._-]{1,64}(?:\/(?!\.)[A-Za-z0-9._-]{1,64}){0,3})?$/, 'Folders such as blog or shop/en')

const wantedAlias = { domain: servedName, mode: aliasMode.optional() }
const wantedSub = {
  domain,
  /** `own`: a folder of its own. `parent`: the root of the parent website, or `folder` in that root. */
  root: z.enum(['own', 'parent']).optional(),
  folder: folder.optional(),
}
/** Days for which the old name answers 301; 0: none. Default 90. */
const keepDays = z.int().min(0).max(3650)
/** Sub-websites and aliases below the old name that are renamed as well. */
const also = z.array(id).max(100)
/** True: the rename also replaces the old name in the databases of the website. */
const inDatabases = z.boolean().optional()
/** Files from `renameFiles` in which the new name replaces the old one. */
const chosenFiles = z.array(seenFile).max(200)
const half = { domain: z.string().max(253).optional() }
const preview = z.object({ actions: z.array(PlannedAction), problems: z.record(z.string(), z.string()) })

export const names = {
  ofWebsite: get('/websites/:id/names', 'website:website:read', {
    summary: 'All names of a website: domain, aliases, former names, sub-websites and staging copies',
    returns: z.object({ items: z.array(SiteName), total: z.int() }),
  }),
  addAlias: post('/websites/:id/alias', 'website:alias:create', {
    summary: 'Add an alias, or a wildcard such as *.example.org',
    body: { ...common, ...wantedAlias },
    returns: z.object({ data: Website, workflowId: z.int() }),
  }),
  planAlias: post('/websites/:id/alias/plan', 'website:alias:create', {
    summary: 'Preview an alias: actions and problems',
    effect: 'read',
    status: 200,
    body: { ...half, mode: aliasMode.optional() },
    returns: preview,
  }),
  setAlias: patch('/websites/:id/alias', 'website:alias:create', {
    summary: 'Change whether an alias serves or redirects',
    body: { mode: aliasMode, version },
    status: 202,
    returns: z.object({ data: Website, workflowId: z.int() }),
  }),
  addSubwebsite: post('/websites/:id/subwebsite', 'website:subwebsite:create', {
    summary: 'Create a sub-website in the account of a website, with its own or a shared root',
    body: { ...common, ...wantedSub },
    returns: z.object({ data: Website, workflowId: z.int() }),
  }),
  planSubwebsite: post('/websites/:id/subwebsite/plan', 'website:subwebsite:create', {
    summary: 'Preview a sub-website: actions and problems',
    effect: 'read',
    status: 200,
    body: { ...half, root: z.enum(['own', 'parent']).optional(), folder: z.string().max(300).optional() },
    returns: preview.extend({ documentRoot: z.string().nullable() }),
  }),
  planRename: post('/websites/:id/rename/plan', 'website:website:rename', {
    summary: 'Preview a rename: affected objects and actions',
    effect: 'read',
    status: 200,
    body: {
      newDomain: z.string().max(253).optional(),
      keepDays: keepDays.optional(),
      also: also.optional(),
      files: chosenFiles.optional(),
      databases: inDatabases,
    },
    returns: preview.extend({
      changes: z.array(Renaming),
      relatives: z.array(Relative),
      /** For a network of WordPress: databases are changed in any case, and so are these relatives. */
      network: z.object({ also: z.array(z.int()) }).nullable(),
    }),
  }),
  renameFiles: get('/websites/:id/rename/files', 'website:website:rename', {
    summary: 'Configuration files that contain the domain, with the lines that a rename would change',
    live: true,
    query: { newDomain: filter(domain) },
    returns: z.object({ files: z.array(NamedFile), searched: z.int(), more: z.boolean(), at: instant }),
  }),
  rename: patch('/websites/:id/rename', 'website:website:rename', {
    summary: 'Rename a website; the old name answers 301 for a time',
    body: {
      newDomain: domain,
      excludeActions: common.excludeActions,
      keepDays: keepDays.optional(),
      also: also.optional(),
      files: chosenFiles.optional(),
      databases: inDatabases,
      version,
    },
    status: 202,
    returns: z.object({ data: Website, workflowId: z.int() }),
  }),
}
