import type { Read } from './names.ts'
import { quoted, unquote } from './txt.ts'

/** IPv4 with four numbers without leading zeros, because some programs read 010 as 8. */
export const isIPv4 = (text: string): boolean => /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(text)

/**
 * The canonical form of an IPv6 address (RFC 5952), or undefined. PowerDNS reads and writes IPv4-mapped addresses
 * (`::192.0.2.1`) in different forms, so its API cannot keep them.
 */
export function isIPv6(text: string): string | undefined {
  if (!/^[0-9a-fA-F:.]{2,45}$/.test(text)) return undefined
  try {
    const short = new URL(`http://[${text}]`).hostname.slice(1, -1)
    return short.startsWith('::ffff:') || /^::[0-9a-f]+:[0-9a-f]+$/.test(short) ? undefined : short
  } catch {
    return undefined
  }
}

/** Content of a CAA record: flags, tag and value, as in `0 issue "letsencrypt.org"`. */
export function readCaa(text: string): Read<string> {
  const [, flags, tag, rest = ''] = /^(\d{1,3})\s+([A-Za-z0-9]{1,15})\s*(.*)$/s.exec(text) ?? []
  if (flags === undefined || tag === undefined) return { problem: 'Flags, tag and value: 0 issue "letsencrypt.org"' }
  if (Number(flags) > 255) return { problem: 'Flags are between 0 and 255' }
  const value = unquote(rest.trim().startsWith('"') ? rest.trim() : `"${rest.trim().replace(/[\\"]/g, '\\$&')}"`)
  if (value?.length !== 1) return { problem: 'The value must be one quoted text' }
  const [bytes = []] = value
  if (bytes.some((b) => b < 32 || b > 126)) return { problem: 'The value contains characters that are not allowed' }
  if (bytes.length > 255) return { problem: 'The value is longer than 255 characters' }
  return { value: `${Number(flags)} ${tag.toLowerCase()} ${quoted(bytes)}` }
}

interface Digest {
  say: string
  /** Maximum of each number before the digest. */
  numbers: { name: string; max: number }[]
  /** Number of hexadecimal digits by the number that names the digest type; other types allow any even number. */
  kind: number
  lengths: Record<number, number>
}
const digests: Record<'TLSA' | 'SSHFP' | 'DS', Digest> = {
  TLSA: {
    say: 'Usage, selector, matching type and digest: 3 1 1 0a1b…',
    numbers: [
      { name: 'Usage', max: 255 },
      { name: 'Selector', max: 255 },
      { name: 'Matching type', max: 255 },
    ],
    kind: 2,
    lengths: { 1: 64, 2: 128 },
  },
  SSHFP: {
    say: 'Algorithm, type and fingerprint: 4 2 0a1b…',
    numbers: [
      { name: 'Algorithm', max: 255 },
      { name: 'Type', max: 255 },
    ],
    kind: 1,
    lengths: { 1: 40, 2: 64 },
  },
  DS: {
    say: 'Key tag, algorithm, digest type and digest: 12345 13 2 0a1b…',
    numbers: [
      { name: 'Key tag', max: 65_535 },
      { name: 'Algorithm', max: 255 },
      { name: 'Digest type', max: 255 },
    ],
    kind: 2,
    lengths: { 1: 40, 2: 64, 4: 96 },
  },
}

export function readDigest(type: keyof typeof digests, text: string): Read<string> {
  const { say, numbers, kind, lengths } = digests[type]
  const words = text.split(/\s+/)
  const values = words.slice(0, numbers.length)
  const hex = words.slice(numbers.length).join('').toLowerCase()
  if (words.length <= numbers.length || !values.every((n) => /^\d{1,5}$/.test(n))) return { problem: say }
  const over = numbers.find(({ max }, i) => Number(values[i]) > max)
  if (over) return { problem: `${over.name} is at most ${over.max}` }
  if (!/^(?:[0-9a-f]{2})+$/.test(hex) || hex.length > 4096) return { problem: 'The digest is hexadecimal: 0-9 and a-f' }
  const wanted = lengths[Number(values[kind])]
  if (wanted !== undefined && hex.length !== wanted) return { problem: `This digest type has ${wanted} digits` }
  return { value: `${values.map(Number).join(' ')} ${hex}` }
}
