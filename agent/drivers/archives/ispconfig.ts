import type { FoundMailDomain } from '@innkeeper/contract/recovery/archiveImports/inventory'
import { certificateIn, dkimKeyIn } from './certificate.ts'
import { dovecotHash, formOf } from './hashes.ts'
import { emptyInventory, type Layout, noSecrets, plainWebsite } from './layout.ts'
import { listOf, withoutSlashes } from './records.ts'
import type { Tables } from './sqlRows.ts'

/** The dump of the control database. */
export const controlDump = /(?:^|\/)dbispconfig\.sql(?:\.gz|\.zst)?$/
/** Tables that are read. Others, such as logs, are passed over. */
export const controlTables: ReadonlySet<string> = new Set([
  ...['client', 'sys_group', 'server_ip', 'server_php', 'web_domain', 'web_folder', 'web_folder_user'],
  ...['web_database', 'web_database_user', 'ftp_user', 'shell_user', 'cron', 'mail_domain', 'mail_user'],
  ...['mail_forwarding', 'mail_get', 'mail_mailinglist', 'mail_user_filter', 'dns_soa', 'dns_rr', 'dns_slave'],
])

type Row = Record<string, string | null>
/** What lies in an archive, or on a machine. */
export interface Lying {
  /** The place of a folder of the former server, such as `/var/www/clients/client1/web1/web`; undefined if it is not there. */
  folder(path: string): string | undefined
  /** The dump of a database: its path and size. */
  dump(name: string): { path: string; size: number } | undefined
}

const isOn = (value: string | null | undefined) => /^(?:y|1)$/i.test(value ?? '')
const within = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

/**
 * Reads the rows of one client. An account of Innkeeper belongs to one owner, so files of several clients in one archive are
 * refused.
 */
export function ispconfigLayout(tables: Tables, lying: Lying): Layout {
  const all = (name: string) => tables[name] ?? []
  const client = clientOf(tables, lying)
  const groups = new Set(all('sys_group').flatMap((one) => (one.client_id === client?.client_id ? [one.groupid] : [])))
  const own = (name: string) => all(name).filter((one) => !client || groups.has(one.sys_groupid ?? ''))
  const sites = own('web_domain')
  const inventory = emptyInventory('ispconfig', sites.find(({ type }) => type === 'vhost')?.system_user ?? 'account')
  inventory.account = {
    ...inventory.account,
    contact: client?.email ?? null,
    suspended: isOn(client?.locked) || isOn(client?.canceled),
  }
  inventory.addresses = [...new Set(all('server_ip').flatMap(({ ip_address: ip }) => ip || []))].slice(0, 50)
  const layout: Layout = { inventory, secrets: noSecrets(), rules: [], roots: {} }
  for (const row of sites) if (/^vhost/.test(row.type ?? '')) website(layout, row, sites, tables, lying)
  for (const row of own('web_database')) database(layout, row, own('web_database_user'), sites, lying)
  for (const row of own('mail_domain')) mailDomain(layout, row, own('mail_user'), own('mail_forwarding'), lying)
  for (const row of own('dns_soa')) zone(layout, row, all('dns_rr'))
  for (const row of own('cron')) cron(layout, row)
  for (const row of own('ftp_user')) ftp(layout, row, sites)
  const others: [string, string, string][] = [
    ['shell_user', 'users of a shell', 'create them anew with their keys'],
    ['mail_get', 'fetched mailboxes of other servers', 'Innkeeper has no counterpart'],
    ['mail_mailinglist', 'mailing lists', 'Innkeeper has no counterpart'],
    ['mail_user_filter', 'filters of mail', 'Innkeeper has no counterpart'],
    ['dns_slave', 'secondary zones', 'their primary name servers have the records'],
  ]
  for (const [table, what, why] of others)
    if (own(table).length) inventory.others.push({ what, count: own(table).length, why })
  return layout
}

function clientOf(tables: Tables, lying: Lying): Row | undefined {
  const clients = tables.client ?? []
  const groups = new Map((tables.sys_group ?? []).map((one) => [one.groupid, one.client_id]))
  const present = new Set(
    (tables.web_domain ?? []).flatMap((one) =>
      /^vhost/.test(one.type ?? '') && lying.folder(withoutSlashes(one.document_root ?? ''))
        ? [groups.get(one.sys_groupid ?? '') ?? '0']
        : [],
    ),
  )
  if (present.size > 1)
    throw new Error(`It has files of ${present.size} clients of ISPConfig: pack the folders of one client at a time`)
  const [id = clients.length === 1 ? clients[0]?.client_id : undefined] = present
  if (id === undefined)
    throw new Error('It has no folder of a website of ISPConfig, such as var/www/clients/client1/web1')
  return clients.find((one) => one.client_id === id)
}

