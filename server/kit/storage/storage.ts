/**
 * Storage of numbered parts under an opaque key; each part is complete or absent. A part has at most PART bytes, so
 * that uploads resume on stores without append (S3), and no file is held in memory.
 */
export interface Storage {
  /** Durable once resolved. A repeated write replaces the part. Throws Full. */
  write(key: string, part: number, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** Reads the bytes from `start` to `end` of a part, both inclusive. */
  read(key: string, part: number, start: number, end: number): AsyncIterable<Uint8Array>
  /** Deletes all `parts`; missing parts are ignored. */
  remove(key: string, parts: number): Promise<void>
  /** Throws where the store cannot be used: it is away, refuses, or is not writable. */
  check(): Promise<void>
  /** The keys that have a part, in order, with the bytes of all parts. Reads no content. */
  list(): AsyncIterable<{ key: string; bytes: number }>
}

/** Joins the parts of each key, which stand together. */
export async function* joinParts(parts: AsyncIterable<{ name: string; bytes: number }>) {
  let held: { key: string; bytes: number } | undefined
  for await (const { name, bytes } of parts) {
    const key = name.replace(/\.\d+$/, '')
    if (held?.key === key) held.bytes += bytes
    else {
      if (held) yield held
      held = { key, bytes }
    }
  }
  if (held) yield held
}

/** Bytes of every part but the last. */
export const PART = 8 * 1024 * 1024
export const partsOf = (size: number): number => Math.max(1, Math.ceil(size / PART))

/**
 * Writes a stream as parts from number `first` on. Calls `landed` after each stored part with the total of bytes so
 * far. An empty stream becomes one empty part.
 */
export async function writeParts(
  storage: Storage,
  key: string,
  bytes: AsyncIterable<Uint8Array>,
  landed: (written: number) => Promise<void> = async () => {},
  first = 0,
): Promise<number> {
  const source = bytes[Symbol.asyncIterator]()
  let rest: Uint8Array | undefined
  let written = 0
  const next = async () => {
    while (!rest?.length) {
      const step = await source.next()
      if (step.done) return undefined
      rest = step.value
    }
    return rest
  }
  async function* onePart() {
    for (let room = PART; room > 0; ) {
      const chunk = await next()
      if (!chunk) return
      const piece = chunk.subarray(0, room)
      rest = chunk.subarray(piece.length)
      room -= piece.length
      written += piece.length
      yield piece
    }
  }
  try {
    for (let part = first; part === first || (await next()); part++) {
      await storage.write(key, part, onePart())
      await landed(written)
    }
    return written
  } finally {
    await source.return?.()
  }
}

/** Reads the bytes from `start` to `end`, both inclusive, one part after the other. Throws `Missing` if a part is gone. */
export async function* readParts(storage: Storage, key: string, start: number, end: number) {
  try {
    for (let part = Math.floor(start / PART); part * PART <= end; part++)
      yield* storage.read(key, part, Math.max(0, start - part * PART), Math.min(PART - 1, end - part * PART))
  } catch (error) {
    throw isMissing(error) ? new Missing(error.message, { cause: error }) : error
  }
}

const isMissing = (error: unknown): error is Error =>
  error instanceof Error && ('code' in error ? error.code === 'ENOENT' : error.message.includes('NoSuchKey'))

/** The bytes of a file that the database lists are gone from the storage. */
export class Missing extends Error {}

/** The storage is full. The incomplete part has been deleted. */
export class Full extends Error {}
