import { statfs } from 'node:fs/promises'
import { RESERVE } from '../dumps/reading.ts'

/** What people can do about an archive for which there is no room: one that lies on the server is read where it is. */
const ELSEWHERE =
  'Mount a disk with the archive below /mnt on this server, and type its path: it is read there, without a copy'

/** Throws if a disk has no room for an archive of this size, or for the rest of one. */
export const inRoomForArchive = (folder: string, bytes: number, what: string) =>
  inRoom(folder, bytes, what).catch((error: unknown) => {
    throw new Error(`${error instanceof Error ? error.message : error}. ${ELSEWHERE}`)
  })

/** Throws if a disk has no room for these bytes beside its reserve. */
export async function inRoom(folder: string, bytes: number, what: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free < bytes + RESERVE)
    throw new Error(
      `this server has no room for ${what}: ${inGb(bytes)} beside ${inGb(RESERVE)} in reserve, and ${inGb(free)} are free`,
    )
}

const inGb = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`
