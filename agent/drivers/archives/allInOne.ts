import { domain as domainSchema } from '@innkeeper/contract/kit/values'
import * as z from 'zod'
import { emptyInventory, type Layout, noSecrets, phpIn, plainWebsite } from './layout.ts'
import type { Records } from './records.ts'

/** The placeholder of the plugin in the place of each prefix of a table. As a prefix it is a good one. */
const PREFIX = 'SERVMASK_PREFIX_'

/** What `package.json` says in an export of All-in-One WP Migration. */
const Package = z.object({
  SiteURL: z.string(),
  Plugin: z.object({ Version: z.string() }),
  WordPress: z.object({ Version: z.string() }),
  PHP: z.object({ Version: z.string() }).optional(),
  Encrypted: z.unknown().optional(),
  Compression: z.object({ Enabled: z.unknown() }).optional(),
})

/** The layout of an export of All-in-One WP Migration; undefined: it is none. */
export function allInOneLayout(
  records: Records,
  names: ReadonlyMap<string, number>,
  named: string | undefined,
): Layout | undefined {
  const text = records.get('package.json')
  const said = text === undefined ? undefined : Package.safeParse(jsonIn(text)).data
  if (!said) return undefined
  if (said.Encrypted || said.Compression?.Enabled)
    throw new Error(
      `All-in-One WP Migration has ${said.Encrypted ? 'encrypted' : 'compressed'} this export: export it again without that`,
    )
  const host = URL.canParse(said.SiteURL) ? new URL(said.SiteURL).hostname.replace(/^www\./, '') : ''
  const website = named ?? domainSchema.safeParse(host).data
  if (website === undefined)
    throw new Error('The archive does not say the name of its website: look again, and type the name')
  const inventory = emptyInventory('plain', 'imported')
  const site = plainWebsite(website.toLowerCase(), 'wp-content')
  site.phpVersion = phpIn(`php-${/^\d\.\d{1,2}/.exec(said.PHP?.Version ?? '')?.[0] ?? ''}`)
  inventory.websites.push(site)
  const layout: Layout = {
    ...{ inventory, secrets: noSecrets(), roots: { [site.domain]: [] } },
    rules: [
      ['', { kind: 'site', site: site.domain, to: 'public/wp-content' }],
      ['package.json', { kind: 'record' }],
    ],
  }
  const dumpBytes = names.get('database.sql')
  const wordpress = `WordPress ${said.WordPress.Version.slice(0, 20)} itself, with its configuration`
  inventory.others.push({
    ...{ what: wordpress, count: 1 },
    why: `the export has only wp-content and the database: put WordPress into the folder public, and write a wp-config.php with $table_prefix = '${PREFIX}'`,
  })
  if (dumpBytes === undefined) return layout
  const name = site.domain.replace(/[^a-z0-9]/g, '_').slice(0, 30)
  layout.rules.push(['database.sql', { kind: 'dump', database: name }])
  site.mentions.push(name)
  inventory.databases.push({
    ...{ name, engine: 'mysql', charset: null, dumpBytes, suspended: false },
    users: [{ name, hash: 'none' }],
  })
  return layout
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // a package.json of something else
  }
}
