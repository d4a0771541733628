import { createHash, randomBytes } from 'node:crypto'
import type { Upload } from '@innkeeper/contract/kit/transfer'
import { and, eq, inArray, lt, ne, sql } from 'drizzle-orm'
import type { App } from '../app/app.ts'
import type { Db } from '../db/db.ts'
import { Refusal, unavailable } from '../http/errors.ts'
import { Full, partsOf, writeParts } from './storage.ts'
import { blobs } from './tables.ts'

/**
 * A blob is a file in storage with a row that tracks its references. The row exists before the first byte and is
 * deleted after the last, so that the sweep finds files that a failed call, client or power cut left behind.
 */
type Place = Pick<App, 'db' | 'storage'>

/** Creates an empty blob with a random key, which cannot be guessed. */
export async function beginBlob(db: Db, of: { name: string; type: string }): Promise<string> {
  const key = randomBytes(16).toString('hex')
  await db.insert(blobs).values({ key, ...of })
  return key
}

/** Streams into a new blob and computes its hash. Deletes the blob on an error. */
export async function storeBlob(
  { db, storage }: Place,
  { name, type }: { name: string; type: string },
  bytes: AsyncIterable<Uint8Array>,
): Promise<Upload> {
  const hash = createHash('sha256')
  async function* hashed() {
    for await (const chunk of bytes) {
      hash.update(chunk)
      yield chunk
    }
  }
  const key = await beginBlob(db, { name, type })
  let written = 0
  try {
    const size = await plainly(
      writeParts(storage, key, hashed(), async (so) => {
        written = so
      }),
    )
    const sha256 = hash.digest('hex')
    await db.update(blobs).set({ size, sha256, touchedAt: sql`now()` }).where(eq(blobs.key, key))
    return { key, size, sha256, name, type }
  } catch (error) {
    await dropBlob({ db, storage }, key, written + 1).catch(() => {}) // if this fails, the sweep deletes the blob later
    throw error
  }
}

/** Turns a full store into a Refusal with a message for users. */
export async function plainly<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof Full
      ? unavailable('There is no room left for files: nothing of it was stored. Ask an administrator to make room.')
      : error
  })
}

/** Keeps blobs, in the transaction that refers to them. `open`: readable for anyone with the address. */
export async function keepBlobs(db: Db, keys: string[], { open }: { open?: boolean } = {}): Promise<void> {
  if (keys.length)
    await db
      .update(blobs)
      .set({ state: 'kept', touchedAt: sql`now()`, ...(open !== undefined && { open }) })
      .where(inArray(blobs.key, keys))
}

/** Releases blobs, in the transaction that removes the last reference. The sweep deletes the bytes a minute later. */
export async function leaveBlobs(db: Db, keys: string[]): Promise<void> {
  if (keys.length)
    await db.update(blobs).set({ state: 'gone', open: false, touchedAt: sql`now()` }).where(inArray(blobs.key, keys))
}

/** Deletes the bytes, then the row. Leaves a kept blob, because its call may have committed. */
export async function dropBlob({ db, storage }: Place, key: string, size: number): Promise<void> {
  const notKept = and(eq(blobs.key, key), ne(blobs.state, 'kept'))
  const [mine] = await db.update(blobs).set({ state: 'gone' }).where(notKept).returning({ key: blobs.key })
  if (!mine) return
  await storage.remove(key, partsOf(size))
  await db.delete(blobs).where(notKept)
}

/** Deletes blobs released a minute ago, and uploads without progress for a day. Several nodes share the work. */
export async function sweepBlobs(place: Place): Promise<void> {
  const left = and(eq(blobs.state, 'gone'), lt(blobs.touchedAt, sql`now() - interval '1 minute'`))
  const forgotten = and(eq(blobs.state, 'arriving'), lt(blobs.touchedAt, sql`now() - interval '1 day'`))
  const found = await place.db
    .select({ key: blobs.key, size: blobs.size })
    .from(blobs)
    .where(sql`${left} or ${forgotten}`)
    .limit(500)
  // the last part of an abandoned upload may be stored but not counted
  for (const { key, size } of found) await dropBlob(place, key, size + 1)
}

/** 413: the request exceeds a limit. */
export const tooLarge = (message: string, field: string) =>
  new Refusal(413, { code: 'too-large', message, fields: { [field]: message } })
