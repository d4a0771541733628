import { privateTarget } from './backupFields.ts'
import { digits, lower, only, type Rule, rule } from './rule.ts'

const id: Rule = {
  kind: 'whole',
  read: (value) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 2_147_483_647 ? `${value}` : undefined,
}
const size: Rule = {
  kind: 'whole',
  read: (value) => (Number.isSafeInteger(value) && Number(value) >= 1 ? `${value}` : undefined),
}
const folders = ['/backup', '/backups', '/home', '/media', '/mnt', '/opt', '/root', '/srv', '/tmp']
const deeper = ['/var/backups', '/var/lib/innkeeper/imports', '/var/tmp']
/** An archive on the server: below a folder in which people put archives. */
const archive = rule('word', (typed) => {
  const text = typed.trim()
  const folder = [...folders, ...deeper].find((one) => text.startsWith(`${one}/`))
  if (!folder) return undefined
  const parts = text.slice(folder.length + 1).split('/')
  const hidden = [...text].some((c) => /[\p{C}\p{Zl}\p{Zp}]/u.test(c) || c === '\ufffd')
  const good = (part: string) => !['', '.', '..'].includes(part) && [...part].length <= 255
  return !hidden && parts.length <= 20 && parts.every(good) ? text : undefined
})
/** A dump in the spool folder: `import-12.dump`. */
const file = rule('word', (text) => {
  const number = text.slice('import-'.length, -'.dump'.length)
  return text === `import-${number}.dump` && only(number, digits) && number.length <= 12 ? text : undefined
})
const database = rule('word', (text) => {
  const fits = only(text, `${lower}${digits}_`) && lower.includes(text[0] ?? '_') && text.length >= 2
  const own = 'mysql sys information_schema performance_schema test postgres template0 template1'.split(' ')
  return fits && text.length <= 64 && !own.includes(text) ? text : undefined
})
const spool = rule('word', (text) => {
  const name = text.replace(/[.](sql|log|cron|keys)[.]gz$/, '')
  const fits = name !== text && only(name, `${lower}${digits}_-`) && `${lower}${digits}`.includes(name[0] ?? '-')
  return fits && name.length <= 151 ? text : undefined
})
const key = rule('word', (text) => (only(text, `${digits}abcdef`) && text.length === 32 ? text : undefined))

/** A password, or the hash of an account that came with an archive: an asterisk and 40 digits of base 16. */
const password = rule('word', (text) => {
  const isHash = text.length === 41 && text.startsWith('*') && only(text.slice(1), `${digits}ABCDEF`)
  const isPassword = only(text, `${lower}${lower.toUpperCase()}${digits}_-`) && text.length >= 16 && text.length <= 128
  return isHash || isPassword ? text : undefined
})

/** An address from which an archive is fetched: HTTPS without a login, or SFTP with a user and a path. */
const from = rule('word', (typed) => {
  const text = typed.trim()
  const [scheme = '', rest = ''] = [text.slice(0, text.indexOf('//') + 2), text.slice(text.indexOf('//') + 2)]
  const slash = rest.indexOf('/')
  const [place, path] = [rest.slice(0, slash), rest.slice(slash + 1)]
  if (slash < 1 || path === '' || text.length > 2000) return undefined
  const hostFits = (host: string) => {
    const [name = '', port] = host.split(':')
    const portFits = port === undefined || (only(port, digits) && port.length <= 5)
    return host.split(':').length <= 2 && only(name, `${lower}${digits}.-`) && name.length <= 253 && portFits
  }
  const letters = `${lower}${lower.toUpperCase()}${digits}`
  if (scheme === 'https://')
    return hostFits(place) && only(path, `${letters}._~!$&'()*+,;=:@%/?-`) && path.length <= 1500 ? text : undefined
  if (scheme !== 'sftp://') return undefined
  const [user = '', host = ''] = [place.slice(0, place.indexOf('@')), place.slice(place.indexOf('@') + 1)]
  const userFits = only(user, `${lower}${digits}_.-`) && `${lower}_`.includes(user[0] ?? '-') && user.length <= 32
  const parts = path.split('/')
  const partFits = (part: string) =>
    only(part, `${letters}._~+,=@ -`) && !['.', '..'].includes(part) && part.length <= 255
  return userFits && place.includes('@') && hostFits(host) && parts.length <= 20 && parts.every(partFits)
    ? text
    : undefined
})
/** A name as a machine has it: no control characters. */
const foundName = rule('word', (text) =>
  text.length >= 1 && [...text].length <= 253 && ![...text].some((c) => /\p{C}/u.test(c)) ? text : undefined,
)
const login = rule('word', (text) => (text.length >= 1 && text.length <= 20_000 ? text : undefined))
const hostKey = rule('word', (typed) => {
  const text = typed.trim()
  const rest = text.slice('SHA256:'.length)
  const fits = only(rest, `${lower}${lower.toUpperCase()}${digits}+/`) && rest.length === 43
  return text.startsWith('SHA256:') && fits ? text : undefined
})

/** Fields of operations on archives of other panels. */
export const archiveFields: Record<string, Rule> = {
  importId: id,
  archive,
  spool,
  'archive.fetch key': key,
  'archive.fetch size': size,
  'archive.download from': from,
  'archive.download privateTargets': privateTarget,
  'archive.download login': login,
  'archive.download hostKey': hostKey,
  'machine.open account': foundName,
  'machine.open websites': foundName,
  'machine.open databases': foundName,
  'place.look website': foundName,
  'place.take website': foundName,
  mailDomains: foundName,
  'archive.unpack file': file,
  'archive.unpack database': database,
  'archive.compare databases': database,
  'archive.compare mailboxes': id,
  'database-user.ensure password': password,
  'site-config.adapt password': password,
}
