import { domain as domainSchema } from '@innkeeper/contract/kit/values'
import { type Credentials, credentialsIn, nativeHash } from './credentials.ts'
import { formOf } from './hashes.ts'
import { emptyInventory, type Layout, noSecrets, plainWebsite } from './layout.ts'
import type { Records } from './records.ts'

/** Names under which people keep the folder that a web server shows. */
const shown = ['public_html', 'htdocs', 'httpdocs', 'public', 'web', 'www', 'html', 'webroot']
export const dumpIn = /(?:^|\/)([^/]{1,100})\.sql(?:\.gz|\.zst)?$/

const isDomain = (name: string) => /[a-z]/i.test(name) && domainSchema.safeParse(name).success

/**
 * An archive of a folder with a dump. A folder with a domain for its name is a website; otherwise the whole is the website
 * of `named`. Configuration files of known applications say which user a database has.
 */
export function plainLayout(
  records: Records,
  names: ReadonlyMap<string, number>,
  folders: ReadonlySet<string>,
  named: string | undefined,
): Layout {
  const top = topOf(folders, names)
  const inventory = emptyInventory('plain', 'imported')
  const layout: Layout = { inventory, secrets: noSecrets(), rules: [], roots: {} }
  const below = [...folders].filter((one) => one.startsWith(top)).map((one) => one.slice(top.length))
  const own = below.filter((one) => one && !one.includes('/') && isDomain(one))
  const sites = own.length
    ? own.map((name) => ({ name, at: `${top}${name}/` }))
    : named
      ? [{ name: named, at: top }]
      : []
  if (!sites.length) throw new Error('The archive does not say the name of its website: look again, and type the name')
  for (const { name, at } of sites) {
    const pages = shown.find((one) => folders.has(`${at}${one}`))
    const site = plainWebsite(name.toLowerCase(), `${at}${pages ?? ''}`)
    const rule = (to: string) => ({ kind: 'site' as const, site: site.domain, to })
    layout.rules.push([at.slice(0, -1), rule(pages ? '' : 'public')])
    if (pages) layout.rules.push([`${at}${pages}`, rule('public')])
    layout.roots[site.domain] = []
    inventory.websites.push(site)
  }
  duplicator(layout, [...records.keys(), ...names.keys()], sites)
  databases(layout, records, names, sites)
  return layout
}

/** An archive of the plugin Duplicator: the whole website, with its configuration beside the installer. */
function duplicator(
  { rules, inventory }: Layout,
  paths: readonly string[],
  [site]: readonly { name: string; at: string }[],
): void {
  const installer = paths.find((path) => /(?:^|\/)dup-installer\//.test(path))
  if (!site || installer === undefined) return
  const folder = installer.slice(0, installer.indexOf('dup-installer/') + 'dup-installer'.length)
  const why = 'it installs the archive again for whoever calls it'
  rules.push([folder, { kind: 'skip', what: 'installer of Duplicator', why }])
  inventory.others.push({ what: 'installer of Duplicator', count: 1, why })
  for (const path of paths)
    if (/dup-wp-config-arc__[\w-]{1,100}\.txt$/.test(path))
      rules.push([path, { kind: 'site', site: site.name.toLowerCase(), to: 'public/wp-config.php' }])
    else if (/(?:^|\/)(?:\w{1,100}_)?installer-backup\.php$/.test(path))
      rules.push([path, { kind: 'skip', what: 'installer of Duplicator', why }])
}

/** The folder in which everything lies, with a slash; empty if there is none. */
function topOf(folders: ReadonlySet<string>, files: ReadonlyMap<string, number>): string {
  let top = ''
  for (;;) {
    const here = new Set(
      [...folders, ...files.keys()].flatMap((path) =>
        path.startsWith(top) && path !== top.slice(0, -1) ? (path.slice(top.length).split('/')[0] ?? []) : [],
      ),
    )
    const [only] = here
    if (here.size !== 1 || !only || !folders.has(`${top}${only}`) || shown.includes(only) || isDomain(only)) return top
    top += `${only}/`
  }
}

function databases(
  { inventory, secrets, rules }: Layout,
  records: Records,
  names: ReadonlyMap<string, number>,
  sites: readonly { name: string; at: string }[],
): void {
  const known: (Credentials & { site: string })[] = []
  for (const [path, text] of records) {
    const site = sites.find(({ at }) => path.startsWith(at))
    const found = site && credentialsIn(text)
    if (found) known.push({ ...found, site: site.name.toLowerCase() })
  }
  const dumps = [...names].flatMap(([path, size]) => {
    const stem = dumpIn.exec(path)?.[1]
    return stem === undefined ? [] : [{ path, size, stem }]
  })
  for (const { path, size, stem } of dumps) {
    const user =
      known.find((one) => one.name === stem) ??
      known.find((one) => stem.includes(one.name)) ??
      (dumps.length === 1 && known.length === 1 ? known[0] : undefined)
    const name = user?.name ?? stem.toLowerCase().replace(/[^a-z0-9_]/g, '_')
    rules.push([path, { kind: 'dump', database: name }])
    if (inventory.databases.some((one) => one.name === name)) {
      inventory.others.push({ what: path, count: 1, why: `a second dump of ${name}` })
      continue
    }
    if (user) secrets.databases[user.user] = nativeHash(user.password)
    inventory.websites.find(({ domain }) => domain === user?.site)?.mentions.push(name)
    inventory.databases.push({
      ...{ name, engine: 'mysql', charset: null, dumpBytes: size, suspended: false },
      users: user ? [{ name: user.user, hash: formOf(secrets.databases[user.user]) }] : [{ name, hash: 'none' }],
    })
  }
}
