import { pipeline, Readable, Transform } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { inWords } from '../dumps/reading.ts'

type Compression = 'none' | 'gzip' | 'zstd'
/** Unpacked bytes after which the ratio of expansion is checked. */
const FREE_BYTES = 512 * 1024 * 1024
const MOST_RATIO = 300
/** Bytes that a program of compression hands over at once: each hand-over costs as much as the work on some kilobytes. */
const chunkSize = 256 * 1024

function compressionIn(head: Buffer): Compression {
  const starts = (...bytes: number[]) => bytes.every((byte, at) => head[at] === byte)
  if (starts(0x1f, 0x8b)) return 'gzip'
  return starts(0x28, 0xb5, 0x2f, 0xfd) ? 'zstd' : 'none'
}

/**
 * The unpacked bytes. The first bytes decide about the compression, not a name. Throws in words for people. `onPlain` is called
 * if the bytes are passed on as they come.
 */
export async function* unpacked(
  chunks: AsyncIterable<Buffer>,
  free = FREE_BYTES,
  onPlain?: () => void,
): AsyncGenerator<Buffer> {
  const from = chunks[Symbol.asyncIterator]()
  try {
    yield* opened(from, free, onPlain)
  } finally {
    await from.return?.() // after a read that is under way: what follows in the archive is read by others
  }
}

async function* opened(from: AsyncIterator<Buffer>, free: number, onPlain?: () => void): AsyncGenerator<Buffer> {
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
  let [packed, open] = [0, 0]
  const whole = Readable.from(
    (async function* () {
      packed += head.length
      yield head
      for (;;) {
        const { value, done } = await from.next()
        if (done) return
        packed += value.length
        yield value
      }
    })(),
    { objectMode: false },
  )
  const limit = new Transform({
    transform(part: Buffer, _, done) {
      open += part.length
      if (open > free && open > MOST_RATIO * packed)
        done(new Error(`it expands to more than ${MOST_RATIO} times its size: it looks like a decompression bomb`))
      else done(null, part)
    },
  })
  const program = compression === 'gzip' ? createGunzip({ chunkSize }) : createZstdDecompress({ chunkSize })
  pipeline(whole, program, limit, () => {}) // the loop below gets the error
  try {
    for await (const part of limit) yield part as Buffer // a stream without encoding
  } catch (error) {
    throw inWords(error)
  }
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
