import { quoted } from './txt.ts'
import { nameOfNumber } from './typeNumbers.ts'

/**
 * Converts a record whose type or data is written in numbers (RFC 3597) to the usual form of its type: `TYPE1 \# 4
 * c0000201` becomes `A 192.0.2.1`. Undefined if the data does not fit the type, or the type has no decoder here.
 */
export function decoded(type: string, data: readonly string[]): { type: string; data: string[] } | undefined {
  const number = /^TYPE(\d{1,5})$/.exec(type)?.[1]
  const name = number === undefined ? type : nameOfNumber(Number(number))
  if (name === undefined) return { type, data: [...data] }
  if (data[0] !== '\\#') return { type: name, data: [...data] }
  const digits = data.slice(2).join('')
  if (!/^(?:[0-9a-f]{2})+$/i.test(digits) || digits.length !== Number(data[1]) * 2) return undefined
  const bytes = (digits.match(/../g) ?? []).map((two) => Number.parseInt(two, 16))
  const words = wordsOf(name, bytes)
  return words && { type: name, data: words }
}

function wordsOf(type: string, bytes: readonly number[]): string[] | undefined {
  const u16 = (at: number) => String(((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0))
  const named = (before: string[], at: number) => {
    const name = nameAt(bytes, at)
    return name === undefined ? undefined : [...before, name]
  }
  if (type === 'A') return bytes.length === 4 ? [bytes.join('.')] : undefined
  if (type === 'AAAA')
    return bytes.length === 16
      ? [[0, 2, 4, 6, 8, 10, 12, 14].map((at) => Number(u16(at)).toString(16)).join(':')]
      : undefined
  if (['NS', 'CNAME', 'PTR', 'DNAME', 'ALIAS', 'MB', 'MG', 'MR'].includes(type)) return named([], 0)
  if (['MX', 'KX', 'AFSDB', 'LP'].includes(type)) return named([u16(0)], 2)
  if (type === 'SRV') return named([u16(0), u16(2), u16(4)], 6)
  if (type === 'TXT' || type === 'SPF') {
    const strings: string[] = []
    for (let at = 0; at < bytes.length; at += 1 + (bytes[at] ?? 0))
      strings.push(quoted(bytes.slice(at + 1, at + 1 + (bytes[at] ?? 0))))
    return strings
  }
  if (type === 'NAPTR') {
    let at = 4
    const strings = [0, 1, 2].map(() => {
      const end = at + 1 + (bytes[at] ?? 0)
      const text = quoted(bytes.slice(at + 1, end))
      at = end
      return text
    })
    return named([u16(0), u16(2), ...strings], at)
  }
  if (type === 'HTTPS' || type === 'SVCB') return serviceOf(bytes)
  if (type === 'CAA') {
    const end = 2 + (bytes[1] ?? 0)
    return [String(bytes[0]), String.fromCharCode(...bytes.slice(2, end)), quoted(bytes.slice(end))]
  }
  const digest = { TLSA: 3, SMIMEA: 3, SSHFP: 2 }[type]
  const hex = (from: number) =>
    bytes
      .slice(from)
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('')
  if (digest) return [...bytes.slice(0, digest).map(String), hex(digest)]
  if (type === 'DS') return [u16(0), String(bytes[2]), String(bytes[3]), hex(4)]
  return undefined
}

/** Priority, target and parameters (RFC 9460). A parameter without a name here has a number: `key7`. */
function serviceOf(bytes: readonly number[]): string[] | undefined {
  let end = 2
  while (bytes[end]) end += 1 + (bytes[end] ?? 0)
  const target = nameAt(bytes.slice(0, end + 1), 2)
  if (target === undefined) return undefined
  const u16 = (at: number) => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
  const words = [String(u16(0)), target === '.' || target === '' ? '.' : target]
  for (let at = end + 1; at < bytes.length; ) {
    const [key, length] = [u16(at), u16(at + 2)]
    const value = bytes.slice(at + 4, at + 4 + length)
    if (value.length !== length) return undefined
    words.push(parameterOf(key, value))
    at += 4 + length
  }
  return words
}

function parameterOf(key: number, value: readonly number[]): string {
  const two = (at: number) => ((value[at] ?? 0) << 8) | (value[at + 1] ?? 0)
  const steps = (size: number) => Array.from({ length: Math.floor(value.length / size) }, (_, n) => n * size)
  if (key === 0) return `mandatory=${steps(2).map((at) => serviceKeys[two(at)] ?? `key${two(at)}`)}`
  if (key === 1) {
    const names: string[] = []
    for (let at = 0; at < value.length; at += 1 + (value[at] ?? 0))
      names.push(String.fromCharCode(...value.slice(at + 1, at + 1 + (value[at] ?? 0))))
    return `alpn=${names}`
  }
  if (key === 2) return 'no-default-alpn'
  if (key === 3) return `port=${two(0)}`
  if (key === 4) return `ipv4hint=${steps(4).map((at) => value.slice(at, at + 4).join('.'))}`
  if (key === 5) return `ech=${btoa(String.fromCharCode(...value))}`
  if (key === 6)
    return `ipv6hint=${steps(16).map((at) => [0, 2, 4, 6, 8, 10, 12, 14].map((n) => two(at + n).toString(16)).join(':'))}`
  return `key${key}=${quoted([...value])}`
}
const serviceKeys = ['mandatory', 'alpn', 'no-default-alpn', 'port', 'ipv4hint', 'ech', 'ipv6hint']

function nameAt(bytes: readonly number[], from: number): string | undefined {
  const labels: string[] = []
  for (let at = from; ; ) {
    const length = bytes[at]
    if (length === undefined || length > 63) return undefined
    if (length === 0) return at === bytes.length - 1 ? `${labels.join('.')}.` : undefined
    const label = String.fromCharCode(...bytes.slice(at + 1, at + 1 + length))
    labels.push(label.replace(/[^\w-]/g, (c) => (c === '.' ? '\\.' : `\\${String(c.charCodeAt(0)).padStart(3, '0')}`)))
    at += 1 + length
  }
}