function website(
  { inventory, secrets, rules, roots }: Layout,
  row: Row,
  sites: readonly Row[],
  tables: Tables,
  lying: Lying,
): void {
  const base = withoutSlashes(row.document_root ?? '')
  const folder = withoutSlashes(row.web_folder ?? '', true) || 'web'
  const site = plainWebsite(row.domain ?? '', `${base}/${folder}`)
  const children = sites.filter((one) => one.parent_domain_id === row.domain_id)
  const named = [row, ...children.filter(({ type }) => type === 'alias' || type === 'subdomain')]
  site.aliases = named.flatMap((one) => [
    ...(one === row || !one.domain ? [] : [one.domain]),
    ...(one.subdomain === 'www' && one.domain ? [`www.${one.domain}`] : []),
  ])
  if (row.subdomain === '*') site.ownSettings.push('all subdomains (*)')
  for (const key of ['nginx_directives', 'apache_directives', 'rewrite_rules', 'custom_php_ini', 'proxy_directives'])
    if (row[key]?.trim()) site.ownSettings.push(key)
  site.phpVersion =
    row.php === 'no'
      ? null
      : (/(\d\.\d{1,2})/.exec(
          (tables.server_php ?? []).find((one) => one.server_php_id === row.server_php_id)?.name ?? '',
        )?.[1] ?? null)
  site.suspended = !isOn(row.active)
  site.ssl = isOn(row.ssl)
  site.redirect = row.redirect_type ? row.redirect_path || null : null
  const guarded = (tables.web_folder ?? []).filter((one) => one.parent_domain_id === row.domain_id)
  site.protectedBy = (tables.web_folder_user ?? []).flatMap((one) =>
    guarded.some(({ web_folder_id: id }) => id === one.web_folder_id) ? (one.username ?? []) : [],
  )
  const certificate = certificateIn([row.ssl_cert ?? '', row.ssl_bundle ?? ''], row.ssl_key ?? undefined)
  if (certificate) {
    site.certificate = certificate.found
    secrets.certificates[site.domain] = certificate.key
  }
  const pages = lying.folder(`${base}/${folder}`)
  if (pages === undefined) site.rootProblem = `the archive does not have ${base}/${folder}`
  else {
    rules.push([pages, { kind: 'site', site: site.domain, to: 'public' }])
    const beside = lying.folder(`${base}/private`)
    if (beside !== undefined && row.type === 'vhost')
      rules.push([beside, { kind: 'site', site: site.domain, to: 'private' }])
    roots[site.domain] = [
      { from: `${base}/${folder}`, to: 'public' },
      { from: `/var/www/${site.domain}/${folder}`, to: 'public' },
      ...(row.type === 'vhost' ? [{ from: `${base}/private`, to: 'private' }] : []),
    ]
  }
  inventory.websites.push(site)
}

function database(
  { inventory, secrets, rules }: Layout,
  row: Row,
  accounts: readonly Row[],
  sites: readonly Row[],
  lying: Lying,
): void {
  const name = row.database_name ?? ''
  const account = accounts.find((one) => one.database_user_id === row.database_user_id)
  const user = account?.database_user
  const hash = account?.database_password
  if (user && hash) secrets.databases[user] = hash
  const dump = lying.dump(name)
  if (dump) rules.push([dump.path, { kind: 'dump', database: name }])
  const parent = sites.find((one) => one.domain_id === row.parent_domain_id)?.domain
  inventory.websites.find(({ domain }) => domain === parent)?.mentions.push(name)
  inventory.databases.push({
    ...{ name, engine: row.type === 'mysql' ? 'mysql' : (row.type ?? 'mysql'), charset: row.database_charset || null },
    users: user ? [{ name: user, hash: formOf(hash ?? undefined) }] : [],
    ...{ dumpBytes: dump?.size ?? null, suspended: !isOn(row.active) },
  })
}

