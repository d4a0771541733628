import { rm, stat, statfs } from 'node:fs/promises'
import { absent, must } from '../../kit/host.ts'
import { home, ownerAccount } from './ask.ts'

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

/** Throws when a restore of this many bytes would fill the disk, which others share. */
export async function checkRoom(path: string, bytes: number, what: string): Promise<void> {
  const { total, free } = await roomAt(path)
  const rest = Math.min(1024 * MB, total / 20)
  if (free < bytes + rest)
    throw new Error(
      `there is no room for ${what}: ${mb(bytes)} of files, and ${mb(Math.max(0, free - rest))} may be used`,
    )
}
const mb = (bytes: number) => `${Math.ceil(bytes / MB)} MB`
