import { domainToASCII } from 'node:url'
import { phpExtensions } from '@innkeeper/contract/hosting/phpExtensions'
import { backupFields } from './backupFields.ts'
import { configFields } from './configFields.ts'
import { ftpFields } from './ftpFields.ts'
import { laterFields } from './laterFields.ts'
import { mailFields } from './mailFields.ts'
import { digits, flag, ip, lower, only, orNull, type Rule, rule, word } from './rule.ts'

const siteState = word('active', 'suspended', 'maintenance', 'moving', 'moved')
/**
 * RFC 1123 names of two or more labels. International names must consist of label characters only, never of a whole
 * URL.
 */
const domain = rule('domain', (typed) => {
  const name = typed.trim().toLowerCase().replace(/\.$/, '')
  const foreign = [...name].some((c) => c > '\x7f')
  if (!only([...name].filter((c) => c <= '\x7f').join('') || '.', `${lower}${digits}-.`)) return undefined
  const ascii = foreign ? domainToASCII(name) : name
  const labels = ascii.split('.')
  const good = (label: string) =>
    only(label, `${lower}${digits}-`) && label.length <= 63 && !label.startsWith('-') && !label.endsWith('-')
  const fits = labels.length > 1 && ascii.length >= 4 && ascii.length <= 253 && labels.every(good)
  return fits && !only(labels.at(-1) ?? '', digits) ? ascii : undefined
})
/** A host name, or a wildcard with an asterisk as its first label. */
const served = rule('domain', (typed) => {
  const [first, ...below] = typed.trim().split('.')
  const name = first === '*' ? domain.read(below.join('.')) : domain.read(typed)
  return first === '*' && name ? `*.${name}` : name
})
const account = rule('account', (name) => {
  const fits = only(name, `${lower}${digits}_`) && lower.includes(name.slice(0, 1)) && name.length <= 31
  return fits ? name : undefined
})
const path = rule('path', (text) => {
  const [root, home, user = '', ...below] = text.split('/')
  const good = (part: string) =>
    only(part, `${lower}${lower.toUpperCase()}${digits}._-`) && part.length <= 128 && part !== '.' && part !== '..'
  const fits = root === '' && home === 'home' && account.read(user) === user && below.length <= 8 && below.every(good)
  return fits ? text : undefined
})
const version = rule('version', (text) => {
  const [major = '', minor = '', ...more] = text.split('.')
  return only(major, '56789') && major.length === 1 && only(minor, digits) && minor.length <= 2 && !more.length
    ? text
    : undefined
})
/** A package name. `name-` and `name+` are commands of apt, unless they are names such as `g++`. */
const packageName = rule('package', (text) => {
  const fits = only(text, `${lower}${digits}+.-`) && `${lower}${digits}`.includes(text.slice(0, 1))
  return fits && text.length >= 2 && text.length <= 64 && !text.endsWith('-') ? text : undefined
})
/** A version such as `1.2.3`, with up to 20 further characters. */
const release = rule('word', (text) => {
  const [, ending] = /^[0-9]+[.][0-9]+[.][0-9]+(.*)$/s.exec(text) ?? []
  return ending === '' || (ending !== undefined && only(ending, `${lower}${digits}.-`) && ending.length <= 20)
    ? text
    : undefined
})
const address = rule('word', (text) =>
  text.startsWith('https://') && only(text, `${lower}${lower.toUpperCase()}${digits}:/._~-`) ? text : undefined,
)
const dump = rule('word', (text) => {
  const name = text.replace(/[.](sql|log|cron|keys)[.]gz$/, '')
  const fits = name !== text && only(name, `${lower}${digits}_-`) && `${lower}${digits}`.includes(name[0] ?? '-')
  return fits && name.length <= 151 ? text : undefined
})
const transfer = rule('word', (text) =>
  only(text, `${lower}${digits}-`) && text[0] !== '-' && text.length <= 40 ? text : undefined,
)
const sum = rule('word', (text) => (only(text, `${digits}abcdef`) && text.length === 64 ? text : undefined))
/** Path of a file within a folder, without characters that a terminal or an editor would hide. */
const wayOf = (most: number, isGood: (part: string) => boolean) =>
  rule('word', (text) => {
    const hidden = [...text].some((c) => /[\p{C}\p{Zl}\p{Zp}]/u.test(c))
    const parts = text.split('/')
    const leaves = text.startsWith('/') || parts.includes('.') || parts.includes('..')
    return text && !hidden && !leaves && parts.every(isGood) && [...text].length <= most ? text : undefined
  })
