import * as z from 'zod'
import { seenFile } from './agent/websites.ts'
import { filter, get, id, instant, patch, post, version } from './kit.ts'
import { domain, servedName } from './values.ts'
import { environment, PlannedAction, Website } from './websites.ts'

/** `serve`: as the website itself. `redirect`: 301 to its own name, path and query kept. */
export const aliasMode = z.enum(['serve', 'redirect'])

/** A name that a website answers to, or that belongs to it. */
export const SiteName = z.object({
  /** None of a `www.` that came with its name. */
  websiteId: z.int().nullable(),
  name: z.string(),
  /** As people write it, where that is not the same: `blåbær.example` of `xn--blbr-roah.example`. */
  unicode: z.string().nullable(),
  kind: z.enum(['own', 'www', 'alias', 'old', 'sub', 'staging']),
  /** How an alias, a former name or its `www.` answers. */
  mode: aliasMode.nullable(),
  /** Of a former name: then it ends by itself. */
  until: instant.nullable(),
  status: z.string(),
  documentRoot: z.string().nullable(),
  version,
  workflowId: z.int().nullable(),
})
export type SiteName = z.output<typeof SiteName>

/** What a rename makes of one thing; null: it keeps its name. */
export const Renaming = z.object({
  title: z.string(),
  where: z.string(),
  before: z.string(),
  after: z.string().nullable(),
})
export type Renaming = z.output<typeof Renaming>

/** A sub-website or alias under the name that goes, with what it would be called. */
export const Relative = z.object({
  id: z.int(),
  kind: z.enum(['sub', 'staging', 'alias']),
  domain: z.string(),
  newDomain: z.string(),
})
export type Relative = z.output<typeof Relative>

/** A text file of a website with the lines that another name would change. */
export const NamedFile = seenFile.extend({
  count: z.int(),
  lines: z.array(z.object({ line: z.int(), before: z.string(), after: z.string() })),
})
export type NamedFile = z.output<typeof NamedFile>

const common = {
  /** The website that it belongs to, again. */
  websiteId: id.optional(),
  /** Its owner, again. */
  userId: id.optional(),
  websiteEnvironment: environment.optional(),
  excludeActions: z.array(z.string().max(64)).max(50).optional(),
}
/** A folder of the other website's root: `blog`, `shop/en`. */
const folder = z
  .string()
  .trim()
  .regex(/^(?:(?!\.)[A-Za-z0-9._-]{1,64}(?:\/(?!\.)[A-Za-z0-9._-]{1,64}){0,3})?$/, 'Folders such as blog or shop/en')

const aliasWish = { domain: servedName, mode: aliasMode.optional() }
const subWish = {
  domain,
  /** `own`: a folder of its own. `parent`: the root of the website that it belongs to, or `folder` of that. */
  root: z.enum(['own', 'parent']).optional(),
  folder: folder.optional(),
}
/** Days that the name before answers 301; 0: not at all. Default 90. */
const keepDays = z.int().min(0).max(3650)
/** Sub-websites and aliases under the old name that are renamed too. */
const also = z.array(id).max(100)
/** Of what `renameFiles` showed, the files that are to say the new name. */
const chosenFiles = z.array(seenFile).max(200)
const half = { domain: z.string().max(253).optional() }
const preview = z.object({ actions: z.array(PlannedAction), problems: z.record(z.string(), z.string()) })

export const names = {
  ofWebsite: get('/websites/:id/names', 'website:website:read', {
    summary: 'All names of a website: its own, its aliases, former names, sub-websites and staging copies',
    returns: z.object({ items: z.array(SiteName), total: z.int() }),
  }),
  addAlias: post('/websites/:id/alias', 'website:alias:create', {
    summary: 'A further name of a website, or by *.example.org all names below one',
    body: { ...common, ...aliasWish },
    returns: z.object({ data: Website, workflowId: z.int() }),
  }),
  planAlias: post('/websites/:id/alias/plan', 'website:alias:create', {
    summary: 'What adding an alias would run, and what is wrong with it; nothing is written',
    effect: 'read',
    status: 200,
    body: { ...half, mode: aliasMode.optional() },
    returns: preview,
  }),
  setAlias: patch('/websites/:id/alias', 'website:alias:create', {
    summary: 'An alias is served as its website, or sent on to it',
    body: { mode: aliasMode, version },
    status: 202,
    returns: z.object({ data: Website, workflowId: z.int() }),
  }),
  addSubwebsite: post('/websites/:id/subwebsite', 'website:subwebsite:create', {
    summary: 'A sub-website on the server and account of a website, with its root or one of its own',
    body: { ...common, ...subWish },
    returns: z.object({ data: Website, workflowId: z.int() }),
  }),
  planSubwebsite: post('/websites/:id/subwebsite/plan', 'website:subwebsite:create', {
    summary: 'What creating a sub-website would run, and what is wrong with it; nothing is written',
    effect: 'read',
    status: 200,
    body: { ...half, root: z.enum(['own', 'parent']).optional(), folder: z.string().max(300).optional() },
    returns: preview.extend({ documentRoot: z.string().nullable() }),
  }),
  planRename: post('/websites/:id/rename/plan', 'website:website:rename', {
    summary: 'All that a rename touches, before and after, and what it would run; nothing is written',
    effect: 'read',
    status: 200,
    body: {
      newDomain: z.string().max(253).optional(),
      keepDays: keepDays.optional(),
      also: also.optional(),
      files: chosenFiles.optional(),
    },
    returns: preview.extend({ changes: z.array(Renaming), relatives: z.array(Relative) }),
  }),
  renameFiles: get('/websites/:id/rename/files', 'website:website:rename', {
    summary: 'Configuration files of a website that contain its name, with the lines that a rename would change',
    live: true,
    query: { newDomain: filter(domain) },
    returns: z.object({ files: z.array(NamedFile), searched: z.int(), more: z.boolean(), at: instant }),
  }),
  rename: patch('/websites/:id/rename', 'website:website:rename', {
    summary: 'Another name for a website; the old one answers 301 for a while',
    body: {
      newDomain: domain,
      excludeActions: common.excludeActions,
      keepDays: keepDays.optional(),
      also: also.optional(),
      files: chosenFiles.optional(),
      version,
    },
    status: 202,
    returns: z.object({ data: Website, workflowId: z.int() }),
  }),
}
