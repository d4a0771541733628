import { isIPv4, isIPv6 } from './contents.ts'
import { type Read, readTarget } from './names.ts'
import { numberOfType } from './typeNumbers.ts'

/** Contents of IPSECKEY, APL and CSYNC records, in the only form that PowerDNS accepts. */

const whole = (word: string | undefined, max: number): number | undefined =>
  word !== undefined && /^\d{1,10}$/.test(word) && Number(word) <= max ? Number(word) : undefined

/**
 * IPSECKEY (RFC 4025): precedence, gateway type, algorithm, gateway, key. Without a gateway zone files write `.`, which
 * PowerDNS neither reads nor writes: `10 0 2 AQN…`.
 */
export function readIpseckey(text: string, zone: string): Read<string> {
  const [first, kind, third, ...rest] = text.split(/\s+/)
  const [precedence, type, algorithm] = [whole(first, 255), whole(kind, 3), whole(third, 255)]
  if (precedence === undefined || algorithm === undefined || kind === undefined)
    return { problem: 'Precedence, gateway type, algorithm, gateway and key: 10 1 2 192.0.2.38 AQNRU3mG…' }
  if (type === undefined)
    return { problem: 'The gateway type is 0 (none), 1 (IPv4 address), 2 (IPv6 address) or 3 (name)' }
  if (type === 0 && rest[0] === '.') rest.shift()
  const [gateway = '', ...key] = type === 0 ? ['', ...rest] : rest
  const to = gatewayOf(type, gateway, zone)
  if (to.value === undefined) return to
  const base64 = key.join('')
  if (!base64 || !/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(base64))
    return { problem: 'The key is base64' }
  return { value: [precedence, type, algorithm, ...(to.value ? [to.value] : []), btoa(atob(base64))].join(' ') }
}

function gatewayOf(type: number, gateway: string, zone: string): Read<string> {
  if (type === 0) return { value: '' }
  if (type === 3) {
    const name = readTarget(gateway, zone)
    return name.value === undefined ? { problem: `The gateway: ${name.problem}` } : name
  }
  const value = type === 1 ? (isIPv4(gateway) ? gateway : undefined) : isIPv6(gateway)
  return value ? { value } : { problem: `The gateway is an IPv${type === 1 ? 4 : 6} address` }
}

/** APL (RFC 3123): networks, each with its family (1: IPv4, 2: IPv6), `!` before those that are excepted. */
export function readApl(text: string): Read<string> {
  const networks: string[] = []
  for (const word of text.split(/\s+/)) {
    const [, not = '', family, address = '', length = ''] = /^(!?)([12]):([^/]+)\/(\d{1,3})$/.exec(word) ?? []
    const four = family === '1'
    const value = four ? (isIPv4(address) ? address : undefined) : isIPv6(address)
    if (family === undefined || !value || Number(length) > (four ? 32 : 128))
      return { problem: 'Networks with their family: 1:192.0.2.0/24 !2:2001:db8::/32' }
    if (bitsOf(value, four).slice(Number(length)).includes('1'))
      return { problem: `${word.slice(0, 60)} has an address beyond its prefix` }
    networks.push(`${not}${family}:${value}/${Number(length)}`)
  }
  return { value: networks.join(' ') }
}

/** An address in bits. */
function bitsOf(address: string, four: boolean): string {
  if (four)
    return address
      .split('.')
      .map((part) => Number(part).toString(2).padStart(8, '0'))
      .join('')
  const [head = '', tail] = address.split('::')
  const groups = (part: string) => (part ? part.split(':') : [])
  const [before, after] = [groups(head), groups(tail ?? '')]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].map((part) => Number.parseInt(part, 16).toString(2).padStart(16, '0')).join('')
}

/** CSYNC (RFC 7477): serial, flags and the types that the parent zone copies, in the order of their numbers. */
export function readCsync(text: string): Read<string> {
  const [first, second, ...types] = text.split(/\s+/)
  const [serial, flags] = [whole(first, 0xffff_ffff), whole(second, 3)]
  if (serial === undefined || flags === undefined || !types.length)
    return { problem: 'Serial, flags from 0 to 3 and types: 2026010101 3 A NS AAAA' }
  const numbers = new Map(types.map((type) => [type.toUpperCase(), numberOfType(type.toUpperCase())]))
  for (const [type, number] of numbers)
    if (number === undefined) return { problem: `${type.slice(0, 20)} is not a type` }
  const sorted = [...numbers].sort(([, a = 0], [, b = 0]) => a - b).map(([type]) => type)
  return { value: [serial, flags, ...sorted].join(' ') }
}
