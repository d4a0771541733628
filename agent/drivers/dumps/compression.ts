import { open } from 'node:fs/promises'
import { type Duplex, Transform } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'

/** The first 512 bytes of a file; undefined if it is empty. */
async function startOf(file: string): Promise<Buffer | undefined> {
  const handle = await open(file)
  try {
    const head = Buffer.alloc(512)
    return (await handle.read(head, 0, 512, 0)).bytesRead ? head : undefined
  } finally {
    await handle.close()
  }
}

/** The compression of a file. Throws an error for users if the file is no dump. */
export async function compressionOf(file: string): Promise<Compression> {
  const head = await startOf(file)
  if (!head) throw new Error('The file is empty')
  const starts = (...bytes: number[]) => bytes.every((byte, at) => head[at] === byte)
  if (starts(0x1f, 0x8b)) return 'gzip'
  if (starts(0x28, 0xb5, 0x2f, 0xfd)) return 'zstd'
  const known: [boolean, string][] = [
    [starts(0x50, 0x4b, 0x03, 0x04), 'a ZIP archive: unpack it first'],
    [starts(0x42, 0x5a, 0x68) || starts(0xfd, 0x37, 0x7a, 0x58, 0x5a), 'compressed with bzip2 or xz: use gzip or zstd'],
    [head.toString('latin1', 257, 262) === 'ustar', 'a tar archive: unpack it first'],
    [head.toString('latin1', 0, 5) === 'PGDMP', 'a dump of PostgreSQL in its own format'],
  ]
  const other = known.find(([is]) => is)
  if (other) throw new Error(`The file is ${other[1]}`)
  return 'none'
}
/** The transforms that unpack a dump. They fail beyond `mostBytes`, and for a decompression bomb. */
export function unpacking(compression: Compression, mostBytes: number, read: () => number): Duplex[] {
  let seen = 0
  const limit = new Transform({
    transform(part: Buffer, _, done) {
      seen += part.length
      if (seen > mostBytes)
        done(
          new Error(
            `The dump has more than ${(mostBytes / 1024 ** 3).toFixed(1)} GB after decompression, which is what its server has room for`,
          ),
        )
      else if (seen > FREE_BYTES && seen > MOST_RATIO * read())
        done(
          new Error(`The file expands to more than ${MOST_RATIO} times its size: it looks like a decompression bomb`),
        )
      else done(null, part)
    },
  })
  const open: Duplex[] =
    compression === 'gzip'
      ? [createGunzip({ chunkSize })]
      : compression === 'zstd'
        ? [createZstdDecompress({ chunkSize })]
        : []
  return [...open, limit]
}

export type Compression = 'none' | 'gzip' | 'zstd'
/** Bytes that are unpacked at once: each part takes its way through all streams. */
const chunkSize = 128 * 1024
/** Unpacked bytes after which the ratio of expansion is checked. */
const FREE_BYTES = 512 * 1024 * 1024
const MOST_RATIO = 300
