import { safeName } from './names.ts'

/** A member of a tar archive. `body` can be read once, before the next member. */
export interface Member {
  /** Without `./` in front; undefined if the name is refused. */
  path: string | undefined
  /** Why the name is refused. */
  refusal: string | undefined
  type: 'file' | 'folder' | 'symlink' | 'hardlink' | 'device' | 'other'
  /** Target of a link, as the archive has it. */
  target: string
  size: number
  mode: number
  /** Seconds since the epoch. */
  mtime: number
  /** Where its body begins, from the beginning of the bytes. */
  at?: number
  body(): AsyncGenerator<Buffer>
}

/** Goes on behind bytes that nobody needs, without reading them; false if the source cannot. */
export type Skip = (bytes: number) => Promise<boolean>

const BLOCK = 512
/** Bytes of a long name or of extended headers. */
const MOST_HEADER = 1_048_576
const MOST_MEMBERS = 10_000_000
export const TRUNCATED = 'it breaks off in the middle of a member'

/**
 * Reads a tar archive of somebody else: ustar, pax and GNU long names. Memory stays the same for any size. Throws for an
 * archive that is damaged or breaks off; refused members are answered with their reason.
 */
export async function* members(chunks: AsyncIterable<Buffer>, skip?: Skip): AsyncGenerator<Member> {
  const input = new Input(chunks, skip)
  let [longName, longTarget]: (Buffer | undefined)[] = []
  let pax = new Map<string, Buffer>()
  let count = 0
  try {
    for (;;) {
      const head = await input.exactly(BLOCK)
      if (!head) return // some programs leave out the two blocks of zeros at the end
      if (head.every((byte) => byte === 0)) return
      checkSum(head)
      if (++count > MOST_MEMBERS) throw new Error(`it has more than ${MOST_MEMBERS} members`)
      const flag = String.fromCharCode(head[156] ?? 0)
      const own = numberIn(head, 124, 12)
      if ('LKxg'.includes(flag)) {
        if (own > MOST_HEADER) throw new Error('a name in it is longer than 1 MB')
        const content = await input.exactly(own)
        if (!content) throw new Error(TRUNCATED)
        await input.skip(padding(own))
        if (flag === 'L') longName = upToZero(content)
        else if (flag === 'K') longTarget = upToZero(content)
        else if (flag === 'x') pax = paxRecords(content)
        continue
      }
      const size = pax.has('size') ? Number(pax.get('size')?.toString('latin1')) : own
      if (!Number.isSafeInteger(size) || size < 0) throw new Error('a size in it is no number')
      const type = typeOf(flag, pax)
      const raw = pax.get('path') ?? longName ?? nameIn(head)
      const target = pax.get('linkpath') ?? longTarget ?? upToZero(head.subarray(157, 257))
      const { path, refusal } = safeName(raw)
      const length = type === 'file' || type === 'other' ? size : 0
      input.begin(length)
      yield {
        ...{ path, refusal, type, size: length },
        target: target.toString('utf8'),
        mode: numberIn(head, 100, 8) & 0o7777,
        mtime: Math.min(Math.max(0, Math.floor(mtimeIn(head, pax))), 4_102_444_800),
        at: input.at,
        body: () => input.body(),
      }
      await input.skipBody()
      await input.skip(padding(length))
      longName = undefined
      longTarget = undefined
      pax = new Map()
    }
  } finally {
    await input.close()
  }
}

const padding = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK
const upToZero = (bytes: Buffer) => {
  const end = bytes.indexOf(0)
  return end < 0 ? bytes : bytes.subarray(0, end)
}

/** Octal digits, or a binary number of GNU tar for large values. */
function numberIn(head: Buffer, at: number, length: number): number {
  const field = head.subarray(at, at + length)
  if ((field[0] ?? 0) & 0x80) {
    let value = (field[0] ?? 0) & 0x7f
    for (const byte of field.subarray(1)) value = value * 256 + byte
    if (!Number.isSafeInteger(value)) throw new Error('a number in it is too large')
    return value
  }
  const text = upToZero(field).toString('latin1').trim()
  if (!/^[0-7]*$/.test(text)) throw new Error('it is damaged: a header has no number')
  return text === '' ? 0 : Number.parseInt(text, 8)
}

