import { randomUUID } from 'node:crypto'
import { createReadStream, readdirSync, rmSync, statSync } from 'node:fs'
import { access, constants, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Full, joinParts, type Storage } from './storage.ts'

const DAY_MS = 86_400_000

/**
 * Storage under the data folder: each part is written to a temporary file, synced and renamed. Several nodes need a
 * shared folder.
 */
export function diskStorage(dataDir: string): Storage {
  const root = join(dataDir, 'files')
  const aside = join(root, 'arriving')
  const folderOf = (key: string) => join(root, key.slice(0, 2))
  const pathOf = (key: string, part: number) => join(folderOf(key), `${checked(key)}.${part}`)
  clear(aside)
  return {
    async write(key, part, bytes) {
      const path = pathOf(key, part)
      await mkdir(aside, { recursive: true, mode: 0o700 })
      await mkdir(folderOf(key), { recursive: true, mode: 0o700 })
      const unfinished = join(aside, randomUUID())
      try {
        const file = await open(unfinished, 'wx', 0o600)
        try {
          for await (const chunk of bytes) await file.writeFile(chunk)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(unfinished, path)
        await syncFolder(folderOf(key))
      } catch (error) {
        await rm(unfinished, { force: true })
        throw isFull(error) ? new Full('no room on the disk', { cause: error }) : error
      }
    },
    read: (key, part, start, end) => createReadStream(pathOf(key, part), { start, end, highWaterMark: 256 * 1024 }),
    async remove(key, parts) {
      for (let part = 0; part < parts; part++) await rm(pathOf(key, part), { force: true })
    },
    async check() {
      await mkdir(root, { recursive: true, mode: 0o700 })
      await access(root, constants.W_OK)
    },
    list: () => joinParts(partsIn(root)),
  }
}

/** Rejects a key that this server did not generate before it becomes a path. */
function checked(key: string): string {
  if (!/^[0-9a-f]{32}$/.test(key)) throw new Error('not a storage key')
  return key
}

async function* partsIn(root: string) {
  const folders = await readdir(root).catch(() => []) // nothing was written yet
  for (const folder of folders.filter((name) => /^[0-9a-f]{2}$/.test(name)).sort()) {
    const names = await readdir(join(root, folder))
    for (const name of names.sort()) yield { name, bytes: (await stat(join(root, folder, name))).size }
  }
}

/** Syncs a folder: a new file name is durable only after its folder is synced. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Deletes temporary files that a power cut left. Only old ones, because another node may be writing. */
function clear(aside: string): void {
  let names: string[] = []
  try {
    names = readdirSync(aside)
  } catch {
    return // nothing was written yet
  }
  for (const name of names) {
    const path = join(aside, name)
    const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs
    if (written !== undefined && written < Date.now() - DAY_MS) rmSync(path, { force: true })
  }
}

const isFull = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
