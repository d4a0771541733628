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

/** Fields of operations on archives of other panels. */
export const archiveFields: Record<string, Rule> = {
  importId: id,
  archive,
  spool,
  'archive.fetch key': key,
  'archive.fetch size': size,
  'archive.unpack file': file,
  'archive.unpack database': database,
  'archive.compare databases': database,
  'archive.compare mailboxes': id,
  'database-user.ensure password': password,
  'site-config.adapt password': password,
}
