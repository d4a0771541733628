import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { keepBlobs, storeBlob } from './blobs.ts'
import { missingBlobs } from './missing.ts'
import { PART } from './storage.ts'
import { blobs } from './tables.ts'

it('names stored files whose bytes are gone or cut, and reads no content', async () => {
  const t = await openTestApp()
  const { app } = t
  const store = async (name: string, size: number) => {
    const { key } = await storeBlob(
      app,
      { name, type: 'text/plain' },
      (async function* () {
        yield Buffer.alloc(size)
      })(),
    )
    await keepBlobs(app.db, [key])
    return key
  }
  const [whole, large, gone, cut] = [
    await store('whole', 9),
    await store('large', PART + 9),
    await store('gone', 9),
    await store('cut', 9),
  ]
  expect(whole).not.toBe(large)
  await app.storage.remove(gone, 1)
  await app.storage.write(
    cut,
    0,
    (async function* () {
      yield Buffer.alloc(4)
    })(),
  )
  const place = { db: app.db, storage: { ...app.storage, read: () => expect.unreachable('content is read') } }
  expect(await missingBlobs(place), 'uploads of these minutes may be under way').toEqual({ count: 0, examples: [] })
  await app.db.update(blobs).set({ touchedAt: sql`now() - interval '1 hour'` })
  const { count, examples } = await missingBlobs(place)
  expect([count, examples.toSorted()]).toEqual([2, ['cut', 'gone']])
  await t.close()
})
