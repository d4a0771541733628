import type { FoundMailDomain } from '@innkeeper/contract/recovery/archiveImports/inventory'
import { certificateIn } from './certificate.ts'
import { dovecotHash, formOf } from './hashes.ts'
import { emptyInventory, type Layout, noSecrets, pagesIn, plainWebsite } from './layout.ts'
import { foldersIn, jobIn, listOf, type Records, withoutSlashes } from './records.ts'

/** Small files of an archive of DirectAdmin that the look reads. */
export const directadminRecord =
  /^backup\/(?:[^/]+\.conf|[^/]+\/(?:domain\.(?:conf|cert|key|cacert|pointers|subdomains\.docroot\.override)|subdomain\.list|ftp\.passwd|[^/]+\.db|email\/(?:passwd|quota|aliases|email\.conf|vacation\.conf|autoresponder\.conf)))$/
/** A file by which an archive of DirectAdmin is recognised. */
export const directadminMark = /^backup\/(?:user\.conf|[^/]+\/domain\.conf)$/

/** `key=value`, a pair a line. */
function pairs(text: string | undefined): Record<string, string> {
  const found: Record<string, string> = {}
  for (const line of (text ?? '').split('\n')) {
    const at = line.indexOf('=')
    if (at > 0) found[line.slice(0, at).trim()] = line.slice(at + 1).trim()
  }
  return found
}

/** `passwd=…&path=…`, as in an address. */
function parts(text: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const one of text.split('&')) {
    const at = one.indexOf('=')
    if (at > 0) found[one.slice(0, at)] = plain(one.slice(at + 1))
  }
  return found
}
function plain(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // a percent sign of its own
  }
}

/** Reads the records of an archive of DirectAdmin. `names`: the paths of files whose sizes count. */
export function directadminLayout(records: Records, names: ReadonlyMap<string, number>): Layout {
  const user = pairs(records.get('backup/user.conf'))
  const account = user.username ?? 'account'
  const inventory = emptyInventory('directadmin', account)
  inventory.account = {
    ...{ name: account, plan: user.package ?? null, contact: user.email ?? null },
    suspended: user.suspended === 'yes',
  }
  const layout: Layout = { inventory, secrets: noSecrets(), rules: [], roots: {} }
  for (const domain of foldersIn(records, 'backup'))
    if (records.has(`backup/${domain}/domain.conf`)) websites(layout, domain, records)
  databases(layout, records, names)
  let others = 0
  for (const line of (records.get('backup/crontab.conf') ?? '').split('\n')) {
    const job = jobIn(line.replace(/^\d{1,6}=/, ''))
    if (job) inventory.cron.push({ ...job, suspended: false })
    else if (/^\d{1,6}=/.test(line)) others++
  }
  if (others) inventory.others.push({ what: 'Cron jobs', count: others, why: 'their lines cannot be read' })
  const rest = [...names.keys()].filter((name) => /^backup\/home\.tar/.test(name))
  if (rest.length)
    inventory.others.push({
      ...{ what: rest.join(', '), count: rest.length },
      why: 'files of the home folder outside of websites',
    })
  return layout
}

function websites(layout: Layout, domain: string, records: Records): void {
  const { inventory, secrets, rules, roots } = layout
  const at = `backup/${domain}`
  const conf = pairs(records.get(`${at}/domain.conf`))
  if (conf.ip && !inventory.addresses.includes(conf.ip)) inventory.addresses.push(conf.ip)
  const suspended = inventory.account.suspended || conf.suspended === 'yes'
  const home = `/home/${inventory.account.name}`
  const add = (name: string, path: string) => {
    const site = plainWebsite(name, `${home}/${path}`)
    site.suspended = suspended
    const folders = pagesIn(path).filter(({ to }) => to === 'public')
    for (const { from, to } of folders) rules.push([from, { kind: 'site', site: name, to }])
    roots[name] = folders.map(({ from, to }) => ({ from: `${home}/${from}`, to }))
    inventory.websites.push(site)
    return site
  }
  const site = add(domain, `domains/${domain}/public_html`)
  site.aliases = Object.keys(pairs(records.get(`${at}/domain.pointers`)))
  const text = (ending: string) => records.get(`${at}/domain.${ending}`)
  site.ssl = conf.ssl === 'ON' && text('cert') !== undefined
  const certificate = certificateIn([text('cert') ?? '', text('cacert') ?? ''], text('key'))
  if (certificate) {
    site.certificate = certificate.found
    secrets.certificates[domain] = certificate.key
  }
  const moved = pairs(records.get(`${at}/domain.subdomains.docroot.override`))
  let strange = 0
  for (const name of listOf(records.get(`${at}/subdomain.list`))) {
    if (/^[a-z0-9_][a-z0-9_.-]{0,199}$/i.test(name)) {
      const own = withoutSlashes(parts(moved[name] ?? '').public_html ?? '', true)
      add(`${name}.${domain}`, own.startsWith(`domains/${domain}/`) ? own : `domains/${domain}/public_html/${name}`)
    } else strange++
  }
  if (strange)
    inventory.others.push({ what: `Subdomains of ${domain}`, count: strange, why: 'their names are no domain names' })
  ftp(layout, domain, home, records)
  mailDomain(layout, domain, records)
  const zone = records.get(`${at}/${domain}.db`)
  if (zone !== undefined)
    inventory.zones.push({
      ...{ domain, text: zone, dnssec: false, suspended: false },
      records: zone.split('\n').filter((line) => /\sIN\s/i.test(line)).length,
    })
}

