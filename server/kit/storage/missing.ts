import { and, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import type { App } from '../app/app.ts'
import type { Db } from '../db/db.ts'
import { blobs } from './tables.ts'

const AT_ONCE = 1000
const EXAMPLES = 5

/** Stored files that rows name and the storage lacks, or holds with another length. */
export interface Missing {
  count: number
  /** Names of the first ones. */
  examples: string[]
}

/**
 * Compares the rows of stored files with a listing of the storage. Both are read in order of their keys, so that no
 * file is downloaded and neither is held in memory.
 */
export async function missingBlobs({ db, storage }: Pick<App, 'db' | 'storage'>): Promise<Missing> {
  const found: Missing = { count: 0, examples: [] }
  const listing = storage.list()[Symbol.asyncIterator]()
  try {
    let there = await listing.next()
    for (let rows = await readAfter(db, ''); rows.length; rows = await readAfter(db, rows.at(-1)?.key ?? '')) {
      const absent: string[] = []
      for (const { key, size } of rows) {
        while (!there.done && there.value.key < key) there = await listing.next()
        if (there.done || there.value.key !== key || there.value.bytes !== size) absent.push(key)
      }
      for (const name of await stillKept(db, absent)) {
        found.count++
        if (found.examples.length < EXAMPLES) found.examples.push(name)
      }
    }
  } finally {
    await listing.return?.()
  }
  return found
}

/** Files that were complete before the listing began: it may have passed the place of a newer one. */
const readAfter = (db: Db, key: string) =>
  db
    .select({ key: blobs.key, size: blobs.size })
    .from(blobs)
    .where(and(gt(blobs.key, key), eq(blobs.state, 'kept'), lt(blobs.touchedAt, sql`now() - interval '5 minutes'`)))
    .orderBy(blobs.key)
    .limit(AT_ONCE)

/** The names of those that nobody has deleted meanwhile. */
async function stillKept(db: Db, keys: readonly string[]): Promise<string[]> {
  if (!keys.length) return []
  const kept = await db
    .select({ name: blobs.name })
    .from(blobs)
    .where(and(inArray(blobs.key, [...keys]), eq(blobs.state, 'kept')))
    .orderBy(blobs.key)
  return kept.map(({ name }) => name)
}
