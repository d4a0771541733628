import { statfs } from 'node:fs/promises'
import { quotaUse } from '../../kit/host.ts'
import type { SiteAccount } from '../accounts/systemAccounts.ts'
import { RESERVE } from '../dumps/reading.ts'
import type { Member } from './tar.ts'

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

const BLOCK = 4096
/** Bytes that a member takes on a disk: limits of accounts count blocks, and a website has many small files. */
export const onDisk = ({ type, size }: Pick<Member, 'type' | 'size'>): number =>
  type === 'file' ? Math.ceil(size / BLOCK) * BLOCK : type === 'folder' ? BLOCK : 0

/** Throws if the limit of an account leaves no room for these bytes. Where nothing enforces the limit, nothing fails halfway. */
export async function inLimit({ username, uid }: SiteAccount, bytes: number, what: string): Promise<void> {
  const use = await quotaUse(uid)
  if (!use?.hardKb || use.usedKb + bytes / 1024 <= use.hardKb) return
  throw new Error(
    `${username} has no room for ${what}: ${inMib(bytes / 1024)} MiB come, and ${inMib(use.usedKb)} of its ${inMib(use.hardKb)} MiB are in use. Give its websites a larger plan first`,
  )
}

const inMib = (kb: number) => Math.ceil(kb / 1024)
const inGb = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`
