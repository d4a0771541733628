import * as z from 'zod'
import { seenFile } from '../../agent/websites.ts'
import { instant, version } from '../../kit/endpoint.ts'

/** `serve`: answers as the website. `redirect`: 301 to the domain of the website with path and query. */
export const aliasMode = z.enum(['serve', 'redirect'])
/** A name of a website. */
export const SiteName = z.object({
  /** Absent for the `www.` that accompanies a name. */
  websiteId: z.int().nullable(),
  name: z.string(),
  /** The name in its own letters, if different: `blåbær.example` for `xn--blbr-roah.example`. */
  unicode: z.string().nullable(),
  kind: z.enum(['own', 'www', 'alias', 'old', 'sub', 'staging']),
  /** How an alias, a former name or its `www.` answers. */
  mode: aliasMode.nullable(),
  /** For a former name: when it is removed. */
  until: instant.nullable(),
  status: z.string(),
  documentRoot: z.string().nullable(),
  version,
  workflowId: z.int().nullable(),
})
export type SiteName = z.output<typeof SiteName>
/** An object and its new name in a rename; null: the name stays. */
export const Renaming = z.object({
  title: z.string(),
  where: z.string(),
  before: z.string(),
  after: z.string().nullable(),
})
export type Renaming = z.output<typeof Renaming>
/** A sub-website or alias below the old name, with its new name. */
export const Relative = z.object({
  id: z.int(),
  kind: z.enum(['sub', 'staging', 'alias']),
  domain: z.string(),
  newDomain: z.string(),
})
export type Relative = z.output<typeof Relative>
/** A text file of a website and the lines that a rename would change. */
export const NamedFile = seenFile.extend({
  count: z.int(),
  lines: z.array(z.object({ line: z.int(), before: z.string(), after: z.string() })),
})
export type NamedFile = z.output<typeof NamedFile>
