/**
 * IP addresses and networks as numbers; an address is a network of size one. Input is text that people typed. The
 * canonical form has IPv6 as in RFC 5952, no bits beyond the prefix, and IPv4-mapped addresses (`::ffff:192.0.2.1`) as
 * IPv4.
 */
export interface Network {
  family: 4 | 6
  first: bigint
  last: bigint
  prefix: number
  /** Canonical form: `192.0.2.1`, `10.0.0.0/8`, `2001:db8::/32`. */
  text: string
}

export const bitsOf = (family: 4 | 6) => (family === 4 ? 32 : 128)
/** The last address of an address family. */
export const endOf = (family: 4 | 6) => (1n << BigInt(bitsOf(family))) - 1n

/** Parses an address or a network; undefined if the text is neither. */
export function readNetwork(typed: string): Network | undefined {
  const [, host = '', width] = /^([0-9A-Fa-f:.]{2,45})(?:\/(\d{1,3}))?$/.exec(typed.trim()) ?? []
  const read = readAddress(host)
  if (!read) return undefined
  const bits = bitsOf(read.family)
  const prefix = width === undefined ? bits : Number(width)
  if (prefix > bits || (width?.startsWith('0') && width !== '0')) return undefined
  const mapped = read.family === 6 && prefix >= 96 && read.value >> 32n === MAPPED
  return mapped ? networkOf(4, read.value & endOf(4), prefix - 96) : networkOf(read.family, read.value, prefix)
}

/** `::ffff:0:0/96`, the IPv6 range of IPv4-mapped addresses. */
const MAPPED = 0xffffn

/** The network with this prefix length that contains an address. */
export function networkOf(family: 4 | 6, address: bigint, prefix: number): Network {
  const bits = bitsOf(family)
  const free = BigInt(bits - prefix)
  const first = (address >> free) << free
  const text = prefix === bits ? textOf(family, first) : `${textOf(family, first)}/${prefix}`
  return { family, first, last: first | ((1n << free) - 1n), prefix, text }
}

/** All networks that contain this one, widest first; the last is the network itself. */
export const around = ({ family, first, prefix }: Network): Network[] =>
  Array.from({ length: prefix + 1 }, (_, width) => networkOf(family, first, width))

export const holds = (outer: Network, inner: Network) =>
  outer.family === inner.family && outer.first <= inner.first && outer.last >= inner.last

/** Parses an address; undefined if invalid. Refuses octets with leading zeros, which some programs read as octal. */
export function readAddress(text: string): { family: 4 | 6; value: bigint } | undefined {
  if (text.includes(':')) return readV6(text)
  const octets = text.split('.')
  const good = octets.length === 4 && octets.every((one) => /^(0|[1-9]\d{0,2})$/.test(one) && Number(one) <= 255)
  return good ? { family: 4, value: BigInt(octets.reduce((sum, one) => sum * 256 + Number(one), 0)) } : undefined
}

function readV6(text: string): { family: 6; value: bigint } | undefined {
  const host = `http://[${text}]`
  if (!URL.canParse(host)) return undefined
  const [head = '', tail] = new URL(host).hostname.slice(1, -1).split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
  return { family: 6, value: groups.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n) }
}

/** Formats an address. */
export function textOf(family: 4 | 6, value: bigint): string {
  if (family === 4) {
    const all = Number(value)
    return `${all >>> 24}.${(all >>> 16) & 255}.${(all >>> 8) & 255}.${all & 255}`
  }
  const groups = Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16))
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}

/** A key of fixed width per family that sorts in address order: `40a000000`. */
export const keyOf = (family: 4 | 6, value: bigint): string =>
  `${family}${value.toString(16).padStart(bitsOf(family) / 4, '0')}`
export const numberOf = (key: string): bigint => BigInt(`0x${key.slice(1)}`)
