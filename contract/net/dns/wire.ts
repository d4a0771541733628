/** The wire format of DNS (RFC 1035, 4): questions, and answers with the canonical form of their data (RFC 4034, 6.2). */

export type Bytes = Uint8Array<ArrayBuffer>

export const typeNumbers = {
  A: 1,
  NS: 2,
  SOA: 6,
  TXT: 16,
  AAAA: 28,
  DS: 43,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  NSEC3: 50,
  TLSA: 52,
  OPT: 41,
  CAA: 257,
} as const
/** One record of an answer. Names in `owner` and `data` are whole and in lower case. */
export interface WireRecord {
  owner: Bytes
  type: number
  ttl: number
  data: Bytes
}
export interface Reply {
  /** 0: answered, 3: no such name, 5: refused. */
  code: number
  answers: WireRecord[]
  authority: WireRecord[]
}

export const join = (...parts: readonly Bytes[]): Bytes => {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
export const two = (n: number): Bytes => Uint8Array.of((n >> 8) & 255, n & 255)
export const four = (n: number): Bytes => join(two(n >>> 16), two(n & 0xffff))

/** A name in wire format, in lower case. Escapes are not supported, because only names of zones are asked for. */
export const nameBytes = (name: string): Bytes =>
  join(
    ...name
      .toLowerCase()
      .split('.')
      .filter(Boolean)
      .map((label) => Uint8Array.of(label.length, ...new TextEncoder().encode(label))),
    Uint8Array.of(0),
  )

/** A question that asks for signatures too (EDNS with DO). */
export function queryOf(name: string, type: number, id = 1, recursive = false): Bytes {
  const head = join(two(id), two(recursive ? 0x0110 : 0x0010), two(1), two(0), two(0), two(1))
  const edns = join(Uint8Array.of(0), two(typeNumbers.OPT), two(4096), four(0x8000), two(0))
  return join(head, nameBytes(name), two(type), two(1), edns)
}

/** Types whose data contains names that servers may compress: the fixed bytes before the names, and their number. */
const named: Record<number, { before: number; names: number }> = {
  2: { before: 0, names: 1 },
  5: { before: 0, names: 1 },
  6: { before: 0, names: 2 },
  12: { before: 0, names: 1 },
  15: { before: 2, names: 1 },
  33: { before: 6, names: 1 },
  39: { before: 0, names: 1 },
  46: { before: 18, names: 1 },
}

/** Parses an answer; throws a RangeError if the bytes are not a complete answer. */
export function readReply(bytes: Bytes): Reply {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const counts = [4, 6, 8].map((at) => view.getUint16(at))
  let at = 12
  const name = (): Bytes => {
    const [read, end] = nameAt(bytes, at)
    at = end
    return read
  }
  for (let n = 0; n < (counts[0] ?? 0); n++) {
    name()
    at += 4
  }
  const section = (count: number) => {
    const found: WireRecord[] = []
    for (let n = 0; n < count; n++) {
      const owner = name()
      const type = view.getUint16(at)
      const ttl = view.getUint32(at + 4)
      const end = at + 10 + view.getUint16(at + 8)
      at += 10
      if (end > bytes.length) throw new RangeError('the answer is cut')
      found.push({ owner, type, ttl, data: canonical(bytes, at, end, type) })
      at = end
    }
    return found
  }
  const answers = section(counts[1] ?? 0)
  return { code: view.getUint16(2) & 15, answers, authority: section(counts[2] ?? 0) }
}

function canonical(bytes: Bytes, from: number, end: number, type: number): Bytes {
  const form = named[type]
  if (!form) return bytes.slice(from, end)
  const parts = [bytes.slice(from, from + form.before)]
  let at = from + form.before
  for (let n = 0; n < form.names; n++) {
    const [name, next] = nameAt(bytes, at)
    parts.push(name)
    at = next
  }
  return join(...parts, bytes.slice(at, end))
}

/** Reads a name, which may contain pointers into the message, and the position of its end. */
function nameAt(bytes: Bytes, from: number): [name: Bytes, end: number] {
  const labels: Bytes[] = []
  let at = from
  let end: number | undefined
  for (let jumps = 0; ; ) {
    const length = bytes[at]
    if (length === undefined || jumps > 100) throw new RangeError('a name does not end')
    if (length >= 0xc0) {
      end ??= at + 2
      at = ((length & 63) << 8) | (bytes[at + 1] ?? 0)
      jumps += 1
      continue
    }
    labels.push(
      bytes.slice(at, at + 1 + length).map((byte, i) => (i > 0 && byte >= 65 && byte <= 90 ? byte + 32 : byte)),
    )
    at += 1 + length
    if (length === 0) return [join(...labels), end ?? at]
  }
}
