import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

const ROOM = 1_048_576
/** With less room than this, a disk is taken for the reason of failures that name none. */
const LITTLE = 65_536
/** Folders that may be on disks of their own, where operations write. */
const usual = [
  '/',
  '/etc',
  '/home',
  '/tmp',
  '/var',
  '/var/lib',
  '/var/log',
  '/var/mail',
  '/var/tmp',
  '/var/www',
  '/srv',
]
/** What node, programs and database servers say of a full disk, or one without free inodes. */
const says = /ENOSPC|no space left on device|disk full|errcode: 28\b|the table '[^']{1,200}' is full/i

interface Free {
  place: string
  bytes: number
  /** Free inodes; a disk without inodes of its own counts none. */
  files: number
}

const freeAt = async (place: string): Promise<Free[]> => {
  const found = await statfs(place).catch(() => undefined) // the folder does not exist here
  if (!found) return []
  const { bavail, bsize, ffree, files } = found
  return [{ place, bytes: bavail * bsize, files: files === 0 ? Number.POSITIVE_INFINITY : ffree }]
}

/** Whether a disk has next to no room, or no free inodes. */
export const isFull = async (place: string, room = LITTLE): Promise<boolean> =>
  (await freeAt(place)).some(({ bytes, files }) => bytes < room || files === 0)

interface Full {
  place: string
  room: string
  /** The error itself names the disk; otherwise only its free room does. */
  isSaid: boolean
}
/**
 * The full disk that an error is about. What was written in part is gone by now, so the disk with the least room is taken
 * when none is full. Some programs do not say why they could not write: then a disk with next to no room is the reason.
 */
export async function fullDiskOf(error: unknown, text: string, places = usual): Promise<Full | undefined> {
  const isSaid = says.test(text)
  const { path, dest } = (error ?? {}) as { path?: unknown; dest?: unknown }
  const named = [dest, path].find((one) => typeof one === 'string')
  const found = (await Promise.all((isSaid && named ? [dirname(named)] : places).map(freeAt))).flat()
  const [least] = found.toSorted((a, b) => Math.min(a.files, a.bytes) - Math.min(b.files, b.bytes))
  if (!least || !(isSaid || least.bytes < LITTLE || least.files === 0)) return undefined
  const room = least.bytes >= ROOM && least.files === 0 ? 'no free inodes' : `${least.bytes} bytes free`
  return { place: least.place, room, isSaid }
}

/** What node, programs and database servers say of an account that has used up its quota. */
const saysQuota = /EDQUOT|quota exceeded|errcode: 122\b/i
/** What tar says of both, without the reason. */
const isCut = /wrote only \d+ of \d+ bytes/i

/** A full account has a limit of its own, on a disk with room. `account`: whose files the operation writes. */
function explainFullAccount(error: unknown, text: string, account: string | undefined, verb = 'is'): string {
  const { path = '', dest = '' } = (error ?? {}) as { path?: string; dest?: string }
  const name = account ?? /\/home\/([a-z_][a-z0-9_-]*)/.exec(`${dest} ${path} ${text}`)?.[1]
  const whose = name ? `The account ${name}` : 'An account'
  return `${whose} ${verb} at its disk limit. Make room in it, or give it a plan with more, and try again. (${text})`
}

interface About {
  places?: string[]
  /** Whose files the operation writes. */
  account?: string | undefined
  /** What the kernel allows this account; undefined where nothing enforces a limit. */
  useOf?: (() => Promise<{ hardKb: number } | undefined>) | undefined
}

/** The text of an error, which names the full account, or the full disk and its free bytes, if that is the reason. */
export async function explainFullDisk(
  error: unknown,
  text: string,
  { places = usual, account, useOf }: About = {},
): Promise<string> {
  if (saysQuota.test(text)) return explainFullAccount(error, text, account)
  const full = await fullDiskOf(error, text, places)
  if (!full && isCut.test(text)) {
    // the disk has room, so a limit that the kernel enforces is what was reached
    const use = await useOf?.().catch(() => undefined) // the first error counts
    return explainFullAccount(error, text, account, use?.hardKb ? 'is' : 'may be')
  }
  if (!full) return text
  const { place, room, isSaid } = full
  return isSaid
    ? `Disk full: ${place} has ${room}. Make room and try again. (${text})`
    : `${text}\nThe disk may be the reason: ${place} has ${room}. Make room and try again.`
}
