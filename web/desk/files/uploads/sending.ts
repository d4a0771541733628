import type { StoredFile } from '@innkeeper/contract/desk/files'
import { ApiError } from '../../../kit/api/client.ts'
import { filesApi } from '../api.ts'
import { type Begun, beginOrResume, letGo, type Target } from './resumable.ts'

/** Milliseconds before each new attempt after an interruption; the last one repeats. */
const PAUSES = [1000, 2000, 5000, 10_000, 20_000]

export interface Sending {
  state?: 'sending' | 'broken'
  /** Bytes that the server has stored. */
  sent?: number
  /** Why it waits. */
  message?: string | undefined
}

/**
 * Sends a file, resuming an earlier upload. After an interruption, asks the server for the stored offset and continues
 * there.
 */
export async function sendWhole(
  file: File,
  target: Target,
  signal: AbortSignal,
  tell: (now: Sending) => void,
): Promise<StoredFile> {
  let begun: Begun | undefined
  const giveUp = () => begun && void filesApi.cancelUpload({ id: begun.id }).catch(() => undefined) // expires after a day
  signal.addEventListener('abort', giveUp)
  for (let failures = 0; ; ) {
    try {
      begun ??= await beginOrResume(file, target)
      signal.throwIfAborted()
      const { id: upload, offset } = begun
      const answer = await filesApi.continueUpload(
        { id: upload, offset, content: file.slice(offset) },
        { signal, onProgress: (sent) => tell({ state: 'sending', message: undefined, sent: offset + sent }) },
      )
      if (answer.file) {
        signal.removeEventListener('abort', giveUp)
        return answer.file
      }
      failures = answer.offset > offset ? 0 : failures + 1
      begun = { id: upload, offset: answer.offset }
    } catch (error) {
      if (signal.aborted || !mayGoOn(error)) {
        if (begun) letGo(begun.id) // another attempt for this file can resume it
        throw error
      }
      const pause = PAUSES[Math.min(failures, PAUSES.length - 1)] ?? 20_000
      failures += 1
      tell({ state: 'broken', message: 'The connection broke. The upload continues by itself.' })
      await wait(pause, signal)
      begun &&= await askOffset(begun)
      if (begun) tell({ sent: begun.offset })
    }
  }
}

/** Whether the error is temporary: a lost connection, a busy server or a competing request. */
const mayGoOn = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status === 409 || (error.status >= 502 && !isFull(error)))
const isFull = ({ message }: ApiError) => message.includes('no room left')

const askOffset = (known: Begun): Promise<Begun> => filesApi.uploadState({ id: known.id }).catch(() => known) // the next attempt asks again

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
