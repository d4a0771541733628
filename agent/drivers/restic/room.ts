import { rm, stat, statfs } from 'node:fs/promises'
import { absent, must } from '../../kit/host.ts'
import { ask, home, numberIn, ownerAccount, type Reached, whyOf } from './ask.ts'

const MB = 1024 ** 2
/** On a full disk, restic cannot write the lock that it needs to remove data: deleting this file makes room. */
const reserve = `${home}/.reserve`
const reserveOf = (total: number) => Math.min(256 * MB, Math.max(8 * MB, Math.round(total / 200)))

async function roomAt(path: string): Promise<{ total: number; free: number }> {
  const { blocks, bavail, bsize } = await statfs(path)
  return { total: blocks * bsize, free: bavail * bsize }
}

/** Runs maintenance. Frees the reserve first if the disk is full, and creates it again afterwards. `full`: repack little. */
export async function withRoom<T>(work: (full: boolean) => Promise<T>, bucket?: object): Promise<T> {
  if (bucket) return work(false)
  const { total, free } = await roomAt(home)
  const wanted = reserveOf(total)
  if (free < wanted) await rm(reserve, { force: true })
  try {
    return await work(free < wanted * 4)
  } finally {
    await keepReserve()
  }
}

/** Creates the reserve if the disk has plenty of room. */
export async function keepReserve(): Promise<void> {
  const { total, free } = await roomAt(home)
  const size = reserveOf(total)
  if ((await stat(reserve).catch(absent))?.size === size || free < size * 4) return
  const { uid, gid } = await ownerAccount()
  await must(['fallocate', '--length', `${size}`, reserve])
  await must(['chown', `${uid}:${gid}`, reserve])
}

const restOf = (total: number) => Math.min(1024 * MB, total / 20)
const LOOK_MS = 1000

/** Bytes of the distinct data of a snapshot: the holes of sparse files count once. */
async function distinctBytes(reached: Reached, snapshot: string): Promise<number> {
  const said = await ask(reached, ['stats', '--json', '--no-lock', '--mode', 'raw-data', snapshot], {})
  const found = said.messages.find((one) => 'total_uncompressed_size' in one || 'total_size' in one)
  if (said.code !== 0 || !found) throw new Error(whyOf(said))
  return numberIn(found, 'total_uncompressed_size') || numberIn(found, 'total_size')
}

/**
 * Restores a snapshot of this many bytes with `work`, which passes the signal to restic. Throws before it when the disk,
 * which others share, has no room for the snapshot. Sparse files may need much less than their size: if only the distinct
 * data fits, the restore runs and ends as soon as the disk becomes full.
 */
export async function inRoom<T>(
  path: string,
  { bytes, what, snapshot, reached }: { bytes: number; what: string; snapshot: string; reached: Reached },
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const room = async () => {
    const { total, free } = await roomAt(path)
    return free - restOf(total)
  }
  const lacks = (free: number) =>
    new Error(`there is no room for ${what}: ${mb(bytes)} of files, and ${mb(Math.max(0, free))} may be used`)
  const stopping = new AbortController()
  const free = await room()
  if (free >= bytes) return work(stopping.signal)
  if (free < (await distinctBytes(reached, snapshot))) throw lacks(free)
  const look = async () => {
    if ((await room()) < 0) stopping.abort()
  }
  const timer = setInterval(() => {
    look().catch(() => {}) // the next look decides
  }, LOOK_MS)
  // restic may fill a small disk between two looks
  const isFull = async () => stopping.signal.aborted || (await room().catch(() => 0)) < 0
  try {
    const done = await work(stopping.signal)
    if (await isFull()) throw lacks(free)
    return done
  } catch (error) {
    throw (await isFull()) ? lacks(free) : error
  } finally {
    clearInterval(timer)
  }
}

/** Throws when a restore of this many bytes would fill the disk, which others share. */
export async function checkRoom(path: string, bytes: number, what: string): Promise<void> {
  const { total, free } = await roomAt(path)
  const rest = restOf(total)
  if (free < bytes + rest)
    throw new Error(
      `there is no room for ${what}: ${mb(bytes)} of files, and ${mb(Math.max(0, free - rest))} may be used`,
    )
}
const mb = (bytes: number) => `${Math.ceil(bytes / MB)} MB`
