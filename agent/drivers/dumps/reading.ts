import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { type Duplex, type Readable, Transform } from 'node:stream'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { DumpFinding } from '@innkeeper/contract/hosting/databases/dumps'
import { type Compression, compressionOf, unpacking } from './compression.ts'

/** What a dump of another server contains. */
export interface ForeignFacts {
  bytes: number
  statements: number
  tables: number
  findings: DumpFinding[]
}

/** Counts the bytes that pass. */
export function counting(): { count: Transform; read: () => number } {
  let read = 0
  const count = new Transform({
    transform(part: Buffer, _, done) {
      read += part.length
      done(null, part)
    },
  })
  return { count, read: () => read }
}

/** Says the share of the bytes, at most once in five seconds and at each percent: an attempt has 256 lines. */
export function progress(say: (text: string) => void, total: number): (read: number) => void {
  let [last, share] = [performance.now(), 0]
  return (read) => {
    const now = Math.floor((100 * read) / Math.max(1, total))
    if (now === share || performance.now() - last < 5000) return
    last = performance.now()
    share = now
    say(`${read} of ${total} bytes, ${now}%`)
  }
}

/** Replaces zlib's error messages, which say little to users. */
export function inWords(error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^(?:Z_|ZSTD_|ERR_ZSTD|ERR_ZLIB)/.test(code))
    return new Error(`The file cannot be decompressed: it is truncated or damaged (${code})`)
  return error instanceof Error ? error : new Error(String(error))
}

/** A dump of another server while it is read: streams from the file on, and what was found. */
export interface Reading<F> {
  from: readonly [Readable, ...Duplex[]]
  /** What the dump contains, once it is read. */
  facts: () => F
  sha256: () => string
  compression: Compression
  size: number
}

/** Bytes that are read at once. */
const PART = 256 * 1024

/** Bytes that stay free on a disk beside dumps and databases. */
export const RESERVE = 1024 ** 3

/**
 * Opens a dump of another server, with its progress in the output. Reading fails beyond `mostBytes` after decompression,
 * and beyond what the disk with the databases has room for.
 */
export async function openDump<F>(
  path: string,
  { through, facts }: { through: Transform; facts: () => F },
  { mostBytes, databases }: { mostBytes: number; databases: string },
  say: (text: string) => void,
): Promise<Reading<F>> {
  const { size } = await stat(path).catch(() => {
    throw new Error('The dump is not on the server any more: look at it again')
  })
  const compression = await compressionOf(path)
  const { count, read } = counting()
  const hash = createHash('sha256')
  const tell = progress(say, size)
  count.on('data', (part: Buffer) => {
    hash.update(part)
    tell(read())
  })
  count.pause()
  const { bavail, bsize } = await statfs(databases)
  const most = Math.min(mostBytes, Math.max(0, bavail * bsize - RESERVE))
  const from = [
    createReadStream(path, { highWaterMark: PART }),
    count,
    ...unpacking(compression, most, read),
    through,
  ] as const
  return { from, facts, sha256: () => hash.digest('hex'), compression, size }
}

type Foreign = NonNullable<OperationInput<'database-import.load'>['foreign']>

/** The checksum that a dump had when it was looked at or written. */
export function sumOf({ file, sha256, written = [] }: Foreign): string {
  const sum = sha256 ?? written.find((one) => one.file === file)?.sha256
  if (sum === undefined) throw new Error(`${file} was neither looked at nor written by an action before this one`)
  return sum
}

/** Throws if a loaded dump is not the one that was looked at or written, or contains what an import refuses. */
export function checkLoaded({ sha256, facts }: Reading<ForeignFacts>, { file }: Foreign, sum: string): void {
  if (sha256() !== sum) throw new Error(`${file} is not the dump that was looked at`)
  const refused = facts().findings.find(({ effect }) => effect === 'refused')
  if (refused) throw new Error(`The dump is refused: ${refused.topic}, ${refused.what}`)
}
