import type { FtpUser } from '@innkeeper/contract/ftpUsers'
import { bytes } from '../kit/look/format.ts'

/** The state of an FTP user in a table: the running workflow, else the status. A suspended website suspends its users. */
export const stateOf = ({ state, status, expiresAt, refused }: FtpUser): string => {
  if (state !== 'ready' || status !== 'active') return state === 'ready' ? status : state
  if (expiresAt && Date.parse(expiresAt) <= Date.now()) return 'expired'
  return refused ? 'suspended' : status
}
export const folderWords = (folder: string): string => folder || 'the whole website'

/** Why an FTP user cannot be changed now; undefined if it can. */
export const notChangeable = ({ username, state }: Pick<FtpUser, 'username' | 'state'>): string | undefined =>
  state === 'ready' || state === 'failed' ? undefined : `${username} is ${state} now. Wait for it.`

/** Limits in one line: `1 GB, 512 kB/s up`. */
export const limitWords = ({ quotaMb, uploadKbps, downloadKbps, sessions }: FtpUser): string =>
  [
    ...(quotaMb === null ? [] : [bytes(quotaMb * 1024 ** 2)]),
    ...(uploadKbps === null ? [] : [`${bytes(uploadKbps * 1024)}/s up`]),
    ...(downloadKbps === null ? [] : [`${bytes(downloadKbps * 1024)}/s down`]),
    ...(sessions === null ? [] : [`${sessions} at once`]),
  ].join(', ') || 'no limit'
