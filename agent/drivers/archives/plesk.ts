import { certificateIn } from './certificate.ts'
import { credentialsIn, nativeHash } from './credentials.ts'
import { formOf } from './hashes.ts'
import { emptyInventory, type Layout, noSecrets, pagesIn, plainWebsite } from './layout.ts'
import { isAppConfig, type Records, withoutSlashes } from './records.ts'
import { everywhere, settingOf, within, type XmlElement, xmlIn } from './xmlTree.ts'

/** Archives within an archive of Plesk: files of the websites, and a dump of each database. */
export const pleskParts =
  /^((?:[^/]+\/){0,6}(?:backup_user-data_\d{1,12}|databases\/[^/]+\/backup_sqldump_\d{1,12}))\.(?:tzst|tgz|tar(?:\.gz|\.zst)?)$/
/** Files by which an archive of Plesk is recognised. */
export const pleskMark =
  /^(?:[^/]+\/){0,6}backup_(?:info_\d{1,12}(?:_\d{1,12})?\.xml|user-data_\d{1,12}(?:_\d{1,12})?\.(?:tzst|tgz|tar|zip))$/
const info = /^((?:[^/]+\/){0,6})backup_info_(\d{1,12})(?:_\d{1,12})?\.xml$/
const content = /^((?:[^/]+\/){0,6})backup_user-data_(\d{1,12})(?:_\d{1,12})?\.(?:tzst|tgz|tar(?:\.gz|\.zst)?|zip)$/
const dumped = /^(.*?)databases\/([^/]+?)(?:_\d{1,9})?\/(backup_sqldump_\d{1,12})\/[^/]+$/
const configOf = /^((?:[^/]+\/){0,6}backup_user-data_\d{1,12})\/(.+)$/

export const pleskRecord = (path: string): boolean => {
  const inner = configOf.exec(path)?.[2]
  return info.test(path) || (inner !== undefined && isAppConfig(inner) && inner.split('/').length <= 6)
}
/** The name that the layout needs of a member; all members within the files count as their archive. */
export function pleskName(path: string): string | undefined {
  const files = /^((?:[^/]+\/){0,6}backup_user-data_\d{1,12})(?:\/|$)/.exec(path)?.[1]
  if (files !== undefined) return `${files}.tar`
  const isNamed =
    content.test(path) || dumped.test(path) || /^(?:[^/]+\/){0,6}backup_[a-z-]{1,40}_\d{1,12}\.\w{2,7}$/.test(path)
  return isNamed ? path : undefined
}

/** Parts that Innkeeper does not read, and why. Their form is in no public source. */
const left: Record<string, [string, string]> = {
  domainmail: ['Mailboxes', 'the form of mailboxes of Plesk is not published: fetch their mail by IMAP'],
  pd: ['Password-protected folders', 'protect them anew'],
  conf: ['Own settings of the web server', 'set them up by hand'],
}

/** Reads the description of one subscription of Plesk. `names`: paths with sizes. */
export function pleskLayout(records: Records, names: ReadonlyMap<string, number>): Layout {
  const parts = [...names.keys()].flatMap((path) => {
    const found = content.exec(path)
    return found ? [{ path, prefix: found[1] ?? '' }] : []
  })
  const prefixes = [...new Set(parts.map(({ prefix }) => prefix))]
  if (parts.some(({ path }) => /_\d{1,12}_\d{1,12}\.\w+$/.test(path)))
    throw new Error('it is an increment of another backup of Plesk: make a full backup')
  if (parts.some(({ path }) => path.endsWith('.zip'))) throw new Error('it is a backup of Plesk for Windows')
  if (prefixes.length > 1)
    throw new Error(
      `it has ${prefixes.length} subscriptions of Plesk: export them one by one (${prefixes.slice(0, 5).join(', ')})`,
    )
  const described = [...records].flatMap(([path, text]) => {
    const found = info.exec(path)
    return found ? [{ prefix: found[1] ?? '', text }] : []
  })
  // beside the files lies the description of their subscription; that of the whole server lies above
  const [prefix = ''] = prefixes
  const own = described.find((one) => one.prefix === prefix) ?? described[0]
  if (!own) throw new Error('its description (backup_info_….xml) is missing')
  const [domain] = everywhere(xmlIn(own.text), 'domain').filter(({ attributes }) => attributes.name)
  if (!domain) throw new Error('its description names no website')
  return describedLayout(domain, { records, names, files: parts[0]?.path.slice(0, -'.tar'.length) })
}

interface Lying {
  records: Records
  names: ReadonlyMap<string, number>
  /** Where the members of the files begin; undefined: it has none. */
  files: string | undefined
}

function describedLayout(domain: XmlElement, lying: Lying): Layout {
  const [phosting] = within(domain, 'phosting')
  const name = (domain.attributes.name ?? '').toLowerCase()
  const [user] = within(phosting, 'preferences', 'sysuser')
  const inventory = emptyInventory('plesk', user?.attributes.name || name.replaceAll('.', ''))
  const layout: Layout = { inventory, secrets: noSecrets(), rules: [], roots: {} }
  const ips = everywhere(domain, 'ip-address').map(({ text }) => text.trim())
  inventory.addresses = [...new Set(ips.filter((one) => /^[\d.]{7,15}$|^[0-9a-f:]{3,45}$/i.test(one)))].slice(0, 20)
  const main = website(layout, { name, phosting, files: lying.files, home: name, usual: 'httpdocs' })
  main.aliases = within(domain, 'preferences', 'domain-alias').flatMap(({ attributes }) => attributes.name || [])
  certificate(layout, domain, main)
  for (const site of within(phosting, 'sites', 'site')) {
    const own = (site.attributes.name ?? '').toLowerCase()
    if (own)
      website(layout, { name: own, phosting: within(site, 'phosting')[0], files: lying.files, home: name, usual: own })
  }
  databases(layout, domain, lying)
  zone(layout, domain, name)
  for (const part of new Set(
    [...lying.names.keys()].flatMap((path) => /\/?backup_([a-z-]{1,40})_\d/.exec(path)?.[1] ?? []),
  )) {
    const [what, why] = left[part] ?? []
    if (what && why) inventory.others.push({ what, count: 1, why })
  }
  inventory.others.push({
    ...{ what: 'Suspension, PHP versions, cron jobs and FTP users', count: 1 },
    why: 'how the description of Plesk has them is not published: compare them by hand',
  })
  return layout
}

