import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { digits, flag, lower, only, orNull, type Rule, rule, word } from './rule.ts'

const letters = `${lower}${lower.toUpperCase()}`
const base64 = `${letters}${digits}+/`
const numberIn = (min: number, max: number): Rule => ({
  kind: 'word',
  read: (value) => (Number.isInteger(value) && Number(value) >= min && Number(value) <= max ? `${value}` : undefined),
})
/** Seconds; forms send them as text. */
const seconds = (min: number, max: number): Rule => ({
  kind: 'word',
  read: (value) =>
    numberIn(min, max).read(typeof value === 'string' && only(value.trim(), digits) ? Number(value) : value),
})
const address = rule('word', (text) => (isIP(text) ? text : undefined))
/** An address, or a network with its prefix length. */
const network = rule('word', (typed) => {
  const [host = '', width, ...more] = typed.trim().split('/')
  const bits = isIP(host) === 6 ? 128 : 32
  const fits = width === undefined || (only(width, digits) && width === `${Number(width)}` && Number(width) <= bits)
  return isIP(host) && fits && !more.length ? typed : undefined
})
/** A path of ASCII letters, digits and a few signs, without dot folders and outside ours. */
const pathLike = (text: string) => {
  const parts = text.split('/').slice(1)
  const clean = parts.every((part, n) => (part !== '' || n === parts.length - 1) && part !== '.' && part !== '..')
  const ours = text.startsWith('/.well-known') || text.startsWith('/.innkeeper')
  return (
    text.startsWith('/') &&
    text.length >= 2 &&
    text.length <= 201 &&
    clean &&
    !ours &&
    only(text, `${letters}${digits}/_.~-`)
  )
}
const path = rule('word', (typed) => (pathLike(typed.trim()) ? typed.trim() : undefined))
const from = rule('word', (typed) => {
  const text = typed.trim()
  const start = text.endsWith('/*') ? text.slice(0, -1) : text
  return text !== '/*' && (text === '/' || pathLike(start)) ? text : undefined
})
const to = rule('word', (typed) => {
  const text = typed.trim()
  const rest = text.replace(/^https?:\/\/[^/]+/, '')
  const printable = [...text].every((c) => c > ' ' && c <= '~' && !'"$\\'.includes(c))
  return rest.startsWith('/') && !rest.startsWith('//') && printable && text.length <= 1000 ? text : undefined
})
const header = rule('word', (typed) => {
  const text = typed.trim()
  return only(text, `${letters}${digits}-`) && letters.includes(text[0] ?? '-') && text.length <= 64 ? text : undefined
})
const value = rule('word', (typed) => {
  const text = typed.trim()
  return text.length <= 4000 && [...text].every((c) => c >= ' ' && c <= '~' && !'$\\'.includes(c)) ? text : undefined
})
const html = rule('word', (text) => (text.trim().length > 0 && text.trim().length <= 50_000 ? text : undefined))
const passwords = rule('word', (text) =>
  text.length <= 60_000 &&
  (text === '' || text.endsWith('\n')) &&
  text
    .split('\n')
    .slice(0, -1)
    .every((line) => {
      const [name = '', hash = '', ...more] = line.split(':')
      const [, kind, salt = '', digest = ''] = hash.split('$')
      const letter = `${letters}${digits}./`
      const named = only(name, `${letters}${digits}_.@-`) && name.length <= 64
      return named && !more.length && kind === '6' && only(salt, letter) && salt.length === 16 && only(digest, letter)
    })
    ? text
    : undefined,
)
const certificateName = rule('word', (typed) => {
  const name = typed.trim().toLowerCase().replace(/\.$/, '')
  const ascii = domainToASCII(name)
  const labels = ascii.split('.')
  const good = (label: string) => only(label, `${lower}${digits}-`) && label.length <= 63
  return labels.length > 1 && labels.every(good) && !only(labels.at(-1) ?? '', digits) ? ascii : undefined
})
const transferKey = rule('word', (text) =>
  text.length === 44 && text.endsWith('=') && only(text.slice(0, -1), base64) ? text : undefined,
)

const own: Record<string, Rule> = {
  path,
  from,
  to,
  status: numberIn(300, 599),
  name: header,
  value,
  html,
  minutes: orNull(numberIn(0, 43_200)),
}
/** Fields of the rules of edges, and of the options of zones. */
export const edgeFields: Record<string, Rule> = {
  ...Object.fromEntries(
    ['edge-site.ensure', 'edge-sites.compare'].flatMap((operation) =>
      Object.entries(own).map(([field, its]) => [`${operation} ${field}`, its]),
    ),
  ),
  fetch: word('http', 'https'),
  allow: network,
  deny: network,
  certificateName,
  passwords,
  passwordsSum: rule('word', (text) =>
    text === '' || (only(text, `${digits}abcdef`) && text.length === 64) ? text : undefined,
  ),
  refresh: seconds(300, 604_800),
  retry: seconds(60, 86_400),
  expire: seconds(86_400, 4_838_400),
  minimum: seconds(0, 86_400),
  nsec3: flag,
  cds: flag,
  outside: address,
  outsideKey: transferKey,
}
