import { createHash, randomBytes } from 'node:crypto'
import type { Upload } from '@innkeeper/contract/transfer'
import { and, eq, inArray, lt, ne, sql } from 'drizzle-orm'
import type { App } from '../app/app.ts'
import type { Db } from '../db/db.ts'
import { Refusal, unavailable } from '../http/errors.ts'
import { Full, partsOf, writeParts } from './storage.ts'
import { blobs } from './tables.ts'

/**
 * A blob is a file in storage and a row that says whether anything refers to it. The row is there before the bytes and
 * goes after them, so that nothing is ever lost sight of: what a call, a client or a power cut left behind is swept.
 */
type Place = Pick<App, 'db' | 'storage'>

/** A new, empty blob. Its key is random: it tells nothing and cannot be guessed. */
export async function beginBlob(db: Db, of: { name: string; type: string }): Promise<string> {
  const key = randomBytes(16).toString('hex')
  await db.insert(blobs).values({ key, ...of })
  return key
}

/** Streams into a new blob, with the hash on the way. Whatever goes wrong, nothing of it stays. */
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
    await dropBlob({ db, storage }, key, written + 1).catch(() => {}) // the sweep takes what this could not
    throw error
  }
}

/** A full store in words for people, and with a status that says: not your fault. */
export async function plainly<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof Full
      ? unavailable('There is no room left for files: nothing of it was stored. Ask an administrator to make room.')
      : error
  })
}

/** In the transaction of the call that refers to it from now on. `open`: whoever has its address may read it. */
export async function keepBlobs(db: Db, keys: string[], { open }: { open?: boolean } = {}): Promise<void> {
  if (keys.length)
    await db
      .update(blobs)
      .set({ state: 'kept', touchedAt: sql`now()`, ...(open !== undefined && { open }) })
      .where(inArray(blobs.key, keys))
}

/** In the transaction that takes the last reference away; the bytes go once it has held for a minute. */
export async function leaveBlobs(db: Db, keys: string[]): Promise<void> {
  if (keys.length)
    await db.update(blobs).set({ state: 'gone', open: false, touchedAt: sql`now()` }).where(inArray(blobs.key, keys))
}

/** Bytes first, then the row that knows of them. A kept one stays: its call may have held after all. */
export async function dropBlob({ db, storage }: Place, key: string, size: number): Promise<void> {
  const notKept = and(eq(blobs.key, key), ne(blobs.state, 'kept'))
  const [mine] = await db.update(blobs).set({ state: 'gone' }).where(notKept).returning({ key: blobs.key })
  if (!mine) return
  await storage.remove(key, partsOf(size))
  await db.delete(blobs).where(notKept)
}

/** What nothing refers to: left a minute ago, or begun a day ago and not gone on with. Of several nodes each takes some. */
export async function sweepBlobs(place: Place): Promise<void> {
  const left = and(eq(blobs.state, 'gone'), lt(blobs.touchedAt, sql`now() - interval '1 minute'`))
  const forgotten = and(eq(blobs.state, 'arriving'), lt(blobs.touchedAt, sql`now() - interval '1 day'`))
  const found = await place.db
    .select({ key: blobs.key, size: blobs.size })
    .from(blobs)
    .where(sql`${left} or ${forgotten}`)
    .limit(500)
  // of a forgotten one the last part may have landed without a word of it
  for (const { key, size } of found) await dropBlob(place, key, size + 1)
}

/** Thrown where a limit is passed. */
export const tooLarge = (message: string, field: string) =>
  new Refusal(413, { code: 'too-large', message, fields: { [field]: message } })
