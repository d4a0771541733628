import { isIPv4, isIPv6 } from './contents.ts'
import { type Read, readTarget } from './names.ts'
import { quoted, unquote } from './txt.ts'

/** Keys of service parameters by their numbers (RFC 9460). */
const serviceKeys = ['mandatory', 'alpn', 'no-default-alpn', 'port', 'ipv4hint', 'ech', 'ipv6hint']
/** Later keys, which PowerDNS knows only by number. */
const laterKeys: Readonly<Record<string, number>> = { dohpath: 7, ohttp: 8 }
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const nameOf = (id: number): string => serviceKeys[id] ?? `key${id}`
/** The number of a parameter; undefined if it is none. */
function numberOf(key: string): number | undefined {
  const known = serviceKeys.indexOf(key)
  if (known >= 0) return known
  const number = /^key(?:0|[1-9]\d{0,4})$/.test(key) ? Number(key.slice(3)) : laterKeys[key]
  return number !== undefined && number < 65_535 ? number : undefined // the last one is reserved
}

/** All parts of a list, each in its usual form; undefined if one has none. */
function every(value: string, usual: (part: string) => string | undefined): string[] | undefined {
  const parts = value.split(',').map(usual)
  return parts.includes(undefined) ? undefined : parts.filter((part) => part !== undefined)
}
const ifIs = (is: boolean, text: string): string | undefined => (is ? text : undefined)
/** The one form of each parameter that PowerDNS accepts. PowerDNS refuses a whole change that has another form. */
const forms: Readonly<Record<number, { usual(value: string): string | undefined; say: string }>> = {
  0: {
    usual(value) {
      const ids = value.split(',').map((key) => numberOf(key.toLowerCase()))
      const isGood = !ids.includes(undefined) && !ids.includes(0) && new Set(ids).size === ids.length
      return ifIs(
        isGood,
        ids
          .flatMap((id) => id ?? [])
          .sort((a, b) => a - b)
          .map(nameOf)
          .join(),
      )
    },
    say: 'names of other parameters',
  },
  // an escaped comma or blank has another form in each program
  1: { usual: (value) => ifIs(/^[\w./+:-]+(?:,[\w./+:-]+)*$/.test(value), value), say: 'names of protocols: h2,h3' },
  3: {
    usual: (value) => ifIs(/^\d{1,5}$/.test(value) && Number(value) <= 65_535, String(Number(value))),
    say: 'a number',
  },
  4: { usual: (value) => every(value, (one) => ifIs(isIPv4(one), one))?.join(), say: 'IPv4 addresses' },
  5: { usual: (value) => ifIs(base64.test(value), `"${value}"`), say: 'base64' },
  6: { usual: (value) => every(value, isIPv6)?.join(), say: 'IPv6 addresses' },
}

/** Content of an SVCB or HTTPS record: priority, target and parameters in the order of their numbers. */
export function readService(content: string, zone: string): Read<string> {
  const words = content.match(/(?:"(?:\\.|[^"\\])*"|[^\s"])+/g) ?? []
  const [priority = '', host, ...rest] = words
  if (!/^\d{1,5}$/.test(priority) || Number(priority) > 65535 || host === undefined)
    return { problem: 'Priority, target and parameters: 1 . alpn=h2,h3' }
  const to = readTarget(host, zone, true)
  if (to.value === undefined) return to
  if (priority === '0' && rest.length) return { problem: 'An alias (priority 0) has no parameters' }
  const found = new Map<number, string>()
  for (const word of rest) {
    const at = word.indexOf('=')
    const key = (at < 0 ? word : word.slice(0, at)).toLowerCase()
    const id = numberOf(key)
    if (id === undefined) return { problem: `${key.slice(0, 30)} is not a parameter` }
    if (found.has(id)) return { problem: `${key} is stated twice` }
    const raw = at < 0 ? '' : word.slice(at + 1)
    const bytes = raw.startsWith('"') ? unquote(raw)?.[0] : unquote(`"${raw.replaceAll('"', '\\"')}"`)?.[0]
    if (!bytes) return { problem: `The value of ${key} cannot be read` }
    const value = String.fromCharCode(...bytes)
    const name = nameOf(id)
    const form = forms[id]
    const usual = form?.usual(value)
    if (id === 2 && value) return { problem: 'no-default-alpn has no value' }
    if (form && usual === undefined) return { problem: `${name} needs ${form.say}` }
    found.set(id, id === 2 ? name : `${name}=${usual ?? quoted(bytes)}`)
  }
  const lacking = found
    .get(0)
    ?.slice('mandatory='.length)
    .split(',')
    .find((key) => !found.has(numberOf(key) ?? 0))
  if (lacking) return { problem: `mandatory names ${lacking}, which is not there` }
  const params = [...found].sort(([a], [b]) => a - b).map(([, param]) => param)
  return { value: [Number(priority), to.value, ...params].join(' ') }
}
