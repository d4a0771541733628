import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Driver } from '../../kit/driver.ts'
import { ensureDirectory, places, putInPlace, remove } from '../../kit/host.ts'
import { fetchBlob } from '../../transfer/controlPlane.ts'
import { progress } from '../dumps/reading.ts'
import { forget, uploadedFile } from './kept.ts'
import { inRoomForArchive } from './room.ts'

/** Brings an uploaded archive to this server. Undo deletes it here. */
export const fetchArchive: Driver<'archive.fetch'> = {
  async run({ input: { importId, blob }, say, fence }) {
    const path = uploadedFile(importId)
    await ensureDirectory(places.imports, { mode: 0o700 })
    fence()
    if (!(await hasSum(path, blob.sha256))) {
      await inRoomForArchive(places.imports, blob.size, 'the archive')
      const aside = `${path}.part`
      await fetchBlob(blob, aside, progress(say, blob.size))
      if (!(await hasSum(aside, blob.sha256))) {
        await rm(aside, { force: true })
        throw new Error('the archive differs from what was uploaded: try again')
      }
      await putInPlace(aside, path)
    }
    say(`${blob.size} bytes are on the server`)
    return { size: blob.size }
  },
  async undo({ input: { importId }, say }) {
    await rm(`${uploadedFile(importId)}.part`, { force: true })
    say((await remove(uploadedFile(importId))) ? 'the archive is deleted' : 'the archive was gone already')
  },
  inspect: async ({ input: { importId }, task }) =>
    task === 'undo' && !existsSync(uploadedFile(importId)) ? 'yes' : 'no',
}

/** Deletes what the look has kept, and the uploaded archive. An archive that people put on the server stays. */
export const dropArchive: Driver<'archive.drop'> = {
  async run({ input: { importId }, say, fence }) {
    fence()
    await forget(importId)
    await rm(`${uploadedFile(importId)}.part`, { force: true })
    say(
      (await remove(uploadedFile(importId)))
        ? 'the uploaded archive is deleted'
        : 'hashes and keys of the archive are deleted',
    )
  },
  undo: async ({ say }) => say('the archive does not come back: look at it again'),
  inspect: async ({ task }) => (task === 'undo' ? 'yes' : 'no'), // deleting again is harmless
}

async function hasSum(file: string, sha256: string): Promise<boolean> {
  if (!existsSync(file)) return false
  const hash = createHash('sha256')
  for await (const part of createReadStream(file)) hash.update(part as Buffer) // a stream without encoding
  return hash.digest('hex') === sha256
}
