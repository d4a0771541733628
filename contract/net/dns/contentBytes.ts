import { unquote } from './txt.ts'
import { type Bytes, join, nameBytes, two } from './wire.ts'

/**
 * The data of a record as a name server answers it, in its canonical form; undefined for types that are not known here, and for
 * content with escapes in names.
 */
export function contentBytes(type: string, content: string): Bytes | undefined {
  const words = content.trim().split(/\s+/)
  const name = (text: string | undefined) => (text === undefined || text.includes('\\') ? undefined : nameBytes(text))
  const numbers = (n: number) =>
    words.slice(0, n).map((word) => (/^\d{1,5}$/.test(word) ? two(Number(word)) : undefined))
  switch (type) {
    case 'A':
      return address4(content.trim())
    case 'AAAA':
      return address6(content.trim())
    case 'NS':
    case 'CNAME':
    case 'PTR':
    case 'DNAME':
      return name(words[0])
    case 'MX':
      return whole([...numbers(1), name(words[1])])
    case 'SRV':
      return whole([...numbers(3), name(words[3])])
    case 'TXT':
    case 'SPF':
      return strings(content)
    case 'CAA': {
      const [, flags = '', tag = '', value = ''] = /^(\d{1,3})\s+(\w+)\s+([\s\S]*)$/.exec(content.trim()) ?? []
      const [text] = unquote(value) ?? []
      if (!text || flags === '' || Number(flags) > 255) return undefined
      return join(
        Uint8Array.of(Number(flags), tag.length),
        new TextEncoder().encode(tag.toLowerCase()),
        Uint8Array.from(text),
      )
    }
    default:
      return undefined
  }
}

const whole = (parts: readonly (Bytes | undefined)[]): Bytes | undefined => {
  const known = parts.filter((part) => part !== undefined)
  return known.length === parts.length ? join(...known) : undefined
}

function strings(content: string): Bytes | undefined {
  const found = unquote(content)
  if (!found?.length || found.some(({ length }) => length > 255)) return undefined
  return join(...found.map((bytes) => Uint8Array.from([bytes.length, ...bytes])))
}

function address4(text: string): Bytes | undefined {
  const parts = text.split('.').map((part) => (/^\d{1,3}$/.test(part) ? Number(part) : Number.NaN))
  return parts.length === 4 && parts.every((part) => part <= 255) ? Uint8Array.from(parts) : undefined
}

function address6(text: string): Bytes | undefined {
  const last = text.slice(text.lastIndexOf(':') + 1)
  const four = last.includes('.') ? address4(last) : undefined
  if (last.includes('.') && !four) return undefined
  const plain = four
    ? `${text.slice(0, text.length - last.length)}${hex(four.subarray(0, 2))}:${hex(four.subarray(2))}`
    : text
  const halves = plain.split('::').map((half) => (half ? half.split(':') : []))
  const [before = [], after = []] = halves
  const gap = halves.length === 2 ? 8 - before.length - after.length : 0
  if (halves.length > 2 || gap < 0) return undefined
  const groups = [...before, ...Array.from({ length: gap }, () => '0'), ...after]
  if (groups.length !== 8 || !groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined
  return join(...groups.map((group) => two(Number.parseInt(group, 16))))
}
const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
