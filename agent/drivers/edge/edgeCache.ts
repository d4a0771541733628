import { type FileHandle, open, readdir, rm } from 'node:fs/promises'
import type { Driver } from '../../kit/driver.ts'
import { absent } from '../../kit/host.ts'
import { cacheFolder, keyOf } from './edgeFile.ts'

/** Files that are read at once. */
const AT_ONCE = 64
/** nginx writes a header of about 340 bytes before the key; a URL has at most 2,000. */
const HEAD_BYTES = 4096
const MOST_HEAD_BYTES = 16_384

/**
 * Deletes cached pages by deleting their files: nginx cannot purge, and treats a missing file as a miss. Reads every
 * file, because each variant of a page (`Vary`: language, encoding) has its own file name.
 */
export const clearEdgeCache: Driver<'edge-cache.clear'> = {
  async run({ input: { vhostId, urls, prefixes }, say, fence }) {
    const own = keyOf(vhostId)
    const whole = new Set(urls?.map((url) => own + url))
    const beginnings = urls || prefixes ? (prefixes ?? []).map((prefix) => own + prefix) : [own]
    const isMeant = (key: string) => whole.has(key) || beginnings.some((beginning) => key.startsWith(beginning))
    let looked = 0
    let cleared = 0
    fence()
    for await (const files of batches(cacheFolder)) {
      const found = await Promise.all(files.map(async (file) => ({ file, key: await keyIn(file) })))
      for (const { file, key } of found)
        if (key !== undefined && isMeant(key)) {
          await rm(file, { force: true })
          cleared++
        }
      looked += files.length
    }
    say(`${cleared} of ${looked} cached pages are deleted`)
    return { cleared, looked }
  },
  /** nginx fetches deleted pages again. */
  undo: async ({ say }) => say('nothing to restore: pages are fetched again when visitors request them'),
  // a retry of a run also deletes pages that were cached since
  inspect: async ({ task }) => (task === 'undo' ? 'yes' : 'no'),
}

/** The files of a cache with two levels of folders, in batches, without the temporary files of nginx. */
async function* batches(folder: string): AsyncGenerator<string[]> {
  let batch: string[] = []
  for (const first of (await readdir(folder).catch(absent)) ?? [])
    for (const second of (await readdir(`${folder}/${first}`).catch(absent)) ?? [])
      for (const name of (await readdir(`${folder}/${first}/${second}`).catch(absent)) ?? []) {
        if (!/^[0-9a-f]{32}$/.test(name)) continue
        batch.push(`${folder}/${first}/${second}/${name}`)
        if (batch.length < AT_ONCE) continue
        yield batch
        batch = []
      }
  if (batch.length) yield batch
}

/** The cache key of a file; undefined if the file is gone or is no cache file. */
async function keyIn(file: string): Promise<string | undefined> {
  const handle = await open(file).catch(absent)
  try {
    return handle && ((await keyWithin(handle, HEAD_BYTES)) ?? (await keyWithin(handle, MOST_HEAD_BYTES)))
  } finally {
    await handle?.close()
  }
}

async function keyWithin(handle: FileHandle, bytes: number): Promise<string | undefined> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0)
  const head = buffer.subarray(0, bytesRead)
  const from = head.indexOf('\nKEY: ')
  const end = from < 0 ? -1 : head.indexOf('\n', from + 1)
  return end < 0 ? undefined : head.toString('latin1', from + '\nKEY: '.length, end)
}
