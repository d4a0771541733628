import * as z from 'zod'
import { phpParameters } from '../hosting/phpParameters.ts'
import { address, domain, phpVersion, servedName, sitePath, username } from '../kit/values.ts'
import { application } from '../net/originVhosts/applications.ts'
import { MOST_RULES } from '../net/ownRules/problems.ts'
import { keepDays, sha256, taken, websiteId } from './shapes.ts'

/**
 * A file in the folder of a website, and its sha256 when it was shown. The path cannot leave the folder or contain a
 * line break.
 */
export const seenFile = z.object({
  within: z.string().regex(/^(?!\/)(?!(?:.*\/)?\.\.?(?:\/|$))[^\p{C}\p{Zl}\p{Zp}]{1,400}$/su),
  sha256,
})

/**
 * Names of a website beside its domain: `aliases` serve the website, `redirects` answer 301 to its domain. `noindex`
 * asks search engines not to index the website.
 */
const names = {
  aliases: z.array(servedName).max(300),
  redirects: z.array(servedName).max(300).optional(),
  noindex: z.boolean().optional(),
}

/**
 * How a website answers: `active` with its own pages; `suspended`, `maintenance` and `moving` with 503 and a page;
 * `moved` with the answer of its new server, to which this server passes requests on.
 */
const siteState = z.enum(['active', 'suspended', 'maintenance', 'moving', 'moved'])

/** The website's own PHP pool, and the largest request body in MiB. Absent: the pool of the account, 64 MiB. */
const own = z.object({ pool: websiteId, bodyMb: z.int().min(1).max(2048) })
/** `website`: the pool belongs to this website alone, beside the pool of its account. */
const pool = { username, phpVersion, website: websiteId.optional() }

/**
 * How the web server finds a page: the rules of an application, and rules of staff in the words of the web server, which
 * the agent checks again. Absent: whatever is no file goes to index.php.
 */
const rules = z.object({ application, ownRules: z.string().max(MOST_RULES) })

/** Configuration of a PHP pool. */
export const poolShape = z.object({
  ...pool,
  /** `hold`: mail that the account sends is stored in a folder and never delivered. Absent: `send`. */
  mail: z.enum(['send', 'hold']).optional(),
  maxChildren: z.int().min(1).max(256),
  memoryLimitMb: z.int().min(16).max(16_384),
  /** PHP parameters that people set for the website. */
  parameters: phpParameters.optional(),
})
export const poolKey = z.object(pool)

/** Configuration of the site of a website, the same for nginx and Apache. */
export const siteShape = z.object({
  domain,
  ...names,
  root: sitePath,
  username,
  phpVersion,
  own: own.optional(),
  rules: rules.optional(),
  state: siteState,
  /** Address of the server to which the website moved. Required if `state` or `before` is `moved`. */
  movedTo: address.optional(),
})

const siteEnsure = siteShape.extend({
  /** The state that undo restores. Absent: the site did not exist before. */
  before: siteState.optional(),
  /** The PHP version that undo restores. Absent: unchanged. */
  beforePhp: phpVersion.optional(),
  /** The pool that undo restores; null: none of its own. Absent: unchanged. */
  beforeOwn: own.nullable().optional(),
  /** The rules that undo restores; null: the usual ones. Absent: unchanged. */
  beforeRules: rules.nullable().optional(),
  /** The names and, in `beforeRoot`, the folder that undo restores. Absent: unchanged. */
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
  rules: rules.optional(),
  state: siteState,
  /** Address of the server to which the website moved. Required if `state` is `moved`. */
  movedTo: address.optional(),
  from: domain,
  beforeNames: z.object(names),
  beforeRoot: sitePath,
  /** The state under the former name, if it differs: undo restores it. */
  beforeState: siteState.optional(),
})
const siteRemove = z.object({
  domain,
  username,
  root: sitePath,
  phpVersion,
  own: own.optional(),
  rules: rules.optional(),
  ...names,
  /** The new server of a moved website, so that undo can pass requests on to it again. */
  movedTo: address.optional(),
  keepDays,
})

/** Operations on the folder, the PHP pools and the site of a website. */
export const websitesOperations = {
  'document-root.ensure': z.object({ username, path: sitePath, domain }),
  /** Moves the folder into the trash of the server. Undo moves it back. */
  'document-root.remove': z.object({ username, path: sitePath, domain, keepDays }),
  'document-root.restore': z.object({ username, path: sitePath, domain, taken, keepDays }),
  /** Renames the folder after the new domain. A symlink keeps the old path until `document-root.unlink`. */
  'document-root.rename': z.object({ username, path: sitePath, domain, newDomain: domain }),
  /** Creates the symlink of a former name on the server that the website moved to: from the folder of `domain` to that of `to`. */
  'document-root.link': z.object({ username, path: sitePath, domain, to: domain }),
  /**
   * `closed`: only root may enter the folder of the website, on the server that the website moved away from. Other uses
   * of the account fail there instead of writing what nobody reads. `open`: the account may write again. Undo restores
   * the former owner and mode.
   */
  'document-root.close': z.object({ username, path: sitePath, domain, state: z.enum(['closed', 'open']) }),
  /** Removes the symlink that `document-root.rename` left. */
  'document-root.unlink': z.object({ username, path: sitePath, domain }),
  /**
   * Replaces `from` by `to` in files whose sha256 still matches. Undo writes back the files that nobody changed since.
   */
  'website-files.replace': z.object({
    username,
    path: sitePath,
    from: domain,
    to: domain,
    files: z.array(seenFile).max(200),
  }),
  'php-pool.ensure': poolShape,
  'php-pool.remove': poolKey,
  /**
   * Reloads php-fpm of an account, which drops its opcache and APCu: they may hold code of files that were replaced.
   */
  'php-pool.renew': z.object({
    username,
    /** Does nothing now; undo reloads, after the files were restored. */
    back: z.literal(true).optional(),
  }),
  'nginx-site.ensure': siteEnsure,
  /** Serves the website under its new domain instead of `from`. The logs are renamed too. */
  'nginx-site.rename': siteRename,
  'nginx-site.remove': siteRemove,
  'apache-site.ensure': siteEnsure,
  'apache-site.rename': siteRename,
  'apache-site.remove': siteRemove,
  /** Restores the logs of a website from the trash. */
  'website-logs.restore': z.object({ domain, taken, keepDays }),
  /** Deletes the files that these actions moved into the trash. */
  'trash.purge': z.object({ taken }),
  /** Finds text files that contain a name, and answers what a replacement would change. Writes nothing. */
  'website-files.search': z.object({ username, path: sitePath, from: domain, to: domain }),
  /** Answers the application that lies in each folder; null: none that is known. */
  'website-applications.find': z.object({
    sites: z.array(z.object({ id: websiteId, username, path: sitePath })).max(200),
  }),
  /** Reads host and path of each website of the WordPress network in a folder. */
  'website-network.find': z.object({ username, path: sitePath }),
  /** Answers what the web server says against the rules of a website; null: nothing. Changes nothing. */
  'site-rules.check': siteShape,
  /** Answers the last lines of a website's own log. */
  'website.log-lines': z.object({ domain, kind: z.enum(['access', 'error']), lines: z.int().min(1).max(500) }),
} as const
