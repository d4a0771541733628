import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

/** Passes bytes on, and answers their number and checksum. */
export function summing(): { sum: Transform; summary: () => { bytes: number; sha256: string } } {
  const hash = createHash('sha256')
  let bytes = 0
  const sum = new Transform({
    transform(part: Buffer, _, done) {
      hash.update(part)
      bytes += part.length
      done(null, part)
    },
  })
  return { sum, summary: () => ({ bytes, sha256: hash.digest('hex') }) }
}

/** Reads a whole gzipped dump of our own without loading it. Throws unless `isComplete` and its checksum is `sha256`. */
export async function checkWhole(
  file: string,
  { through, isComplete }: { through: Transform; isComplete: () => boolean },
  sha256: string | undefined,
): Promise<void> {
  const { sum, summary } = summing()
  try {
    await pipeline(createReadStream(file), sum, createGunzip(), through, nowhere())
  } catch (error) {
    throw new Error(`${file} cannot be read as a dump: ${error instanceof Error ? error.message : error}`)
  }
  if (!isComplete()) throw new Error(`${file} is incomplete: its last line is missing`)
  same(file, summary().sha256, sha256)
}

/** Compares only the checksum of the file with the one from when it was written and checked. */
export async function checkSum(file: string, sha256: string): Promise<void> {
  const { sum, summary } = summing()
  await pipeline(createReadStream(file), sum, nowhere())
  same(file, summary().sha256, sha256)
}

function same(file: string, is: string, was: string | undefined): void {
  if (was && is !== was) throw new Error(`${file} differs from the dump that was written: its checksum is ${is}`)
}

/** The end of a pipeline that only reads. */
export const nowhere = () => new Writable({ write: (_, __, done) => done() })
