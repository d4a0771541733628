import * as z from 'zod'
import { csv, del, filter, get, id, instant, listQuery, pageOf, patch, post, stored, version } from './kit.ts'
import { phpChange, phpParameters } from './phpParameters.ts'
import { webServer } from './servers.ts'
import { phpVersion } from './values.ts'
import { websiteStatus } from './websites.ts'
import { WorkflowWithActions } from './workflows.ts'

/** `php8.2`: a PHP that origin servers run. */
export const phpModuleName = z
  .string()
  .trim()
  .regex(/^php[5-9]\.\d{1,2}$/, 'A module such as php8.2')
export const moduleOf = (version: string): string => `php${version}`
export const versionOf = (module: string): string => module.slice('php'.length)

/** A file of a server, line by line: ` ` stays, `-` goes, `+` comes. */
export const FileDiff = z.object({ file: z.string(), lines: z.array(z.string()) })
export type FileDiff = z.output<typeof FileDiff>

/** How a website is served on its own server. Its id is the website's: there is no second copy of either. */
export const OriginVhost = z.object({
  ...stored,
  websiteId: z.int(),
  domain: z.string(),
  /** As people write it, where that is not the same. */
  unicode: z.string().nullable(),
  kind: z.enum(['main', 'sub', 'staging']),
  ownerName: z.string(),
  status: websiteStatus,
  serverId: z.int(),
  serverName: z.string(),
  /** What serves it there. */
  webServer,
  username: z.string(),
  documentRoot: z.string(),
  /** All that its server answers to for it. */
  names: z.array(z.string()),
  wildcard: z.boolean(),
  phpModule: z.string(),
  phpVersion: z.string(),
  /** What it has set; empty: as everywhere. */
  phpParameters,
  /** Has something of its own set. */
  own: z.boolean(),
  /** Why the last change was taken back; null once one has come out well. */
  problem: z.string().nullable(),
  /** What its server had when it was last compared; null: never. */
  seen: z.enum(['same', 'differs']).nullable(),
  seenAt: instant.nullable(),
  /** The workflow at work on the website, or the one that stopped. */
  workflowId: z.int().nullable(),
})
export type OriginVhost = z.output<typeof OriginVhost>

export const PhpModule = z.object({
  name: z.string(),
  phpVersion: z.string(),
  /** Where it runs, as their agents say. */
  servers: z.array(z.object({ id: z.int(), name: z.string() })),
  websites: z.int(),
  /** Named by somebody before it ran anywhere. */
  added: z.boolean(),
})
export type PhpModule = z.output<typeof PhpModule>

/** One of the allow-list, as forms show it. */
export const PhpParameter = z.object({
  name: z.string(),
  type: z.enum(['size', 'seconds', 'count', 'switch', 'zone']),
  min: z.int().nullable(),
  max: z.int().nullable(),
  /** null: its plan says. */
  default: z.union([z.number(), z.boolean(), z.string()]).nullable(),
  hint: z.string(),
})
export type PhpParameter = z.output<typeof PhpParameter>

const wish = { phpModule: phpModuleName.optional(), phpParameters: phpChange.optional() }
const started = z.object({ data: OriginVhost, workflowId: z.int().nullable() })
/** Websites that one change may go over. */
export const MOST_AT_ONCE = 200

export const originVhosts = {
  list: get('/origin-vhost/vhosts', 'vhost:origin:read', {
    summary: 'How websites are served on their own servers, with what each has set',
    query: {
      ...listQuery(['domain', 'createdAt', 'updatedAt']),
      search: filter(z.string().trim().max(253)),
      server: filter(csv(id)),
      webServer: filter(csv(webServer)),
      phpVersion: filter(csv(phpVersion)),
      own: filter(z.enum(['true', 'false'])),
      seen: filter(csv(z.enum(['same', 'differs']))),
    },
    returns: pageOf(OriginVhost),
  }),
  one: get('/origin-vhost/vhosts/:id', 'vhost:origin:read', { summary: 'One of them', returns: OriginVhost }),
  create: post('/origin-vhost/vhosts', 'vhost:origin:create', {
    summary: 'Give a website a PHP of its own: parameters, version, wildcard',
    body: { websiteId: id, ...wish, wildcard: z.boolean().optional() },
    returns: started,
  }),
  update: patch('/origin-vhost/vhosts/:id', 'vhost:origin:update', {
    summary: 'Change how a website is served',
    body: { ...wish, wildcard: z.boolean().optional(), version },
    status: [200, 202],
    returns: started,
  }),
  remove: del('/origin-vhost/vhosts/:id', 'vhost:origin:delete', {
    summary: 'Take what a website has set away: it is served as any other again',
    body: { version },
    status: 202,
    returns: started,
  }),
  php: patch('/origin-vhost/vhosts/:id/php', 'vhost:origin:php', {
    summary: 'PHP version and parameters of a website; a parameter that is null is as everywhere again',
    body: { ...wish, version },
    status: [200, 202],
    returns: started,
  }),
  phpOfMany: patch('/origin-vhost/php', 'vhost:origin:php', {
    summary: 'The same over many: one website goes first, and the others only when that one answers',
    body: {
      ids: z.array(id).min(1).max(MOST_AT_ONCE),
      ...wish,
      /** After the first it waits until somebody has it go on, or takes it back. */
      wait: z.boolean().optional(),
    },
    status: 202,
    /** `order`: the websites as they are gone through; `same`: those that were so already. */
    returns: z.object({ workflowId: z.int(), order: z.array(z.string()), same: z.int() }),
  }),
  wildcard: patch('/origin-vhost/vhosts/:id/wildcard', 'vhost:origin:wildcard', {
    summary: 'Whether a website answers to all names below its own',
    body: { wildcard: z.boolean(), version },
    status: [200, 202],
    returns: started,
  }),
  diff: post('/origin-vhost/vhosts/:id/diff', 'vhost:origin:read', {
    summary:
      'What a change would write on the server, asked of it now; without a wish, how it differs from what is wanted',
    effect: 'read',
    live: true,
    status: 200,
    body: wish,
    returns: z.object({ files: z.array(FileDiff), at: instant }),
  }),
  ofWebsite: get('/origin-vhost/vhosts/websites/:id', 'vhost:origin:read', {
    summary: 'Those of a website and of what belongs to it',
    returns: z.object({ items: z.array(OriginVhost), total: z.int() }),
  }),
  runs: get('/origin-vhost/vhosts/:id/runs', 'vhost:origin:read', {
    summary: 'Its changes that nobody dismissed, newest first',
    returns: z.object({ items: z.array(WorkflowWithActions), total: z.int() }),
  }),
  modules: get('/origin-vhost/php/modules', 'vhost:php-module:read', {
    summary: 'Every PHP that a website can have, with the servers that run it',
    returns: z.object({ items: z.array(PhpModule), total: z.int() }),
  }),
  addModule: post('/origin-vhost/php/modules', 'vhost:php-module:create', {
    summary: 'Name one more PHP, and install it on servers',
    body: { name: phpModuleName, servers: z.array(id).max(100).optional() },
    returns: z.object({ data: PhpModule, workflowIds: z.array(z.int()) }),
  }),
  parameters: get('/origin-vhost/php/config-parameters', 'vhost:php-module:read', {
    summary: 'What may be set in the PHP of a website, with ranges',
    returns: z.object({ items: z.array(PhpParameter), total: z.int() }),
  }),
  dismiss: del('/origin-vhost/logs/:id', 'vhost:logs:delete', {
    summary: 'Take an ended or stopped change off its vhost; the action log keeps it',
    status: 204,
  }),
}
