import { digits, lower, only, orNull, type Rule, rule, word } from './rule.ts'

const services = [
  ...['nginx', 'apache', 'php', 'mariadb', 'postgresql', 'redis', 'powerdns', 'bind', 'postfix', 'dovecot'],
  ...['ftp', 'ssh', 'nftables', 'tls', 'accounts', 'cron', 'system'],
]
const letters = `${lower}${lower.toUpperCase()}`
const hidden = (text: string) => [...text].some((c) => /[\p{C}\p{Zl}\p{Zp}]/u.test(c) || c === '\ufffd')
/** A file below /etc or among the crontabs. */
const path = rule('word', (text) => {
  const below = ['/etc/', '/var/spool/cron/crontabs/'].find((start) => text.startsWith(start))
  const parts = below ? text.slice(below.length).split('/') : []
  const good = (part: string) => part !== '' && part !== '.' && part !== '..' && !hidden(part)
  return parts.length > 0 && parts.every(good) && [...text].length <= 500 ? text : undefined
})
const sum = rule('word', (text) => (only(text, `${digits}abcdef`) && text.length === 64 ? text : undefined))
const name = rule('word', (text) => {
  const fits = only(text, `${letters}${digits}_.-`) && !'.-'.includes(text.slice(0, 1))
  return fits && text.length <= 64 ? text : undefined
})
const content = rule('word', (text) => {
  const body = text.replace(/={1,2}$/, '')
  const fits = text === '' || (only(body, `${letters}${digits}+/`) && text.length % 4 === 0)
  return fits && text.length <= 200_000 ? text : undefined
})
const target = rule('word', (text) => (text !== '' && [...text].length <= 500 && !hidden(text) ? text : undefined))
const mode: Rule = {
  kind: 'whole',
  read: (value) => (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 0o7777 ? `${value}` : undefined),
}
const ofReset: Record<string, Rule> = {
  ...{ path, mode, owner: name, group: name, service: word(...services), kind: word('file', 'link'), remove: path },
  ...{ hash: orNull(sum), seal: orNull(sum), target: orNull(target), content: orNull(content) },
}

/** Fields of operations on configurations; other operations have fields of the same names with other values. */
export const configFields: Record<string, Rule> = {
  'configs.list after': path,
  ...{ 'configs.read path': path, 'configs.read hash': sum, 'configs.read gone': path },
  ...Object.fromEntries(
    ['configs.preview', 'configs.reset'].flatMap((operation) =>
      Object.entries(ofReset).map(([field, found]) => [`${operation} ${field}`, found]),
    ),
  ),
}
