import * as z from 'zod'
import { phpParameters } from '../../hosting/phpParameters.ts'
import { websiteStatus } from '../../hosting/websites.ts'
import { instant, stored } from '../../kit/endpoint.ts'
import { webServer } from '../../machines/servers/shapes.ts'
import { application } from './applications.ts'

/** A PHP module of origin servers: `php8.2`. */
export const phpModuleName = z
  .string()
  .trim()
  .regex(/^php[5-9]\.\d{1,2}$/, 'A module such as php8.2')
export const moduleOf = (version: string): string => `php${version}`
export const versionOf = (module: string): string => module.slice('php'.length)
/** A diff of a file on a server. Marks: ` ` unchanged, `-` removed, `+` added. */
export const FileDiff = z.object({ file: z.string(), lines: z.array(z.string()) })
export type FileDiff = z.output<typeof FileDiff>
/** A website as its origin server serves it. The id is the id of the website. */
export const OriginVhost = z.object({
  ...stored,
  websiteId: z.int(),
  domain: z.string(),
  /** The domain in its own letters, if different. */
  unicode: z.string().nullable(),
  kind: z.enum(['main', 'sub', 'staging']),
  ownerName: z.string(),
  status: websiteStatus,
  serverId: z.int(),
  serverName: z.string(),
  /** Web server of the origin server. */
  webServer,
  username: z.string(),
  documentRoot: z.string(),
  /** All names that the server answers for the website. */
  names: z.array(z.string()),
  wildcard: z.boolean(),
  phpModule: z.string(),
  phpVersion: z.string(),
  /** PHP parameters of the website; empty: defaults. */
  phpParameters,
  /** True: the website has parameters of its own. */
  own: z.boolean(),
  /** The application whose rules are served, and who named it: what lies in the folder, people, or nobody. */
  application,
  applicationBy: z.enum(['found', 'chosen', 'usual']),
  /** True: the website has rules of staff. */
  ownRules: z.boolean(),
  /** Why the last change was undone; null after a successful change. */
  problem: z.string().nullable(),
  /** Result of the last comparison with the server; null: never compared. */
  seen: z.enum(['same', 'differs']).nullable(),
  seenAt: instant.nullable(),
  /** The running or failed workflow of the website. */
  workflowId: z.int().nullable(),
})
export type OriginVhost = z.output<typeof OriginVhost>

/** A version of the own rules of a website. */
export const RulesVersion = z.object({
  number: z.int(),
  nginx: z.string(),
  apache: z.string(),
  note: z.string(),
  staffName: z.string(),
  at: instant,
})
export type RulesVersion = z.output<typeof RulesVersion>
/** The rules of a website: the application, and what staff wrote, newest version first. */
export const WebsiteRules = z.object({
  /** The application that people chose; null: the one that is found. */
  chosen: application.nullable(),
  /** The application that was found in the folder; null: none that is known. */
  found: application.nullable(),
  /** The number of the served version; null: no own rules. */
  current: z.int().nullable(),
  nginx: z.string(),
  apache: z.string(),
  versions: z.array(RulesVersion),
  total: z.int(),
})
export type WebsiteRules = z.output<typeof WebsiteRules>

export const PhpModule = z.object({
  name: z.string(),
  phpVersion: z.string(),
  /** Servers whose agents report this version. */
  servers: z.array(z.object({ id: z.int(), name: z.string() })),
  websites: z.int(),
  /** True: a person added the version before any server ran it. */
  added: z.boolean(),
})
export type PhpModule = z.output<typeof PhpModule>
/** A parameter of the allow-list, for forms. */
export const PhpParameter = z.object({
  name: z.string(),
  type: z.enum(['size', 'seconds', 'count', 'switch', 'zone']),
  min: z.int().nullable(),
  max: z.int().nullable(),
  /** Default value; null: the plan decides. */
  default: z.union([z.number(), z.boolean(), z.string()]).nullable(),
  hint: z.string(),
})
export type PhpParameter = z.output<typeof PhpParameter>