function ftp({ inventory, secrets }: Layout, domain: string, home: string, records: Records): void {
  for (const [name, text] of Object.entries(pairs(records.get(`backup/${domain}/ftp.passwd`)))) {
    const { passwd: hash, path = '', type } = parts(text)
    if (type === 'system') continue // the login of the account itself
    const own = `${home}/domains/${domain}`
    inventory.ftp.push({
      ...{ name, website: domain, hash: formOf(hash) },
      path: path.startsWith(`${own}/`) ? path.slice(own.length + 1) : path,
    })
    if (hash) secrets.ftp[name] = hash
  }
}

function mailDomain({ inventory, secrets, rules }: Layout, domain: string, records: Records): void {
  const at = `backup/${domain}/email`
  const catchAll = pairs(records.get(`${at}/email.conf`)).catchall ?? ''
  const found: FoundMailDomain = {
    ...{ domain, dkim: false, suspended: inventory.account.suspended, mailboxes: [], aliases: [] },
    ...{ catchAll: catchAll.includes('@') ? catchAll : null, refused: {}, fault: null },
  }
  const quotas = new Map(
    (records.get(`${at}/quota`) ?? '').split('\n').map((line) => line.split(':') as [string, string]),
  )
  for (const line of (records.get(`${at}/passwd`) ?? '').split('\n')) {
    const [name, hash] = line.split(':')
    if (!name) continue
    const carried = hash ? dovecotHash(hash) : undefined
    if (carried) secrets.mailboxes[`${name}@${domain}`] = carried
    const quota = Number(quotas.get(name))
    found.mailboxes.push({
      ...{ name, hash: formOf(hash), quotaMb: quota > 0 ? Math.ceil(quota / 1_048_576) : null },
      ...{ forwards: [], keepCopy: true, autoReply: null, suspended: false, messages: 0, bytes: 0 },
    })
    for (const folder of [`imap/${domain}/${name}/Maildir`, `${at}/data/imap/${name}/Maildir`])
      rules.push([folder, { kind: 'mail', domain, account: name }])
  }
  const byName = new Map(found.mailboxes.map((one) => [one.name, one]))
  let programs = 0
  for (const line of (records.get(`${at}/aliases`) ?? '').split('\n')) {
    const [name = '', ...rest] = line.split(':')
    const targets = listOf(rest.join(':'), /,/).map((one) => (/^[\w.+-]+$/.test(one) ? `${one}@${domain}` : one))
    if (!name || name === '*' || name === inventory.account.name || !targets.length) continue
    if (targets.some((one) => /^["|:/]/.test(one))) programs++
    else {
      const mailbox = byName.get(name)
      if (mailbox) mailbox.forwards = targets
      else found.aliases.push({ name, targets })
    }
  }
  if (programs) found.refused['alias to a program'] = programs
  const replies = ['vacation', 'autoresponder'].flatMap((file) => listOf(records.get(`${at}/${file}.conf`), /\n/))
  if (replies.length)
    inventory.others.push({
      what: `Automatic replies of ${domain}`,
      count: replies.length,
      why: 'write them again here',
    })
  if (found.mailboxes.length || found.aliases.length) inventory.mail.push(found)
}

function databases({ inventory, secrets, rules }: Layout, records: Records, names: ReadonlyMap<string, number>): void {
  for (const [path, size] of names) {
    const name = /^backup\/([^/]{1,64})\.sql(?:\.gz|\.zst)?$/.exec(path)?.[1]
    if (!name) continue
    rules.push([path, { kind: 'dump', database: name }])
    const users = Object.entries(pairs(records.get(`backup/${name}.conf`))).flatMap(([user, text]) => {
      const hash = parts(text).passwd
      if (!hash) return []
      secrets.databases[user] = hash
      return { name: user, hash: formOf(hash) }
    })
    // the account itself reaches all its databases, and has no password of its own here
    const own = users.filter((one) => one.name !== inventory.account.name)
    inventory.databases.push({
      ...{ name, engine: 'mysql', charset: null, dumpBytes: size, suspended: false, users: own },
    })
  }
}
