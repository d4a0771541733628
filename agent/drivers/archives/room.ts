import { statfs } from 'node:fs/promises'
import { RESERVE } from '../dumps/reading.ts'

/** Throws if a disk has no room for these bytes beside its reserve. */
export async function inRoom(folder: string, bytes: number, what: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < bytes + RESERVE)
    throw new Error(`this server has no room for ${what}: ${bytes} bytes beside 1 GB in reserve`)
}