function mailDomain(
  { inventory, secrets, rules }: Layout,
  row: Row,
  users: readonly Row[],
  forwardings: readonly Row[],
  lying: Lying,
): void {
  const domain = row.domain ?? ''
  const found: FoundMailDomain = {
    ...{ domain, catchAll: null, dkim: isOn(row.dkim), suspended: !isOn(row.active) },
    ...{ mailboxes: [], aliases: [], refused: {}, fault: null },
  }
  const key = found.dkim ? dkimKeyIn(row.dkim_private ?? undefined) : undefined
  if (key) {
    found.dkimSelector = row.dkim_selector || 'default'
    secrets.dkim[domain] = key
  }
  for (const user of users) {
    const [name = '', of] = (user.email ?? '').split('@')
    if (of !== domain || !name) continue
    const hash = user.password ? dovecotHash(user.password) : undefined
    if (hash) secrets.mailboxes[`${name}@${domain}`] = hash
    const quota = Number(user.quota)
    const folder = withoutSlashes(user.maildir ?? '')
    const at = lying.folder(`${folder}/Maildir`) ?? lying.folder(folder)
    if (at !== undefined) rules.push([at, { kind: 'mail', domain, account: name }])
    if (user.custom_mailfilter?.trim())
      found.refused['Sieve filter, which Innkeeper does not have'] =
        (found.refused['Sieve filter, which Innkeeper does not have'] ?? 0) + 1
    if (user.maildir_format === 'mdbox')
      found.refused[`mailbox in the form mdbox, whose messages are not carried`] =
        (found.refused[`mailbox in the form mdbox, whose messages are not carried`] ?? 0) + 1
    found.mailboxes.push({
      ...{ name, hash: formOf(user.password ?? undefined), quotaMb: quota > 0 ? Math.ceil(quota / 1_048_576) : null },
      ...{ forwards: listOf(user.cc ?? undefined), keepCopy: true, suspended: user.postfix === 'n' },
      autoReply: isOn(user.autoresponder) && user.autoresponder_text ? user.autoresponder_text.slice(0, 4000) : null,
      ...{ messages: 0, bytes: 0 },
    })
  }
  for (const { source, destination, type, active } of forwardings) {
    const [name, of] = (source ?? '').split('@')
    if (of !== domain || !isOn(active)) continue
    const targets = listOf(destination ?? undefined)
    if (type === 'catchall' || name === '') found.catchAll = targets[0] ?? null
    else if (name && type !== 'aliasdomain') found.aliases.push({ name, targets })
  }
  const whole = forwardings.filter(
    ({ type, destination }) => type === 'aliasdomain' && destination?.endsWith(`@${domain}`),
  )
  if (whole.length)
    inventory.others.push({
      ...{ what: `mail of whole domains to ${domain}`, count: whole.length },
      why: 'Innkeeper has no domain that stands for another one in mail',
    })
  inventory.mail.push(found)
}

function zone({ inventory }: Layout, row: Row, records: readonly Row[]): void {
  const domain = withoutDot(row.origin ?? '')
  const lines = records.flatMap((one) => {
    const { name, type, data, aux, ttl } = one
    if (one.zone !== row.id || !isOn(one.active) || !type || data === null || data === undefined) return []
    const content = data.replace(/[\r\n]+/g, ' ')
    const priority = type === 'MX' || type === 'SRV' ? `${Number(aux) || 0} ` : ''
    const value = type === 'TXT' && !content.startsWith('"') ? JSON.stringify(content) : content
    return `${name || '@'}\t${/^\d{1,9}$/.test(ttl ?? '') ? ttl : '3600'}\tIN\t${type}\t${priority}${value}`
  })
  inventory.zones.push({
    ...{ domain, text: `${lines.join('\n')}\n`, records: lines.length },
    ...{ dnssec: isOn(row.dnssec_wanted), suspended: !isOn(row.active) },
  })
}
const withoutDot = (text: string) => (text.endsWith('.') ? text.slice(0, -1) : text)

function cron({ inventory }: Layout, row: Row): void {
  const command = row.command?.trim()
  if (!command) return
  const when = [row.run_min, row.run_hour, row.run_mday, row.run_month, row.run_wday].map((one) => one?.trim() || '*')
  const isAddress = row.type === 'url' && /^https?:\/\/[^\s'\\]{1,1500}$/.test(command)
  inventory.cron.push({
    when: when.join(' '),
    // `%` is a new line for cron
    command: isAddress ? `curl -fsS -o /dev/null '${command.replaceAll('%', '\\%')}'` : command,
    suspended: !isOn(row.active),
  })
}

function ftp({ inventory, secrets }: Layout, row: Row, sites: readonly Row[]): void {
  const name = row.username ?? ''
  const site = sites.find((one) => one.domain_id === row.parent_domain_id)
  const [base, dir] = [withoutSlashes(site?.document_root ?? ''), withoutSlashes(row.dir ?? '')]
  const path = base && within(dir, base) ? withoutSlashes(dir.slice(base.length), true) : dir
  const hash = row.password ?? undefined
  inventory.ftp.push({
    ...{ name, website: site?.domain ?? '', hash: formOf(hash) },
    path: path.replace(/^web(?=\/|$)/, 'public_html'),
  })
  if (hash) secrets.ftp[name] = hash
}
