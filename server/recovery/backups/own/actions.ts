import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { operations } from '@innkeeper/contract/agent/operations'
import { blobKey } from '@innkeeper/contract/kit/values'
import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { App } from '../../../kit/app/app.ts'
import { backup } from '../../../kit/ownBackup/backup.ts'
import { contentsOf, proveApart } from '../../../kit/ownBackup/compare.ts'
import { plainly } from '../../../kit/storage/blobs.ts'
import { missingBlobs } from '../../../kit/storage/missing.ts'
import { readParts, writeParts } from '../../../kit/storage/storage.ts'
import { blobs } from '../../../kit/storage/tables.ts'
import { action } from '../../../kit/work/action.ts'
import { missingFiles } from './view.ts'

/** Runs `work` with a temporary folder inside the data folder. */
async function within<T>({ settings: { dataDir } }: App, work: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(dataDir, 'own-backup-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export const ownWrite = action('own-backup.write', z.object({ key: blobKey }), {
  title: 'Write',
  lane: 'long',
  what: () => 'everything that Innkeeper keeps in its database',
  run: ({ key }, { app, say, fence }) =>
    within(app, async (folder) => {
      const file = join(folder, 'backup')
      await backup(app.db, app.settings, file, { say: (line) => say(line.replace(`${folder}/`, '')) })
      const contents = await contentsOf(file)
      fence()
      const hash = createHash('sha256')
      async function* hashed() {
        for await (const part of createReadStream(file) as AsyncIterable<Buffer>) {
          hash.update(part)
          yield part
        }
      }
      const size = await plainly(writeParts(app.storage, key, hashed()))
      const sha256 = hash.digest('hex')
      await app.db.update(blobs).set({ size, sha256, touchedAt: sql`now()` }).where(eq(blobs.key, key))
      const rows = Object.values(contents).reduce((all, one) => all + Number(one.split(' ')[0]), 0)
      return { size, sha256, rows, contents }
    }),
})

export const ownStore = action('own-backup.store', operations['own-backup.store'], {
  title: 'Keep',
  lane: 'long',
  what: ({ account }) => `into the repository ${account}`,
})

export const ownFetch = action('own-backup.fetch', operations['own-backup.fetch'], {
  title: 'Bring back',
  lane: 'long',
  what: ({ account }) => `out of the repository ${account}`,
})

export const ownProve = action(
  'own-backup.prove',
  z.object({ key: blobKey, size: z.int(), contents: z.record(z.string(), z.string()) }),
  {
    title: 'Prove',
    lane: 'long',
    what: () => 'restored into a scratch database, every table is the same',
    run: ({ key, size, contents }, { app, say, signal }) =>
      within(app, async (folder) => {
        const file = join(folder, 'backup')
        await pipeline(
          Readable.from(readParts(app.storage, key, 0, size - 1), { objectMode: false }),
          createWriteStream(file, { mode: 0o600 }),
        )
        const present = await app.secrets.currentKey(app.db)
        const differ = await proveApart(file, { key: present, dataDir: folder }, contents, signal)
        if (differ.length)
          throw new Error(`${differ.length} tables differ after a restore: ${differ.slice(0, 10).join(', ')}`)
        say(`${Object.keys(contents).length} tables are the same`)
        const missing = await missingBlobs(app)
        say(missing.count ? missingFiles(missing) : 'every uploaded file is in the file store')
        return { tables: Object.keys(contents).length, missing }
      }),
  },
)
