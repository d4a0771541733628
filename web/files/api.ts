import { files } from '@innkeeper/contract/files'
import { bind } from '../kit/api/client.ts'
import type { sendWhole as SendWhole } from './uploads/sending.ts'

export const filesApi = bind('files', files)

/** Sends a file in parts, for other domains too: a broken connection or a reload loses no part. */
export const sendInParts: typeof SendWhole = async (...input) => {
  const { sendWhole } = await import('./uploads/sending.ts')
  return sendWhole(...input)
}