interface Hosted {
  name: string
  phosting: XmlElement | undefined
  files: string | undefined
  /** The folder of the subscription below the websites of Plesk. */
  home: string
  usual: string
}
function website({ inventory, rules, roots }: Layout, { name, phosting, files, home, usual }: Hosted) {
  const base = `/var/www/vhosts/${home}`
  const typed = withoutSlashes(settingOf(phosting, 'www-root') ?? '', true)
  const path = typed.startsWith(`${base.slice(1)}/`) ? typed.slice(base.length) : typed || usual
  const isOdd = path.split('/').some((part) => part === '..' || part === '.' || part === '')
  const site = plainWebsite(name, `${base}/${path}`)
  if (!files) site.rootProblem = 'the backup has no files: it was made of the configuration alone'
  else if (isOdd) site.rootProblem = path
  else {
    const folders = pagesIn(path)
    for (const { from, to } of folders) rules.push([`${files}/${from}`, { kind: 'site', site: name, to }])
    roots[name] = folders.map(({ from, to }) => ({ from: `${base}/${from}`, to }))
  }
  site.protectedBy = within(phosting, 'preferences', 'pdir').map(({ attributes }) => attributes.name || '/')
  inventory.websites.push(site)
  return site
}

function certificate({ secrets }: Layout, domain: XmlElement, site: ReturnType<typeof plainWebsite>): void {
  for (const one of within(domain, 'certificates', 'certificate')) {
    const text = (part: string) => pem(within(one, part)[0]?.text ?? '')
    const found = certificateIn([text('certificate-data'), text('ca-certificate')], text('private-key'))
    if (!found?.found.names.some((name) => name === site.domain)) continue
    Object.assign(site, { ssl: true, certificate: found.found })
    secrets.certificates[site.domain] = found.key
    return
  }
}
/** Plesk writes line ends and signs of PEM as an address would have them. */
function pem(text: string): string {
  try {
    return decodeURIComponent(text.trim())
  } catch {
    return text.trim()
  }
}

function databases({ inventory, secrets, rules }: Layout, domain: XmlElement, { records, names }: Lying): void {
  const dumps = new Map<string, { path: string; size: number }>()
  for (const [path, size] of names) {
    const [, prefix = '', base = '', part = ''] = dumped.exec(path) ?? []
    if (base)
      dumps.set(base, { path: `${prefix}${path.slice(prefix.length).split('/').slice(0, 2).join('/')}/${part}`, size })
  }
  const known = [...records].flatMap(([path, text]) => (configOf.test(path) ? (credentialsIn(text) ?? []) : []))
  const shared = within(domain, 'databases', 'dbusers', 'dbuser')
  for (const one of within(domain, 'databases', 'database')) {
    const name = one.attributes.name ?? ''
    if (!name || inventory.databases.some((other) => other.name === name)) continue
    const isMysql = (one.attributes.type ?? 'mysql') === 'mysql'
    const dump = isMysql ? dumps.get(name) : undefined
    if (dump) rules.push([dump.path, { kind: 'dump', database: name }])
    const credentials = known.find((found) => found.name === name)
    const users = [...within(one, 'dbuser'), ...shared].flatMap((user) => {
      const login = user.attributes.name
      if (!login) return []
      const [password] = within(user, 'password')
      const plain = password?.attributes.type === 'plain' ? password.text.trim() : undefined
      const typed = credentials?.user === login ? credentials.password : undefined
      const secret = plain || typed
      if (secret) secrets.databases[login] = nativeHash(secret)
      return { name: login, hash: formOf(secrets.databases[login]) }
    })
    // the user of the application first: only one comes along
    users.sort((a, b) => Number(b.name === credentials?.user) - Number(a.name === credentials?.user))
    inventory.databases.push({
      ...{ name, engine: isMysql ? 'mysql' : (one.attributes.type ?? 'other'), charset: null, suspended: false },
      ...{ dumpBytes: dump?.size ?? null, users },
    })
  }
}

const isZoneType = /^[A-Z0-9]{1,10}$/
function zone({ inventory }: Layout, domain: XmlElement, name: string): void {
  const found = within(domain, 'properties', 'dns-zone', 'dnsrec')
  const lines = found.flatMap(({ attributes: { type = '', src = '', dst = '', opt = '' } }) => {
    if (!isZoneType.test(type) || type === 'PTR' || /[\s;"()]/.test(src)) return []
    const value = type === 'TXT' ? `"${dst.replace(/[\\"]/g, '\\$&')}"` : dst
    return `${src === '' ? '@' : src} 3600 IN ${type} ${[opt, value].filter(Boolean).join(' ')}`.replaceAll('\n', ' ')
  })
  if (lines.length)
    inventory.zones.push({
      ...{ domain: name, text: `${lines.join('\n')}\n`, records: lines.length, dnssec: false, suspended: false },
    })
}
