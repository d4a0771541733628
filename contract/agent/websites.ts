import * as z from 'zod'
import { address, domain, phpVersion, servedName, sitePath, username } from '../values.ts'
import { keepDays, sha256, taken } from './shapes.ts'

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

/** The folder, the PHP and the nginx site of a website. */
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
  'php-pool.ensure': z.object({
    username,
    phpVersion,
    /** `hold`: what PHP mails stays in a folder of the account. Absent: it goes out. */
    mail: z.enum(['send', 'hold']).optional(),
    maxChildren: z.int().min(1).max(256),
    memoryLimitMb: z.int().min(16).max(16_384),
  }),
  'php-pool.remove': z.object({ username, phpVersion }),
  'nginx-site.ensure': z.object({
    domain,
    ...names,
    root: sitePath,
    username,
    phpVersion,
    state: siteState,
    /** What undo returns to; absent: the site was not there before. */
    before: siteState.optional(),
    /** Of the server that a website has moved to: needed where `state` or `before` is `moved`. */
    movedTo: address.optional(),
    /** And with which PHP; absent: the same. */
    beforePhp: phpVersion.optional(),
    /** And under which names, in which folder; absent: the same. */
    beforeNames: z.object(names).optional(),
    beforeRoot: sitePath.optional(),
  }),
  /** Served under its own name from now on, and no more under `from`; its logs go along. */
  'nginx-site.rename': z.object({
    domain,
    ...names,
    root: sitePath,
    username,
    phpVersion,
    state: siteState,
    from: domain,
    beforeNames: z.object(names),
    beforeRoot: sitePath,
  }),
  'nginx-site.remove': z.object({
    domain,
    username,
    root: sitePath,
    phpVersion,
    ...names,
    /** Where it hands on to, so that undo can have it do so again. */
    movedTo: address.optional(),
    keepDays,
  }),
  /** The logs of a website, out of the trash. */
  'website-logs.restore': z.object({ domain, taken, keepDays }),
  /** What these actions took into the trash goes for good. */
  'trash.purge': z.object({ taken }),
  /** Text files of a website that contain a name: what writing another one there would make of them. Looks and changes nothing. */
  'website-files.search': z.object({ username, path: sitePath, from: domain, to: domain }),
  /** The last lines of a website's own logs. */
  'website.log-lines': z.object({ domain, kind: z.enum(['access', 'error']), lines: z.int().min(1).max(500) }),
} as const
