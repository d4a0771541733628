import { type FileHandle, open, readdir, rm } from 'node:fs/promises'
import type { Driver } from '../../kit/driver.ts'
import { absent } from '../../kit/host.ts'
import { cacheFolder, keyOf } from './edgeFile.ts'

/** Files that are looked into at once. */
const AT_ONCE = 64
/** The key stands behind a header of some 340 bytes; an address has 2,000 at most. */
const HEAD_BYTES = 4096
const MOST_HEAD_BYTES = 16_384

/**
 * Takes pages out of the cache by their files. nginx itself cannot do that, and takes a file that is gone for a page it
 * never had. Every file is looked into: one that answers differently by language or encoding (`Vary`) has a name of its own.
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
    say(`${cleared} of ${looked} kept pages are forgotten`)
    return { cleared, looked }
  },
  /** What was forgotten is fetched anew. */
  undo: async ({ say }) => say('there is nothing to bring back: pages are fetched when somebody asks for them'),
  inspect: async ({ task }) => (task === 'undo' ? 'yes' : 'no'), // pages that came since are to go as well
}

/** The files of a cache with two levels of folders, so many at a time; none of what nginx is just writing. */
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

/** What nginx keeps a page by; undefined where the file has gone meanwhile or is none of nginx's. */
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
