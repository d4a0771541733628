import type { FtpUser } from '@innkeeper/contract/hosting/ftpUsers'
import { bytes } from '../../kit/look/format.ts'

export const folderWords = (folder: string): string => folder || 'the whole website'

/** Why an FTP user cannot be changed now; undefined if it can. */
export const notChangeable = ({ username, state }: Pick<FtpUser, 'username' | 'state'>): string | undefined =>
  state === 'ready' || state === 'failed' ? undefined : `${username} is ${state} now. Wait for it.`

type Limits = Pick<FtpUser, 'quotaMb' | 'uploadKbps' | 'downloadKbps' | 'sessions'>
/** Limits in one line: `1 GB, 512 kB/s up`. */
export const limitWords = ({ quotaMb, uploadKbps, downloadKbps, sessions }: Limits): string =>
  [
    ...(quotaMb === null ? [] : [bytes(quotaMb * 1024 ** 2)]),
    ...(uploadKbps === null ? [] : [`${bytes(uploadKbps * 1024)}/s up`]),
    ...(downloadKbps === null ? [] : [`${bytes(downloadKbps * 1024)}/s down`]),
    ...(sessions === null ? [] : [`${sessions} at once`]),
  ].join(', ') || 'no limit'
