import type { FoundMailDomain, Inventory } from '@innkeeper/contract/recovery/archiveImports/inventory'
import { certificateIn, dkimKeyIn } from './certificate.ts'
import { dovecotHash, formOf } from './hashes.ts'
import { emptyInventory, type Layout, noFiles, noSecrets, pagesIn, phpIn, plainWebsite } from './layout.ts'
import { below, foldersIn, listOf, quotedObjects, type Records, unquoted, withoutSlashes } from './records.ts'

/** Small files of an archive of HestiaCP or Vesta that the look reads. */
export const hestiaRecord =
  /^(?:(?:hestia|vesta)\/(?:user\.conf|backup-excludes\.conf)|(?:web|dns|mail|db)\/[^/]+\/(?:hestia|vesta|conf)\/[^/]+|pam\/shadow|cron\/cron\.conf)$/
const why = {
  stats: 'statistics and logs of the former server',
  rest: 'files of the home folder outside of websites',
}

/**
 * Reads the records of an archive of HestiaCP or Vesta. `names`: the paths of all members that lie outside of parts. `known`: the
 * account, where it is known.
 */
export function hestiaLayout(
  format: 'hestia' | 'vesta',
  records: Records,
  names: ReadonlyMap<string, number>,
  known?: string,
): Layout {
  const [user = {}] = quotedObjects(records.get(`${format}/user.conf`) ?? '')
  // NAME is the name of a person in HestiaCP
  const signsIn = /^([A-Za-z0-9._-]{1,64}):/.exec(records.get('pam/shadow') ?? '')?.[1]
  const account = known ?? signsIn ?? user.NAME ?? 'account'
  const inventory = emptyInventory(format, account)
  inventory.account = {
    name: account,
    plan: user.PACKAGE ?? null,
    contact: user.CONTACT ?? null,
    suspended: user.SUSPENDED === 'yes',
  }
  const layout: Layout = { inventory, secrets: noSecrets(), rules: [], roots: {} }
  for (const folder of foldersIn(records, 'web')) website(layout, format, folder, records)
  const dumps = dumpsIn(names)
  for (const folder of foldersIn(records, 'db')) database(layout, format, folder, records, dumps.get(folder))
  for (const folder of foldersIn(records, 'mail')) mailDomain(layout, format, folder, records)
  for (const folder of foldersIn(records, 'dns')) zone(inventory, format, folder, records)
  for (const job of quotedObjects(records.get('cron/cron.conf') ?? ''))
    if (job.CMD)
      inventory.cron.push({
        when: [job.MIN, job.HOUR, job.DAY, job.MONTH, job.WDAY].map((part) => part ?? '*').join(' '),
        command: unquoted(job.CMD),
        suspended: job.SUSPENDED === 'yes',
      })
  const excluded = quotedObjects(records.get(`${format}/backup-excludes.conf`) ?? '').flatMap((one) =>
    Object.entries(one).flatMap(([key, value]) => (value ? `${key}='${value}'` : [])),
  )
  if (excluded.length)
    inventory.others.push({
      what: `left out of the backup: ${excluded.join(' ')}`,
      count: excluded.length,
      why: 'the archive does not have it',
    })
  const rest = [...names.keys()].filter((name) => name.startsWith('user_dir/'))
  if (rest.length) inventory.others.push({ what: rest.slice(0, 20).join(', '), count: rest.length, why: why.rest })
  layout.rules.push(['user_dir', { kind: 'skip', what: 'home folder', why: why.rest }])
  return layout
}

function website({ inventory, secrets, rules, roots }: Layout, format: string, folder: string, records: Records): void {
  const own = `web/${folder}`
  const [conf] = quotedObjects(records.get(`${own}/${format}/web.conf`) ?? '')
  const home = `/home/${inventory.account.name}/web/${folder}`
  const site = plainWebsite(conf?.DOMAIN ?? folder, `${home}/public_html`)
  const custom = withoutSlashes(conf?.CUSTOM_DOCROOT ?? '')
  const root = custom || `${home}/public_html`
  site.root = root
  if (!root.startsWith(`${home}/`)) site.rootProblem = `its pages lie in ${root}, which is not a folder of this website`
  site.aliases = listOf(conf?.ALIAS)
  site.phpVersion = phpIn(conf?.BACKEND)
  site.ssl = conf?.SSL === 'yes'
  site.redirect = conf?.REDIRECT || null
  site.protectedBy = listOf(conf?.AUTH_USER, /:/)
  site.suspended = conf?.SUSPENDED === 'yes'
  site.ownSettings = below(records, `${own}/conf`).filter((name) => /\.conf_/.test(name))
  const text = (ending: string) =>
    records.get(`${own}/${format}/${folder}.${ending}`) ?? records.get(`${own}/conf/${folder}.${ending}`)
  const certificate = certificateIn([text('crt') ?? '', text('ca') ?? '', text('pem') ?? ''], text('key'))
  if (certificate) {
    site.certificate = certificate.found
    secrets.certificates[site.domain] = certificate.key
  }
  const logins = listOf(conf?.FTP_USER, /:/)
  const hashes = (conf?.FTP_MD5 ?? '').split(':')
  const paths = (conf?.FTP_PATH ?? '').split(':')
  for (const [i, name] of logins.entries()) {
    const hash = hashes[i] || shadowHash(records, name)
    inventory.ftp.push({ name, website: site.domain, path: within(paths[i], home), hash: formOf(hash) })
    if (hash) secrets.ftp[name] = hash
  }
  const at = `${own}/domain_data`
  rules.push([at, { kind: 'skip', what: 'folders beside the pages', why: why.stats }])
  const folders = [...pagesIn(root.slice(home.length + 1)), { from: 'private', to: 'private' }]
  for (const { from, to } of folders) rules.push([`${at}/${from}`, { kind: 'site', site: site.domain, to }])
  roots[site.domain] = folders.map(({ from, to }) => ({ from: `${home}/${from}`, to }))
  inventory.websites.push(site)
}