function mtimeIn(head: Buffer, pax: Map<string, Buffer>): number {
  const said = Number(pax.get('mtime')?.toString('latin1') ?? Number.NaN)
  if (Number.isFinite(said)) return said
  try {
    return numberIn(head, 136, 12)
  } catch {
    return 0 // a time before 1970
  }
}

/** Unsigned sum of the header with spaces in the place of the sum. */
function checkSum(head: Buffer): void {
  let sum = 0
  for (let i = 0; i < BLOCK; i++) sum += i >= 148 && i < 156 ? 32 : (head[i] ?? 0)
  if (sum !== numberIn(head, 148, 8))
    throw new Error('it is damaged or no tar archive: the checksum of a header is wrong')
}

function nameIn(head: Buffer): Buffer {
  const name = upToZero(head.subarray(0, 100))
  // the prefix of POSIX; GNU tar has times there
  if (head.toString('latin1', 257, 263) !== 'ustar\0') return name
  const prefix = upToZero(head.subarray(345, 500))
  return prefix.length ? Buffer.concat([prefix, Buffer.from('/'), name]) : name
}

function typeOf(flag: string, pax: Map<string, Buffer>): Member['type'] {
  // a sparse file of GNU tar is stored as pieces: as an ordinary file it would be damaged
  if (flag === 'S' || [...pax.keys()].some((key) => key.startsWith('GNU.sparse'))) return 'other'
  if (flag === '0' || flag === '\0' || flag === '7') return 'file'
  if (flag === '5') return 'folder'
  if (flag === '2') return 'symlink'
  if (flag === '1') return 'hardlink'
  return flag === '3' || flag === '4' || flag === '6' ? 'device' : 'other'
}

/** `30 path=a/b\n`, repeated. */
function paxRecords(content: Buffer): Map<string, Buffer> {
  const found = new Map<string, Buffer>()
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at)
    const length = Number(content.toString('latin1', at, Math.max(at, space)))
    const equals = content.indexOf(0x3d, space)
    if (
      space < 0 ||
      space - at > 10 ||
      !Number.isInteger(length) ||
      length < 5 ||
      at + length > content.length ||
      equals < 0
    )
      throw new Error('it is damaged: an extended header cannot be read')
    found.set(content.toString('utf8', space + 1, equals), content.subarray(equals + 1, at + length - 1))
    at += length
  }
  return found
}

/** The bytes of the archive, one after the other. */
export class Input {
  readonly #from: AsyncIterator<Buffer>
  readonly #skip: Skip | undefined
  #left: Buffer = Buffer.alloc(0)
  #body = 0
  /** Bytes until now. */
  at = 0

  constructor(chunks: AsyncIterable<Buffer>, skip?: Skip) {
    this.#from = chunks[Symbol.asyncIterator]()
    this.#skip = skip
  }

  /** This many bytes; undefined at the end of the archive. */
  async exactly(length: number): Promise<Buffer | undefined> {
    if (length === 0) return Buffer.alloc(0)
    const parts: Buffer[] = []
    let have = 0
    while (have < length) {
      const part = await this.#next(length - have)
      if (!part) {
        if (have) throw new Error(TRUNCATED)
        return undefined
      }
      parts.push(part)
      have += part.length
    }
    return parts.length === 1 ? parts[0] : Buffer.concat(parts)
  }

  async skip(length: number): Promise<void> {
    for (let left = length; left > 0; ) {
      if (!this.#left.length && (await this.#skip?.(left))) {
        this.at += left
        return
      }
      const part = await this.#next(left)
      if (!part) throw new Error(TRUNCATED)
      left -= part.length
    }
  }

  begin(length: number): void {
    this.#body = length
  }

  async *body(): AsyncGenerator<Buffer> {
    while (this.#body > 0) {
      const part = await this.#next(this.#body)
      if (!part) throw new Error(TRUNCATED)
      this.#body -= part.length
      yield part
    }
  }

  async skipBody(): Promise<void> {
    const left = this.#body
    this.#body = 0
    await this.skip(left)
  }

  async close(): Promise<void> {
    await this.#from.return?.()
  }

  async #next(most: number): Promise<Buffer | undefined> {
    if (!this.#left.length) {
      const { value, done } = await this.#from.next()
      if (done) return undefined
      this.#left = value
    }
    const part = this.#left.subarray(0, most)
    this.#left = this.#left.subarray(part.length)
    this.at += part.length
    return part.length ? part : this.#next(most)
  }
}
