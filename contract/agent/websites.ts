import * as z from 'zod'
import { phpParameters } from '../phpParameters.ts'
import { address, domain, phpVersion, servedName, sitePath, username } from '../values.ts'
import { keepDays, sha256, taken, websiteId } from './shapes.ts'

/** A file below a website's folder and what it held when it was seen. No name leaves the folder or has a line break. */
export const seenFile = z.object({
  within: z.string().regex(/^(?!\/)(?!(?:.*\/)?\.\.?(?:\/|$))[^\p{C}\p{Zl}\p{Zp}]{1,400}$/su),
  sha256,
})

/**
 * What a website answers to beside its own name: `aliases` as itself, `redirects` with a 301 to its own name.
 * `noindex`: search engines are told to stay away.
 */
const names = {
  aliases: z.array(servedName).max(300),
  redirects: z.array(servedName).max(300).optional(),
  noindex: z.boolean().optional(),
}

/** What a website answers: itself; 503 with a page; `moved`: what another server of ours answers, asked by this one. */
const siteState = z.enum(['active', 'suspended', 'maintenance', 'moving', 'moved'])

/** A PHP pool of a website's own, and MiB that a visitor may send to it. Absent: the pool of its account, 64 MiB. */
const own = z.object({ pool: websiteId, bodyMb: z.int().min(1).max(2048) })
/** `website`: the pool is that one's own, beside the one of its account. */
const pool = { username, phpVersion, website: websiteId.optional() }

/** What a pool of PHP is made from. */
export const poolShape = z.object({
  ...pool,
  /** `hold`: what its account mails stays in a folder of its own, and goes to no other server. Absent: it goes out. */
  mail: z.enum(['send', 'hold']).optional(),
  maxChildren: z.int().min(1).max(256),
  memoryLimitMb: z.int().min(16).max(16_384),
  /** What the website has set. */
  parameters: phpParameters.optional(),
})
export const poolKey = z.object(pool)

/** What the site of a website is made from, in nginx and in Apache alike. */
export const siteShape = z.object({
  domain,
  ...names,
  root: sitePath,
  username,
  phpVersion,
  own: own.optional(),
  state: siteState,
  /** Of the server that a website has moved to: needed where `state` or `before` is `moved`. */
  movedTo: address.optional(),
})

const siteEnsure = siteShape.extend({
  /** What undo returns to; absent: the site was not there before. */
  before: siteState.optional(),
  /** And with which PHP; absent: the same. */
  beforePhp: phpVersion.optional(),
  /** And with what of its own, null: nothing; absent: the same. */
  beforeOwn: own.nullable().optional(),
  /** And under which names, in which folder; absent: the same. */
  beforeNames: z.object(names).optional(),
  beforeRoot: sitePath.optional(),
})
const siteRename = z.object({
  domain,
  ...names,
  root: sitePath,
  username,
  phpVersion,
  own: own.optional(),
  state: siteState,
  from: domain,
  beforeNames: z.object(names),
  beforeRoot: sitePath,
})
const siteRemove = z.object({
  domain,
  username,
  root: sitePath,
  phpVersion,
  own: own.optional(),
  ...names,
  /** Where it hands on to, so that undo can have it do so again. */
  movedTo: address.optional(),
  keepDays,
})

/** The folder, the PHP and the site of a website. */
export const websitesOperations = {
  'document-root.ensure': z.object({ username, path: sitePath, domain }),
  /** Moved aside into a trash of the server, from where undo brings it back. */
  'document-root.remove': z.object({ username, path: sitePath, domain, keepDays }),
  'document-root.restore': z.object({ username, path: sitePath, domain, taken, keepDays }),
  /** The website's folder gets the name of its new domain, and the old one leads there until it is unlinked. */
  'document-root.rename': z.object({ username, path: sitePath, domain, newDomain: domain }),
  /** The way from an old folder's name to the new one ends. */
  'document-root.unlink': z.object({ username, path: sitePath, domain }),
  /** `from` is written as `to` in these files, each as it was seen; undo writes them back where nobody changed them since. */
  'website-files.replace': z.object({
    username,
    path: sitePath,
    from: domain,
    to: domain,
    files: z.array(seenFile).max(200),
  }),
  'php-pool.ensure': poolShape,
  'php-pool.remove': poolKey,
  /** All PHP of an account begins anew: nothing that it has compiled, or keeps in memory, outlives the files that it came from. */
  'php-pool.renew': z.object({
    username,
    /** Not now but when this is taken back: then they are the files of before. */
    back: z.literal(true).optional(),
  }),
  'nginx-site.ensure': siteEnsure,
  /** Served under its own name from now on, and no more under `from`; its logs go along. */
  'nginx-site.rename': siteRename,
  'nginx-site.remove': siteRemove,
  'apache-site.ensure': siteEnsure,
  'apache-site.rename': siteRename,
  'apache-site.remove': siteRemove,
  /** The logs of a website, out of the trash. */
  'website-logs.restore': z.object({ domain, taken, keepDays }),
  /** What these actions took into the trash goes for good. */
  'trash.purge': z.object({ taken }),
  /** Text files of a website that contain a name: what writing another one there would make of them. Looks and changes nothing. */
  'website-files.search': z.object({ username, path: sitePath, from: domain, to: domain }),
  /** The last lines of a website's own logs. */
  'website.log-lines': z.object({ domain, kind: z.enum(['access', 'error']), lines: z.int().min(1).max(500) }),
} as const
