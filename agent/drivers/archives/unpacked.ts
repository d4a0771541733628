import type { Transform } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { inWords } from '../dumps/reading.ts'

type Compression = 'none' | 'gzip' | 'zstd'
/** Unpacked bytes after which the ratio of expansion is checked. */
const FREE_BYTES = 512 * 1024 * 1024
const MOST_RATIO = 300
/**
 * Bytes that a program of compression hands over at once: each hand-over costs as much as the work on some kilobytes. It works
 * ahead, in a thread of its own, while others read what it has unpacked.
 */
const chunkSize = 256 * 1024
const ahead = { chunkSize, highWaterMark: 8 * chunkSize }

function compressionIn(head: Buffer): Compression {
  const starts = (...bytes: number[]) => bytes.every((byte, at) => head[at] === byte)
  if (starts(0x1f, 0x8b)) return 'gzip'
  return starts(0x28, 0xb5, 0x2f, 0xfd) ? 'zstd' : 'none'
}

interface Source {
  free?: number
  /** Called if the bytes are passed on as they come. */
  onPlain?: () => void
  /** The packed bytes behind the first ones once more, of which each part is gone with the next one. */
  packed?: (behind: number) => AsyncIterable<Buffer>
}

/** The unpacked bytes. The first bytes decide about the compression, not a name. Throws in words for people. */
export async function* unpacked(chunks: AsyncIterable<Buffer>, source: Source = {}): AsyncGenerator<Buffer> {
  const from = chunks[Symbol.asyncIterator]()
  try {
    yield* opened(from, source)
  } finally {
    await from.return?.() // after a read that is under way: what follows in the archive is read by others
  }
}

async function* opened(
  from: AsyncIterator<Buffer>,
  { free = FREE_BYTES, onPlain, packed }: Source,
): AsyncGenerator<Buffer> {
  const first: Buffer[] = []
  for (let have = 0; have < 4; ) {
    const { value, done } = await from.next()
    if (done) break
    first.push(value)
    have += value.length
  }
  const head = Buffer.concat(first)
  const compression = compressionIn(head)
  if (compression === 'none') {
    onPlain?.()
    if (head.length) yield head
    for (;;) {
      const { value, done } = await from.next()
      if (done) return
      yield value
    }
  }
  const program = compression === 'gzip' ? createGunzip(ahead) : createZstdDecompress(ahead)
  const source = packed ? packed(head.length)[Symbol.asyncIterator]() : from
  const fed = feed(program, head, source)
  let open = 0
  try {
    for await (const part of program) {
      open += (part as Buffer).length // a stream without encoding
      if (open > free && open > MOST_RATIO * fed.bytes)
        throw new Error(`it expands to more than ${MOST_RATIO} times its size: it looks like a decompression bomb`)
      yield part as Buffer
    }
  } catch (error) {
    throw inWords(error)
  } finally {
    program.destroy()
    if (source !== from) await source.return?.() // the next archive uses the same buffer
  }
}

/** Hands a program all bytes; an error of the source becomes its own. Streams in between would cost as much as the work. */
function feed(program: Transform, head: Buffer, from: AsyncIterator<Buffer>): { bytes: number } {
  const fed = { bytes: 0 }
  const write = (part: Buffer) => {
    fed.bytes += part.length
    return new Promise<void>((done) => program.write(part, () => done())) // the loop gets an error
  }
  const all = async () => {
    await write(head)
    while (!program.destroyed) {
      const { value, done } = await from.next()
      if (done) return program.end()
      if (!program.destroyed) await write(value)
    }
  }
  all().catch((error: Error) => program.destroy(error))
  return fed
}

/** A small member as text; undefined if it is larger than `most`. */
export async function textOf(body: AsyncIterable<Buffer>, most: number): Promise<string | undefined> {
  const parts: Buffer[] = []
  let have = 0
  for await (const part of body) {
    have += part.length
    if (have > most) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
