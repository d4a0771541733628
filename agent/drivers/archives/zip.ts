import { pipeline, Readable, Transform } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { safeName } from './names.ts'
import { type Member, TRUNCATED } from './tar.ts'

/** A file that can be read at any place. */
export interface Places {
  size(): Promise<number>
  /** Throws if the file ends before. */
  range(from: number, length: number): AsyncGenerator<Buffer>
}

const [LOCAL, ENTRY, END, END64, FINDER64] = [0x04034b50, 0x02014b50, 0x06054b50, 0x06064b50, 0x07064b50]
const [MOST_COMMENT, MOST_TARGET, MOST_LIST] = [65_535, 4000, 1_073_741_824]
const [FREE_BYTES, MOST_RATIO] = [512 * 1024 * 1024, 300]
const [NONE, DEFLATE] = [0, 8]
const DAMAGED = 'it is damaged: its list of members cannot be read'

export const isZip = (head: Buffer) => head.length >= 4 && [LOCAL, END].includes(head.readUInt32LE(0))

interface Entry {
  name: Buffer
  flags: number
  method: number
  crc: number
  packed: number
  size: number
  mode: number
  mtime: number
  at: number
}

/**
 * The members of a zip archive of somebody else, by the list at its end. The list decides about names and sizes; a member that
 * has others is damaged. Members that lie on each other are a bomb, and refused.
 */
export async function* zipMembers(file: Places): AsyncGenerator<Member> {
  const whole = await file.size()
  let sum = 0
  for await (const entry of entries(file, whole)) {
    sum += entry.packed
    if (sum > whole) throw new Error('its members lie on each other: it looks like a decompression bomb')
    const kind = entry.mode & 0o170000
    const isFolder = entry.name.at(-1) === 0x2f || kind === 0o040000
    const { path, refusal } = safeName(entry.name)
    const isReadable = !(entry.flags & 1) && (entry.method === NONE || entry.method === DEFLATE)
    const type = isFolder
      ? 'folder'
      : !isReadable
        ? 'other'
        : kind === 0o120000
          ? 'symlink'
          : kind === 0 || kind === 0o100000
            ? 'file'
            : 'device'
    const target = type === 'symlink' && entry.size <= MOST_TARGET ? await text(body(file, entry, whole)) : ''
    yield {
      ...{ path, type, target, mtime: entry.mtime },
      refusal: refusal ?? (isReadable || isFolder ? undefined : 'encrypted, or packed in a way that is not known'),
      size: type === 'file' ? entry.size : 0,
      mode: entry.mode ? entry.mode & 0o7777 : isFolder ? 0o755 : 0o644,
      body: () => (type === 'file' ? body(file, entry, whole) : nothing()),
    }
  }
}

async function* nothing(): AsyncGenerator<Buffer> {}

/** Reads the list of members piece by piece. */
async function* entries(file: Places, whole: number): AsyncGenerator<Entry> {
  const { from, length, count } = await listOf(file, whole)
  if (from + length > whole || length > MOST_LIST) throw new Error(DAMAGED)
  const parts = file.range(from, length)
  let have: Buffer = Buffer.alloc(0)
  const need = async (bytes: number) => {
    const more: Buffer[] = [have]
    for (let n = have.length; n < bytes; ) {
      const { value, done } = await parts.next()
      if (done) throw new Error(DAMAGED)
      more.push(value)
      n += value.length
    }
    have = more.length > 1 ? Buffer.concat(more) : have
  }
  for (let n = 0; n < count; n++) {
    await need(46)
    if (have.readUInt32LE(0) !== ENTRY) throw new Error(DAMAGED)
    const lengths = [28, 30, 32].map((at) => have.readUInt16LE(at))
    const [name = 0, extra = 0, comment = 0] = lengths
    const end = 46 + name + extra + comment
    await need(end)
    yield entryIn(have.subarray(0, end), name, extra)
    have = have.subarray(end)
  }
}

function entryIn(record: Buffer, name: number, extra: number): Entry {
  const isUnix = record.readUInt8(5) === 3
  const found: Entry = {
    name: record.subarray(46, 46 + name),
    ...{ flags: record.readUInt16LE(8), method: record.readUInt16LE(10), crc: record.readUInt32LE(16) },
    ...{ packed: record.readUInt32LE(20), size: record.readUInt32LE(24), at: record.readUInt32LE(42) },
    mode: isUnix ? record.readUInt16LE(40) : 0,
    mtime: timeIn(record.readUInt16LE(14), record.readUInt16LE(12)),
  }
  const more = record.subarray(46 + name, 46 + name + extra)
  for (let at = 0; at + 4 <= more.length; ) {
    const [kind, length] = [more.readUInt16LE(at), more.readUInt16LE(at + 2)]
    const field = more.subarray(at + 4, at + 4 + length)
    if (kind === 1) large(found, field)
    if (kind === 0x5455 && field.length >= 5 && (field[0] ?? 0) & 1) found.mtime = Math.max(0, field.readInt32LE(1))
    at += 4 + length
  }
  return found
}