const within = wayOf(400, () => true)
const withinPath = wayOf(1000, (part) => part !== '' && !part.includes('\ufffd'))
/** Accounts and databases of MariaDB and PostgreSQL, except their own. */
const nameIn = (most: number, ...own: string[]) =>
  rule('word', (text) => {
    const fits = only(text, `${lower}${digits}_`) && lower.includes(text.slice(0, 1)) && text.length >= 2
    return fits && text.length <= most && !own.includes(text) ? text : undefined
  })
const ownDatabases = 'mysql sys information_schema performance_schema test postgres template0 template1'
const ownAccounts = 'root mysql mariadb public none innkeeper debian_sys_maint postgres innkeeper_accounts'
const database = nameIn(64, ...ownDatabases.split(' '))
const databaseUser = nameIn(32, ...ownAccounts.split(' '))
/** Definer of a view or routine. It is compared with existing accounts and displayed, so it has no line break. */
const runsAs = rule('word', (text) =>
  text.length > 0 && [...text].length <= 400 && ![...text].some((c) => /\p{Cc}/u.test(c)) ? text : undefined,
)
const password = rule('word', (text) => {
  const fits = only(text, `${lower}${lower.toUpperCase()}${digits}_-`)
  return fits && text.length >= 16 && text.length <= 128 ? text : undefined
})
const table = rule('word', (text) => {
  const fits = only(text, `${lower}${lower.toUpperCase()}${digits}_$.-`) && !'.-'.includes(text.slice(0, 1))
  return fits && text.length <= 64 ? text : undefined
})
const whole = (min: number, max: number): Rule => ({
  kind: 'whole',
  read: (value) => (Number.isInteger(value) && Number(value) >= min && Number(value) <= max ? `${value}` : undefined),
})

const sshKey = rule('word', (text) => {
  const body = text.replace(/={1,2}$/, '')
  return only(body, `${lower}${lower.toUpperCase()}${digits}+/`) && body.length >= 40 && body.length <= 3000
    ? text
    : undefined
})
const stamp = rule('word', (text) =>
  text.endsWith('Z') && text.length === 15 && only(text.slice(0, -1), digits) ? text : undefined,
)
const made = rule('word', (text) =>
  only(text, `${lower}${lower.toUpperCase()}${digits}`) && text.length >= 16 && text.length <= 64 ? text : undefined,
)
/** A name in a zone: labels of letters, digits, -, _ and / (RFC 2317); a star only as the first label. */
const owner = rule('word', (text) => {
  const labels = (text.startsWith('*.') ? text.slice(2) : text).split('.')
  const good = (label: string) => only(label, `${lower}${digits}_/-`) && label.length <= 63
  return text.length <= 253 && labels.every(good) ? text : undefined
})
/** Content of a record: printable ASCII on one line. */
const content = rule('word', (text) => {
  const fits = text.length > 0 && text.length <= 40_000 && [...text].every((c) => c >= ' ' && c <= '~')
  return fits ? text : undefined
})
/** PEM: base64 blocks between their first and last lines, and nothing else. */
const pem = (label: string, most: number) =>
  rule('word', (text) => {
    const [first, last] = [`-----BEGIN ${label}-----\n`, `-----END ${label}-----\n`]
    const blocks = text.split(last)
    const good = (block: string) => {
      const lines = block.slice(first.length).split('\n')
      const base64 = `${lower}${lower.toUpperCase()}${digits}+/=`
      return (
        block.startsWith(first) &&
        lines.pop() === '' &&
        lines.length > 0 &&
        lines.every((one) => only(one, base64) && one.length <= 76)
      )
    }
    return blocks.pop() === '' && blocks.length >= 1 && blocks.length <= most && blocks.every(good) ? text : undefined
  })