/** A path of an FTP user below the folder of its website: `public_html/uploads`. */
const within = (path: string | undefined, home: string) => withoutSlashes((path ?? '').replace(home, ''), true)

const shadowHash = (records: Records, name: string) =>
  (records.get('pam/shadow') ?? '')
    .split('\n')
    .find((line) => line.startsWith(`${name}:`))
    ?.split(':')[1]

interface Dump {
  path: string
  bytes: number
}

/** The first dump of each folder: an archive may have thousands of databases and names. */
function dumpsIn(names: ReadonlyMap<string, number>): Map<string, Dump> {
  const found = new Map<string, Dump>()
  for (const [path, bytes] of names) {
    const folder = /^db\/([^/]+)\/[^/]+\.sql(?:\.gz|\.zst)?$/.exec(path)?.[1]
    if (folder !== undefined && !found.has(folder)) found.set(folder, { path, bytes })
  }
  return found
}

function database(
  { inventory, secrets, rules }: Layout,
  format: string,
  folder: string,
  records: Records,
  dump: Dump | undefined,
): void {
  const [conf = {}] = quotedObjects(records.get(`db/${folder}/${format}/db.conf`) ?? '')
  const engine = conf.TYPE === 'pgsql' ? 'postgresql' : 'mysql'
  if (dump) rules.push([dump.path, { kind: 'dump', database: conf.DB ?? folder }])
  const user = conf.DBUSER
  const hash = conf.MD5
  if (user && hash) secrets.databases[user] = hash
  inventory.databases.push({
    name: conf.DB ?? folder,
    engine,
    charset: conf.CHARSET?.toLowerCase() || null,
    users: user ? [{ name: user, hash: formOf(hash) }] : [],
    dumpBytes: dump?.bytes ?? null,
    suspended: conf.SUSPENDED === 'yes',
  })
}

function mailDomain({ inventory, secrets, rules }: Layout, format: string, folder: string, records: Records): void {
  const own = `mail/${folder}/${format}`
  const [conf = {}] = quotedObjects(records.get(`${own}/mail.conf`) ?? '')
  const domain = conf.DOMAIN ?? folder
  const found: FoundMailDomain = {
    ...{ domain, catchAll: conf.CATCHALL || null, dkim: conf.DKIM === 'yes', suspended: conf.SUSPENDED === 'yes' },
    ...{ mailboxes: [], aliases: [], refused: noFiles().refused, fault: null },
  }
  const key = dkimKeyIn(records.get(`${own}/${folder}.pem`) ?? records.get(`mail/${folder}/conf/dkim.pem`))
  if (found.dkim && key) {
    found.dkimSelector = 'mail' // HestiaCP has no other
    secrets.dkim[domain] = key
  }
  for (const one of quotedObjects(records.get(`${own}/${folder}.conf`) ?? '')) {
    const name = one.ACCOUNT
    if (!name) continue
    const hash = one.MD5 ? dovecotHash(one.MD5) : undefined
    if (hash) secrets.mailboxes[`${name}@${domain}`] = hash
    const reply = records.get(`${own}/${name}@${folder}.msg`)
    found.mailboxes.push({
      ...{ name, hash: formOf(one.MD5), quotaMb: /^\d+$/.test(one.QUOTA ?? '') ? Number(one.QUOTA) : null },
      ...{ forwards: listOf(one.FWD), keepCopy: one.FWD_ONLY !== 'yes', suspended: one.SUSPENDED === 'yes' },
      autoReply: one.AUTOREPLY === 'yes' && reply ? reply.slice(0, 4000) : null,
      ...{ messages: 0, bytes: 0 },
    })
    rules.push([`mail/${folder}/accounts/${name}`, { kind: 'mail', domain, account: name }])
    for (const alias of listOf(one.ALIAS)) found.aliases.push({ name: alias, targets: [`${name}@${domain}`] })
  }
  inventory.mail.push(found)
}

function zone(inventory: Inventory, format: string, folder: string, records: Records): void {
  const [conf = {}] = quotedObjects(records.get(`dns/${folder}/${format}/dns.conf`) ?? '')
  const domain = conf.DOMAIN ?? folder
  if (conf.IP && !inventory.addresses.includes(conf.IP)) inventory.addresses.push(conf.IP)
  const usual = /^\d{1,9}$/.test(conf.TTL ?? '') ? conf.TTL : '14400'
  const lines = quotedObjects(records.get(`dns/${folder}/${format}/${folder}.conf`) ?? '').flatMap((one) => {
    const [name, type, value] = [one.RECORD, one.TYPE, one.VALUE]
    if (!name || !type || value === undefined || one.SUSPENDED === 'yes') return []
    const content = unquoted(value).replace(/[\r\n]+/g, ' ')
    const priority = /^\d{1,5}$/.test(one.PRIORITY ?? '') && (type === 'MX' || type === 'SRV') ? `${one.PRIORITY} ` : ''
    const ttl = /^\d{1,9}$/.test(one.TTL ?? '') ? one.TTL : usual
    return `${name}\t${ttl}\tIN\t${type}\t${priority}${type === 'TXT' && !content.startsWith('"') ? JSON.stringify(content) : content}`
  })
  inventory.zones.push({
    ...{ domain, text: `${lines.join('\n')}\n`, records: lines.length },
    ...{ dnssec: conf.DNSSEC === 'yes', suspended: conf.SUSPENDED === 'yes' },
  })
}
