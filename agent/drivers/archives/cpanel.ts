import type { FoundMailDomain, Inventory } from '@innkeeper/contract/recovery/archiveImports/inventory'
import { certificateIn, dkimKeyIn } from './certificate.ts'
import { dovecotHash, formOf } from './hashes.ts'
import { emptyInventory, type Layout, noSecrets, pagesIn, phpIn, plainWebsite } from './layout.ts'
import { below, foldersIn, jobIn, type Records, withoutSlashes } from './records.ts'

/** Small files of an archive of cPanel that the look reads. */
export const cpanelRecord =
  /^(?:cp\/[^/]+|userdata\/[^/]+|(?:addons|pds|sds2|homedir_paths|mysql\.sql|proftpdpasswd|shadow)|mysql\/[^/]+\.create|dnszones\/[^/]+\.db|va\/[^/]+|cron\/[^/]+|apache_tls\/[^/]+|(?:sslcerts|sslkeys)\/[^/]+|homedir\/etc\/[^/]+\/(?:shadow|passwd|quota)|suspended\/[^/]+|domainkeys\/(?:public|private)\/[^/]+)$/

/** The simple YAML that cPanel writes: scalars, lists, and one level of maps. */
function yaml(text: string): {
  scalars: Record<string, string>
  lists: Record<string, string[]>
  maps: Record<string, Record<string, string>>
} {
  const found: ReturnType<typeof yaml> = { scalars: {}, lists: {}, maps: {} }
  let key = ''
  for (const line of text.split('\n').slice(0, 20_000)) {
    const bare = (value: string) => value.trim().replace(/^(['"])(.*)\1$/, '$2')
    const entry = /^([A-Za-z0-9_.-]{1,253}):(.*)$/.exec(line)
    const item = /^\s*- (.*)$/.exec(line)
    const inner = /^\s+(['"]?[A-Za-z0-9_.*-]{1,253}['"]?):\s(.*)$/.exec(line)
    if (entry?.[1]) {
      key = entry[1]
      if (entry[2]?.trim()) found.scalars[key] = bare(entry[2])
    } else if (item && key) {
      found.lists[key] ??= []
      found.lists[key]?.push(bare(item[1] ?? ''))
    } else if (inner?.[1] && key) {
      found.maps[key] ??= {}
      Object.assign(found.maps[key] ?? {}, { [bare(inner[1])]: bare(inner[2] ?? '') })
    }
  }
  return found
}

/** Reads the records of an archive of cPanel. */
export function cpanelLayout(records: Records, names: ReadonlyMap<string, number>): Layout {
  const [user = 'account'] = below(records, 'cp')
  const facts = Object.fromEntries(
    (records.get(`cp/${user}`) ?? '').split('\n').flatMap((line) => {
      const at = line.indexOf('=')
      return at > 0 ? [[line.slice(0, at), line.slice(at + 1)]] : []
    }),
  ) as Record<string, string>
  const inventory = emptyInventory('cpanel', user)
  const suspended = below(records, 'suspended').length > 0
  inventory.account = { name: user, plan: facts.PLAN ?? null, contact: facts.CONTACTEMAIL || null, suspended }
  if (facts.IP) inventory.addresses.push(facts.IP)
  const layout: Layout = { inventory, secrets: noSecrets(), rules: [], roots: {} }
  websites(layout, facts.DNS, user, suspended, records)
  databases(layout, records, names)
  for (const domain of new Set([...foldersIn(records, 'homedir/etc'), ...below(records, 'va')]))
    mailDomain(layout, domain, records)
  for (const file of below(records, 'dnszones')) {
    const text = records.get(`dnszones/${file}`) ?? ''
    inventory.zones.push({
      ...{ domain: file.replace(/\.db$/, ''), text, dnssec: false, suspended: false },
      records: text.split('\n').filter((line) => /\sIN\s/i.test(line)).length,
    })
  }
  for (const line of (records.get(`cron/${user}`) ?? '').split('\n')) {
    const job = jobIn(line)
    if (job) inventory.cron.push({ ...job, suspended: false })
  }
  ftp(layout, user, records)
  others(inventory, names)
  return layout
}

function websites(
  { inventory, secrets, rules, roots }: Layout,
  main: string | undefined,
  user: string,
  suspended: boolean,
  records: Records,
): void {
  const { scalars, lists, maps } = yaml(records.get('userdata/main') ?? '')
  const first = scalars.main_domain ?? main
  if (!first) return
  const addons = maps.addon_domains ?? {}
  const behind = new Set(Object.values(addons))
  const homes = [
    `/home/${user}`,
    ...(records.get('homedir_paths') ?? '')
      .split('\n')
      .map((path) => path.trim())
      .filter((path) => /^\/[\w/.-]{1,200}$/.test(path)),
  ]
  const all = [
    { domain: first, named: first, aliases: lists.parked_domains ?? [] },
    // an addon domain is also a subdomain of the main domain: one website
    ...Object.entries(addons).map(([domain, sub]) => ({ domain, named: sub, aliases: [] as string[] })),
    ...(lists.sub_domains ?? [])
      .filter((sub) => !behind.has(sub))
      .map((sub) => ({ domain: sub, named: sub, aliases: [] as string[] })),
  ]
  for (const { domain, named, aliases } of all) {
    const data = yaml(records.get(`userdata/${named}`) ?? '').scalars
    const root = withoutSlashes(data.documentroot ?? `/home/${user}/public_html`)
    const home = homes.find((path) => root.startsWith(`${path}/`))
    const site = plainWebsite(domain, root)
    site.aliases = [...new Set([...aliases, ...(data.serveralias ?? '').split(/\s+/)])].filter(
      // names that cPanel makes for itself, and the subdomain behind an addon domain
      (name) =>
        name &&
        name !== domain &&
        !behind.has(name.replace(/^www\./, '')) &&
        !/^(?:mail|cpanel|webmail|webdisk|autodiscover|autoconfig|cpcontacts|cpcalendars|whm)\./.test(name),
    )
    site.phpVersion = phpIn(data.phpversion)
    site.suspended = suspended
    if (!home) site.rootProblem = `its pages lie in ${root}, outside of the home folder`
    else {
      const within = root.slice(home.length + 1)
      const folders = pagesIn(within)
      for (const { from, to } of folders) rules.push([`homedir/${from}`, { kind: 'site', site: domain, to }])
      roots[domain] = homes.flatMap((path) => folders.map(({ from, to }) => ({ from: `${path}/${from}`, to })))
    }
    const tls = records.get(`apache_tls/${named}`) ?? records.get(`apache_tls/${domain}`)
    const certificate = certificateIn(
      [tls ?? ''],
      /-----BEGIN [A-Z ]*PRIVATE KEY-----[A-Za-z0-9+/=\s]{1,20000}-----END [A-Z ]*PRIVATE KEY-----/.exec(
        tls ?? '',
      )?.[0],
    )
    site.ssl = tls !== undefined
    if (certificate) {
      site.certificate = certificate.found
      secrets.certificates[domain] = certificate.key
    }
    inventory.websites.push(site)
  }
}

function databases({ inventory, secrets, rules }: Layout, records: Records, names: ReadonlyMap<string, number>): void {
  const grants = records.get('mysql.sql') ?? ''
  const users = new Map<string, Set<string>>()
  for (const line of grants.split('\n')) {
    const who = /\bTO '([^']{1,80})'@'[^']{1,255}'/i.exec(line)?.[1]
    if (!who) continue
    const hash = /IDENTIFIED BY PASSWORD '([^']{1,200})'/i.exec(line)?.[1]
    if (hash) secrets.databases[who] = hash
    const on = /^GRANT\s[^`]{1,400}\sON `([^`]{1,100})`\.\*/i.exec(line)?.[1]?.replaceAll('\\', '')
    if (on) users.set(on, (users.get(on) ?? new Set()).add(who))
  }
  for (const [path, size] of names) {
    const name = /^mysql\/([^/]{1,64})\.sql$/.exec(path)?.[1]
    if (!name) continue
    rules.push([path, { kind: 'dump', database: name }])
    inventory.databases.push({
      ...{ name, engine: 'mysql', dumpBytes: size, suspended: false },
      charset: /CHARACTER SET (\w{1,30})/i.exec(records.get(`mysql/${name}.create`) ?? '')?.[1]?.toLowerCase() ?? null,
      users: [...(users.get(name) ?? [])].map((one) => ({ name: one, hash: formOf(secrets.databases[one]) })),
    })
  }
}

function mailDomain({ inventory, secrets, rules }: Layout, domain: string, records: Records): void {
  const at = `homedir/etc/${domain}`
  const found: FoundMailDomain = {
    domain,
    catchAll: null,
    dkim: records.has(`domainkeys/public/${domain}`),
    suspended: false,
    mailboxes: [],
    aliases: [],
    refused: {},
    fault: null,
  }
  const key = dkimKeyIn(records.get(`domainkeys/private/${domain}`))
  if (key) {
    found.dkimSelector = 'default' // cPanel has no other
    secrets.dkim[domain] = key
  }
  const quotas = new Map(
    (records.get(`${at}/quota`) ?? '').split('\n').map((line) => line.split(':') as [string, string]),
  )
  for (const line of (records.get(`${at}/shadow`) ?? '').split('\n')) {
    const [name, hash] = line.split(':')
    if (!name) continue
    const carried = hash ? dovecotHash(hash) : undefined
    if (carried) secrets.mailboxes[`${name}@${domain}`] = carried
    const quota = Number(quotas.get(name))
    found.mailboxes.push({
      ...{ name, hash: formOf(hash), quotaMb: quota > 0 ? Math.ceil(quota / 1_048_576) : null },
      ...{ forwards: [], keepCopy: true, autoReply: null, suspended: false, messages: 0, bytes: 0 },
    })
    rules.push([`homedir/mail/${domain}/${name}`, { kind: 'mail', domain, account: name }])
  }
  const byName = new Map(found.mailboxes.toReversed().map((one) => [one.name, one]))
  for (const line of (records.get(`va/${domain}`) ?? '').split('\n')) {
    const [left = '', ...rest] = line.split(':')
    const right = rest.join(':').trim()
    const name = left.trim().split('@')[0] ?? ''
    const targets = right
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean)
    if (!right || right.startsWith('"') || right.startsWith(':')) continue
    if (name === '*') found.catchAll = targets[0] ?? null
    else {
      const mailbox = byName.get(name)
      if (mailbox) mailbox.forwards = targets
      else if (name) found.aliases.push({ name, targets })
    }
  }
  if (found.mailboxes.length || found.aliases.length) inventory.mail.push(found)
}

function ftp({ inventory, secrets, roots }: Layout, user: string, records: Records): void {
  for (const line of (records.get('proftpdpasswd') ?? '').split('\n')) {
    const [name, hash, , , , home = ''] = line.split(':')
    if (!name || name === user || name.endsWith('_logs')) continue // the login of the account itself, and that of its logs
    const [website, root] = Object.entries(roots)
      .flatMap(([site, all]) => all.map((one) => [site, one] as const))
      .filter(([, { from }]) => home === from || home.startsWith(`${from}/`))
      .toSorted((a, b) => b[1].from.length - a[1].from.length)[0] ?? ['', undefined]
    inventory.ftp.push({
      name,
      website,
      path: root ? `public_html${home.slice(root.from.length)}` : home,
      hash: formOf(hash),
    })
    if (hash) secrets.ftp[name] = hash
  }
}

const leftOut: Record<string, string> = {
  ...{
    psql: 'databases of PostgreSQL',
    vf: 'filters of mail',
    vad: 'forwards of whole domains',
    mm: 'mailing lists',
    mma: 'archives of mailing lists',
  },
  ...{
    team: 'users of a team',
    resellerconfig: 'settings of a reseller',
    dnssec_keys: 'keys of DNSSEC',
    'homedir/.autorespond': 'automatic replies',
  },
}
function others(inventory: Inventory, names: ReadonlyMap<string, number>): void {
  for (const [folder, what] of Object.entries(leftOut)) {
    const count = [...names.keys()].filter((name) => name.startsWith(`${folder}/`)).length
    if (count) inventory.others.push({ what, count, why: 'Innkeeper has no counterpart, or cannot read them yet' })
  }
}