/** Sizes beyond 4 GiB, in their order, each only if the usual field is full. */
function large(entry: Entry, field: Buffer): void {
  let at = 0
  for (const what of ['size', 'packed', 'at'] as const) {
    if (entry[what] !== 0xffffffff) continue
    if (at + 8 > field.length) throw new Error(DAMAGED)
    entry[what] = numberIn(field, at)
    at += 8
  }
}

function numberIn(bytes: Buffer, at: number): number {
  const value = bytes.readBigUInt64LE(at)
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new Error(DAMAGED)
  return Number(value)
}

function timeIn(date: number, time: number): number {
  const [year, month, day] = [1980 + (date >> 9), ((date >> 5) & 15) - 1, date & 31]
  return Math.max(0, Math.floor(Date.UTC(year, month, day, time >> 11, (time >> 5) & 63, (time & 31) * 2) / 1000))
}

/** Where the list lies, by the record at the end of the file. */
async function listOf(file: Places, whole: number): Promise<{ from: number; length: number; count: number }> {
  const tail = Math.min(whole, 22 + MOST_COMMENT)
  const end = await bytes(file, whole - tail, tail)
  let at = end.length - 22
  while (at >= 0 && !(end.readUInt32LE(at) === END && at + 22 + end.readUInt16LE(at + 20) === end.length)) at--
  if (at < 0) throw new Error(TRUNCATED)
  const found = { count: end.readUInt16LE(at + 10), length: end.readUInt32LE(at + 12), from: end.readUInt32LE(at + 16) }
  const isLarge = found.count === 0xffff || found.length === 0xffffffff || found.from === 0xffffffff
  if (!isLarge || at < 20 || end.readUInt32LE(at - 20) !== FINDER64) return found
  const place = numberIn(end, at - 12)
  if (place + 56 > whole) throw new Error(DAMAGED)
  const record = await bytes(file, place, 56)
  if (record.readUInt32LE(0) !== END64) throw new Error(DAMAGED)
  return { count: numberIn(record, 32), length: numberIn(record, 40), from: numberIn(record, 48) }
}

async function* body(file: Places, entry: Entry, whole: number): AsyncGenerator<Buffer> {
  const { at, method, packed, size } = entry
  if (at + 30 > whole) throw new Error(TRUNCATED)
  const head = await bytes(file, at, 30)
  if (head.readUInt32LE(0) !== LOCAL) throw new Error('it is damaged: a member is not where its list says')
  const from = at + 30 + head.readUInt16LE(26) + head.readUInt16LE(28)
  if (from + packed > whole) throw new Error(TRUNCATED)
  let [got, sum] = [0, 0]
  for await (const part of method === DEFLATE ? inflated(file.range(from, packed)) : file.range(from, packed)) {
    got += part.length
    if (got > size) throw new Error('it is damaged: a member is larger than its list says')
    if (got > FREE_BYTES && got > MOST_RATIO * packed)
      throw new Error(`it expands to more than ${MOST_RATIO} times its size: it looks like a decompression bomb`)
    sum = crc32(part, sum)
    yield part
  }
  if (got !== size || sum !== entry.crc) throw new Error('it is damaged: a member has another checksum')
}

async function* inflated(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const out = new Transform({ transform: (part, _, done) => done(null, part) })
  pipeline(Readable.from(packed, { objectMode: false }), createInflateRaw({ chunkSize: 262_144 }), out, () => {}) // the loop gets the error
  try {
    for await (const part of out) yield part as Buffer // a stream without encoding
  } catch (error) {
    throw new Error(`it is damaged: ${error instanceof Error ? error.message : error}`)
  }
}

async function bytes(file: Places, from: number, length: number): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of file.range(from, length)) parts.push(part)
  return Buffer.concat(parts)
}

const text = async (parts: AsyncIterable<Buffer>): Promise<string> => {
  const found: Buffer[] = []
  for await (const part of parts) found.push(part)
  return Buffer.concat(found).toString('utf8')
}