/** A website's own pool and its body limit, or null: the parts are tried at their own fields. */
const own: Rule = {
  kind: 'word',
  read(value) {
    if (value === null) return 'null'
    if (typeof value !== 'object' || !value || !('pool' in value) || !('bodyMb' in value)) return undefined
    return whole(1, 2_147_483_647).read(value.pool) && whole(1, 2048).read(value.bodyMb) && JSON.stringify(value)
  },
}
/** TLS settings of an edge site, or null. */
const tls: Rule = {
  kind: 'word',
  read(value) {
    if (value === null) return 'null'
    if (typeof value !== 'object' || !value || !('fingerprint' in value) || !('redirect' in value)) return undefined
    return sum.read(value.fingerprint) && typeof value.redirect === 'boolean' ? JSON.stringify(value) : undefined
  },
}
/** Marks of a database: an agent's own answer, sent back unchanged. */
export const marks: Rule = {
  kind: 'word',
  read: (value) =>
    typeof value === 'object' && value && 'at' in value && 'tables' in value ? JSON.stringify(value) : undefined,
}
/** A number for PHP. */
const set = (min: number, max: number): Rule => ({ kind: 'word', read: whole(min, max).read })
/** A time zone name, spelled exactly as in the database. */
const zone = rule('word', (text) => {
  const places = text.split(/[/_+-]/)
  const good = (part: string) => only(part, `${lower}${lower.toUpperCase()}${digits}`) && part.length <= 20
  try {
    return places.every(good) && lower.includes(text[0]?.toLowerCase() ?? '-') && isPlace(text) ? text : undefined
  } catch {
    return undefined // unknown time zone
  }
})
const isPlace = (timeZone: string) => new Date(0).toLocaleString('en', { timeZone }).length > 0
/** Address of a page: complete, printable, with http or https. */
const page = rule('word', (typed) => {
  const text = typed.trim()
  const [scheme, empty, host = '', ...rest] = text.split('/')
  const path = rest.join('/')
  const fits = (scheme === 'http:' || scheme === 'https:') && empty === '' && rest.length > 0
  const named = only(host, `${lower}${digits}.-`) && host.length >= 3 && host.length <= 253
  return fits && named && path.length <= 2000 && [...path].every((c) => c > ' ' && c <= '~') ? text : undefined
})
const yes: Rule = { kind: 'word', read: (value) => (value === true ? 'true' : undefined) }
const recordTypes = 'A AAAA CNAME MX TXT SRV CAA NS PTR TLSA SSHFP ALIAS DS'.split(' ')

/** Name of an IP set, except reserved names. */
const setName = rule('word', (text) => {
  const name = text.trim()
  const fits = only(name, `${lower}${digits}-`) && lower.includes(name.slice(0, 1)) && !name.endsWith('-')
  return fits && name.length >= 2 && name.length <= 31 && name !== 'create' ? name : undefined
})
/** An address, or a network with its prefix length. As in URLs, octets have no leading zeros. */
const network = rule('word', (typed) => {
  const [host = '', width, ...more] = typed.trim().split('/')
  const bits = host.includes(':') ? 128 : 32
  const octets = host.includes(':') || host.split('.').every((one) => one === String(Number(one)))
  const narrow =
    width === undefined || (only(width, digits) && width === String(Number(width)) && Number(width) <= bits)
  return ip.read(host) && octets && narrow && !more.length ? typed : undefined
})

/** Where a database account connects from. */
const databaseHost = rule('word', (typed) => {
  const host = typed.trim().toLowerCase()
  const isNetwork = host.includes('/') && !host.includes(':') && network.read(host) !== undefined
  return host === 'localhost' || ip.read(host) !== undefined || isNetwork ? host : undefined
})
const databasePrivileges = [
  ...['select', 'insert', 'update', 'delete', 'create', 'alter', 'drop', 'index', 'references', 'trigger', 'execute'],
  ...['create temporary tables', 'lock tables', 'create view', 'show view', 'create routine', 'alter routine', 'event'],
]

/** Rules by the name of the field. */
export const rules: Record<string, Rule> = {
  ...laterFields,
  ...configFields,
  ...ftpFields,
  ...mailFields,
  ...backupFields,
  sites: domain,
  websites: domain,
  thumbprint: rule('word', (text) =>
    only(text, `${lower}${lower.toUpperCase()}${digits}_-`) && text.length === 43 ? text : undefined,
  ),
  names: served,
  chain: pem('CERTIFICATE', 10),
  certificate: pem('CERTIFICATE', 10),
  privateKey: pem('PRIVATE KEY', 1),
  redirect: flag,
  hsts: whole(0, 63_072_000),
  serial: whole(0, 4_294_967_295),
  whole: flag,
  signed: flag,
  owner,
  recordType: word(...recordTypes),
  ttl: whole(0, 2_147_483_647),
  contents: content,
  nameServer: domain,
  hostmaster: domain,
  absent: domain,
  primary: ip,
  secondaries: ip,
  zoneKey: rule('word', (text) => {
    const base64 = `${lower}${lower.toUpperCase()}${digits}+/`
    return text.length === 44 && text.endsWith('=') && only(text.slice(0, -1), base64) ? text : undefined
  }),
  digest: rule('word', (text) => (only(text, `${digits}abcdef`) && text.length === 32 ? text : undefined)),
  domain,
  newDomain: domain,
  from: domain,
  to: domain,
  aliases: served,
  redirects: served,
  username: account,
  path,
  root: path,
  beforeRoot: path,
  'ftp-user.ensure site': path,
  'crontab.take from': account,
  within,
  phpVersion: version,
  beforePhp: version,
  uri: address,
  key: address,
  suite: rule('word', (text) =>
    only(text, `${lower}-`) && text[0] !== '-' && text.length >= 2 && text.length <= 41 ? text : undefined,
  ),
  packages: packageName,
  websiteId: whole(1, 2_147_483_647),
  memoryMb: whole(16, 1_048_576),
  cpuPercent: whole(1, 12_800),
  tasks: whole(4, 65_536),
  diskMb: whole(1, 16_777_216),
  folders: path,
  everything: flag,
  maxChildren: whole(1, 256),
  memoryLimitMb: whole(16, 16_384),
  lines: whole(1, 500),
  maxSizeMb: whole(64, 4_194_304),
  keepDays: whole(1, 3650),
  taken: whole(1, Number.MAX_SAFE_INTEGER),
  version: release,
  agent: sum,
  x64: sum,
  arm64: sum,
  type: word(
    ...['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521', 'ssh-rsa'],
    ...['sk-ssh-ed25519@openssh.com', 'sk-ecdsa-sha2-nistp256@openssh.com'],
  ),
  body: sshKey,
  expires: stamp,
  signInPassword: orNull(made),
  listen: word('loopback', 'network'),
  ...{ state: siteState, before: siteState, beforeState: siteState },
  movedTo: ip,
  transfer,
  token: sum,
  address: ip,
  port: whole(1, 65_535),
  minutes: whole(1, 1440),
  mode: word('seed', 'delta'),
  files: dump,
  file: dump,
  sha256: sum,
  kind: word('access', 'error'),
  name: database,
  database,
  user: databaseUser,
  definer: databaseUser,
  definers: runsAs,
  password,
  privileges: word('all', 'read', 'custom'),
  chosen: word(...databasePrivileges),
  host: databaseHost,
  newName: database,
  existing: flag,
  wasUser: databaseUser,
  connection: whole(1, Number.MAX_SAFE_INTEGER),
  rows: whole(1, 1000),
  seconds: whole(1, 60),
  'database.write expected': whole(0, 1_000_000),
  sql: rule('word', (text) => {
    const typed = text.trim()
    return typed.length > 0 && typed.length <= 20_000 ? typed : undefined
  }),
  locked: flag,
  fresh: flag,
  accounts: account,
  noindex: flag,
  spent: flag,
  renew: flag,
  ...{ empty: yes, back: yes, adopted: yes, sums: yes },
  lacking: word('go'),
  mail: word('send', 'hold'),
  was: database,
  copy: { kind: 'word', read: whole(1, 2_147_483_647).read },
  deep: flag,
  warm: flag,
  set: setName,
  change: whole(0, 2_147_483_647),
  'ip-set.ensure ports': whole(1, 65_535),
  first: ip,
  last: ip,
  until: whole(0, 4_294_967_295),
  at: whole(0, 4_294_967_295),
  sum,
  networks: network,
  keep: dump,
  tables: table,
  paths: withinPath,
  pool: { kind: 'word', read: whole(1, 2_147_483_647).read },
  website: { kind: 'word', read: whole(1, 2_147_483_647).read },
  bodyMb: { kind: 'word', read: whole(1, 2048).read },
  beforeOwn: own,
  vhostId: whole(1, 2_147_483_647),
  origin: ip,
  cache: flag,
  tls,
  keepMinutes: whole(1, 43_200),
  stale: flag,
  urls: page,
  prefixes: page,
  changedSince: marks,
  since: whole(0, Number.MAX_SAFE_INTEGER),
  /** Marks may have no table. */
  'database.unchanged since.tables': {
    kind: 'word',
    read: (value) => (JSON.stringify(value) === '{}' ? '{}' : undefined),
  },
  memory_limit: set(16, 4096),
  upload_max_filesize: set(1, 2048),
  post_max_size: set(1, 2048),
  max_execution_time: set(1, 120),
  max_input_time: set(1, 120),
  max_input_vars: set(100, 100_000),
  'session.gc_maxlifetime': set(60, 2_592_000),
  'opcache.revalidate_freq': set(0, 3600),
  'opcache.enable': flag,
  display_errors: flag,
  short_open_tag: flag,
  'date.timezone': zone,
  extensionsOn: word(...phpExtensions),
  extensionsOff: word(...phpExtensions),
}
export const kinds = { domain, served, account, path, version, packageName }
